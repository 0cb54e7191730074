// Files on a message: pictures with their alt text, anything else as a card to open. Pictures open large.

import { h, safeSource, trapFocus, uniqueId } from "./dom.js";
import { icon } from "./icons.js";

const PICTURE = /\.(png|jpe?g|gif|webp|svg|avif)$/i;
const MAX_WIDTH = 550;
const MAX_HEIGHT = 420;

const isPicture = (file) => (file.content_type ?? "").startsWith("image/") || PICTURE.test(file.filename ?? "");

/** The attachments as one block, or null when there are none. */
export function drawAttachments(files) {
  if (files.length === 0) return null;
  return h("div", { class: "attachments" }, files.map((file) => (isPicture(file)
    ? picture({ url: file.url ?? file.proxy_url, alt: file.description, width: file.width, height: file.height, hidden: (file.filename ?? "").startsWith("SPOILER_") })
    : fileCard(file))));
}

/** A card for a file that is no picture. */
export function fileCard({ url, filename, size, description }) {
  const source = safeSource(url);
  return h("div", { class: "file-card" }, icon("file", 28),
    h("span", { class: "file-words" },
      source ? h("a", { href: source, target: "_blank", rel: "noreferrer noopener", title: description }, filename ?? "file") : h("span", {}, filename ?? "file"),
      Number.isFinite(size) && h("small", {}, bytes(size))));
}

/** A picture with alt text and, if it has one, the ALT badge; hidden ones wait for a press.
 *
 * It takes the size of the file, shrunk to fit; with `fill` the width of its place, and with `natural` its own shape. */
export function picture({ url, alt, width, height, hidden = false, fill = false, natural = false }) {
  const image = h("img", { src: safeSource(url), alt: alt ?? "", decoding: "async", draggable: "false", width: width || null, height: height || null });
  const box = {};
  if (width && height && natural) box["aspect-ratio"] = `${width} / ${height}`;
  if (width && height && !fill) {
    const shrink = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
    box["aspect-ratio"] = `${width} / ${height}`;
    box.width = `${Math.round(width * shrink)}px`;
  }
  const open = h("button", { type: "button", class: "picture-open", "aria-label": alt ? `Open picture: ${alt}` : "Open picture", onclick: () => enlarge(url, alt, open) }, image);
  image.addEventListener("error", () => figure.classList.add("broken"));
  const figure = h("figure", { class: "picture", style: box }, open, alt && altBadge(alt));
  if (hidden) cover(figure);
  return figure;
}

/** The words of a picture, for whoever presses ALT. */
function altBadge(alt) {
  const id = uniqueId("alt");
  const words = h("div", { class: "alt-words", id, hidden: true }, h("strong", {}, "Alt text"), h("p", {}, alt));
  const badge = h("button", { type: "button", class: "alt-badge", "aria-expanded": "false", "aria-controls": id, "aria-label": "Show alt text" }, "ALT");
  badge.addEventListener("click", () => {
    words.hidden = !words.hidden;
    badge.setAttribute("aria-expanded", String(!words.hidden));
  });
  return [badge, words];
}

/** Lays "SPOILER" over a block until it is pressed. */
export function cover(block) {
  const shield = h("button", { type: "button", class: "shield", "aria-label": "Spoiler: show it" }, h("span", {}, "SPOILER"));
  const inside = [...block.children];
  inside.forEach((child) => { child.inert = true; });
  shield.addEventListener("click", () => {
    inside.forEach((child) => { child.inert = false; });
    block.classList.remove("covered");
    shield.remove();
  });
  block.classList.add("covered");
  block.append(shield);
}

function enlarge(url, alt, opener) {
  const source = safeSource(url);
  const close = h("button", { type: "button", class: "icon-button", "aria-label": "Close picture" }, icon("close"));
  const dialog = h("div", { class: "lightbox", role: "dialog", "aria-modal": "true", "aria-label": alt || "Picture" },
    h("img", { src: source, alt: alt ?? "" }), h("div", { class: "lightbox-bar" }, h("a", { href: source, target: "_blank", rel: "noreferrer noopener" }, "Open in a new tab"), close));
  const done = () => {
    dialog.remove();
    opener.focus();
  };
  close.addEventListener("click", done);
  dialog.addEventListener("click", (event) => event.target === dialog && done());
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") done();
    trapFocus(dialog, event);
  });
  document.body.append(dialog);
  close.focus();
}

function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(2)} KB` : `${(size / 1024 / 1024).toFixed(2)} MB`;
}
