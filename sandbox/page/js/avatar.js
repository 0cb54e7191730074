// Faces: a picture where there is one, otherwise initials on the person's colour.

import { h } from "./dom.js";

const COLORS = ["#5865f2", "#1f8a5b", "#c2571a", "#a8388f", "#0f7fa8", "#8a6d00"];

export const displayName = (user) => user?.global_name ?? user?.username ?? "Somebody";

/** A person's colour as #rrggbb, the server's or one that always belongs to this id. */
export function colorOf(user) {
  if (typeof user?.color === "number") return `#${user.color.toString(16).padStart(6, "0")}`;
  if (/^#[0-9a-f]{6}$/i.test(user?.color ?? "")) return user.color;
  return user?.bot ? "#1f7a54" : COLORS[Number(BigInt(user?.id ?? 0) % BigInt(COLORS.length))];
}

/** Black or white, whichever reads better on the colour. */
export function inkOn(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? "#0c0c0e" : "#ffffff";
}

function initials(user) {
  const words = displayName(user).trim().split(/\s+/);
  if (user?.bot) return "15";
  return (words[0][0] + (words.length > 1 ? words.at(-1)[0] : "")).toUpperCase();
}

/** A round face for decoration: the name always stands beside it or on the button around it. */
export function avatar(user, size = 40) {
  const color = colorOf(user);
  const letters = h("span", { class: "avatar-letters" }, initials(user));
  const face = h(
    "span",
    { class: "avatar", "aria-hidden": "true", style: { "--size": `${size}px`, "--face": color, "--ink": inkOn(color) } },
    letters,
  );
  if (user?.avatar) {
    const image = h("img", { src: `/cdn/avatars/${user.id}/${user.avatar}.png?size=128`, alt: "", draggable: "false" });
    image.addEventListener("error", () => image.replaceWith(letters));
    letters.replaceWith(image);
  }
  return face;
}

export function appTag() {
  return h("span", { class: "app-tag" }, "APP");
}
