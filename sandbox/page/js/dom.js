// Building DOM nodes. Everything on the page goes through here, so that text from people and from the
// bot only ever becomes text nodes and attributes, never markup.

/** Makes an element: attributes (null and false are left out), listeners as `onclick: fn`, then children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.entries(value).forEach(([key, to]) => element.style.setProperty(key, to));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

/** Appends nodes and strings, however nested; null, undefined and false are left out. */
export function add(parent, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child);
  }
  return parent;
}

export function clear(element) {
  element.replaceChildren();
  return element;
}

/** A media address that may stand in `src`: this server's own paths, http(s) and drawn data images. */
export function safeSource(url) {
  if (typeof url !== "string") return null;
  if (url.startsWith("/") || /^https?:\/\//i.test(url) || /^data:image\//i.test(url)) return url;
  return null;
}

/** A link that may stand in `href`, or null. */
export function safeLink(url) {
  return typeof url === "string" && /^https?:\/\/[^\s]+$/i.test(url) ? url : null;
}

let counter = 0;

/** An id that no other element of this page has. */
export function uniqueId(word) {
  counter += 1;
  return `${word}-${counter}`;
}

/** Keeps Tab inside a dialog: from its last stop to its first, and back. */
export function trapFocus(box, event) {
  if (event.key !== "Tab") return;
  const stops = [...box.querySelectorAll("button, input, textarea, select, a[href], [tabindex='0']")].filter(
    (stop) => !stop.disabled && stop.tabIndex >= 0 && stop.getClientRects().length > 0,
  );
  if (stops.length === 0) return;
  const first = stops[0];
  const last = stops[stops.length - 1];
  const inside = box.contains(document.activeElement);
  if (event.shiftKey && (document.activeElement === first || !inside)) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && (document.activeElement === last || !inside)) {
    event.preventDefault();
    first.focus();
  }
}
