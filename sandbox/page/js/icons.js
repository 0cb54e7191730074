// The page's few pictograms, drawn on a 24-unit square and coloured by the text around them.

const PATHS = {
  hash: ["M9 4 7 20M17 4l-2 16M4 9h17M3 15h17"],
  thread: ["M9 4 7.6 15M15 4l-.9 7M4 8.5h15M4 14h7", "M13 15h8v5h-4l-2.500 2v-2H13z"],
  megaphone: ["M4 10v4h3l9 4.500v-13L7 10zM19 9.500a4 4 0 0 1 0 5M8 14.500l1.500 5"],
  speaker: ["M4 9.500v5h3.500l5 4.500V5l-5 4.500zM15.500 9a4 4 0 0 1 0 6M18 6.500a7.500 7.500 0 0 1 0 11"],
  stage: ["M12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-3 8c0-3 1.200-5 3-5s3 2 3 5zM7.500 13.500a5.500 5.500 0 1 1 9 0M4.800 16a9 9 0 1 1 14.400 0"],
  forum: ["M4 5h12v8H9l-3 3v-3H4zM18.500 9H20v8h-2v3l-3-3h-5"],
  at: ["M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm0 0v1.500a2.500 2.500 0 0 0 5 0V12a9 9 0 1 0-3.600 7.200"],
  menu: ["M4 7h16M4 12h16M4 17h16"],
  people: ["M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-6.500 9c0-3.500 2.900-6 6.500-6s6.500 2.500 6.500 6", "M16 4.300a3.500 3.500 0 0 1 0 6.400M18 14.600c2.100.9 3.500 2.900 3.500 5.400"],
  gear: [
    "M12 15.200a3.200 3.200 0 1 0 0-6.400 3.200 3.200 0 0 0 0 6.400Z",
    "M10.200 3h3.600l.6 2.600 1.900 1.100 2.600-.8 1.800 3.100-2 1.800v2.400l2 1.800-1.800 3.100-2.600-.8-1.900 1.100-.6 2.600h-3.600l-.6-2.600-1.900-1.100-2.600.8L3.300 15l2-1.800v-2.400l-2-1.800 1.800-3.100 2.600.8 1.900-1.100z",
  ],
  sun: ["M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM12 2v2.500M12 19.500V22M2 12h2.500M19.500 12H22M5 5l1.700 1.700M17.300 17.300 19 19M19 5l-1.700 1.700M6.700 17.300 5 19"],
  moon: ["M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z"],
  columns: ["M4 5h16v14H4zM12 5v14"],
  close: ["M6 6l12 12M18 6 6 18"],
  plus: ["M12 5v14M5 12h14"],
  send: ["M4 12 21 4l-5 17-4-7z", "M12 14 21 4"],
  down: ["M6 9.500l6 6 6-6"],
  check: ["M5 12.500l4.500 4.500L19 7.500"],
  eye: ["M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12Z", "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z"],
  open: ["M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9"],
  file: ["M7 3h7l4 4v14H7zM14 3v4h4"],
  reply: ["M10 6 4 11.500 10 17v-3.500c5 0 8 1.500 10 5 0-6-3.500-9.500-10-9.500z"],
  chat: ["M4 5h16v11h-8l-4.500 4v-4H4z"],
  quiet: ["M5.500 17.500h13l-2-3v-4.500a4.500 4.500 0 0 0-9 0v4.500zM10.500 21h3", "M4 3.500l16 17"],
  slash: ["M5 4h14v16H5z", "M14 8l-4 8"],
};

// By Discord's number of the kind of channel.
const CHANNELS = { 1: "at", 2: "speaker", 3: "people", 5: "megaphone", 10: "thread", 11: "thread", 12: "thread", 13: "stage", 15: "forum" };

/** The name of the icon before a channel's name. */
export const channelIcon = (channel) => CHANNELS[channel.type] ?? "hash";

const SVG = "http://www.w3.org/2000/svg";

/** An icon for decoration: it is hidden from screen readers, the button around it has the words. */
export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = {
    viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor",
    "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round",
    "aria-hidden": "true", focusable: "false", class: `icon icon-${name}`,
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
