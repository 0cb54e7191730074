// Components as Discord draws them: containers, sections, text, galleries, rows of buttons and selects.
//
// `place` is {message, client}: where they stand and who presses them.

import { h } from "./dom.js";
import { renderMarkdown } from "./markdown/render.js";
import { cover, fileCard, picture } from "./attachments.js";
import { drawButton } from "./buttons.js";
import { drawMessageSelect } from "./selects.js";
import { hexColor } from "./embeds.js";

/** All components of a message, or null when it has none. */
export function drawComponents(components, place) {
  if (components.length === 0) return null;
  return h("div", { class: "components" }, components.map((component) => drawComponent(component, place)));
}

function drawComponent(component, place) {
  switch (component.type) {
    case 1: return drawRow(component, place);
    case 2: return drawButton(component, place);
    case 3: case 5: case 6: case 7: case 8: return drawMessageSelect(component, place);
    case 9: return drawSection(component, place);
    case 10: return h("div", { class: "text-display" }, renderMarkdown(component.content, place.client.store.room));
    case 11: return drawThumbnail(component, place);
    case 12: return drawGallery(component, place);
    case 13: return drawFile(component, place);
    case 14: return drawSeparator(component);
    case 17: return drawContainer(component, place);
    default: return h("p", { class: "unknown-component" }, `This page cannot draw a component of type ${component.type}.`);
  }
}

function drawRow(row, place) {
  return h("div", { class: "action-row" }, row.components.map((component) => drawComponent(component, place)));
}

function drawContainer(container, place) {
  const colored = Number.isInteger(container.accent_color);
  const box = h(
    "div", { class: colored ? "container accented" : "container", style: colored ? { "--accent": hexColor(container.accent_color) } : {} },
    container.components.map((component) => drawComponent(component, place)),
  );
  if (container.spoiler) cover(box);
  return box;
}

function drawSection(section, place) {
  return h("div", { class: "section" },
    h("div", { class: "section-words" }, section.components.map((component) => drawComponent(component, place))),
    section.accessory && h("div", { class: "accessory" }, drawComponent(section.accessory, place)));
}

function drawSeparator({ divider = true, spacing = 1 }) {
  return h("div", { class: `separator ${spacing === 2 ? "large" : "small"}`, role: divider ? "separator" : null }, divider && h("hr", { "aria-hidden": "true" }));
}

/** Where a media item's bytes are: its address, or the attachment of that name. */
function resolve(media, message) {
  const name = /^attachment:\/\/(.+)$/.exec(media?.url ?? "")?.[1];
  if (!name) return media ?? {};
  return { ...media, ...(message.attachments ?? []).find((file) => file.filename === name) };
}

function drawThumbnail(component, { message }) {
  const media = resolve(component.media, message);
  return h("div", { class: "thumbnail" }, picture({ url: media.url, alt: component.description, hidden: component.spoiler, fill: true }));
}

function drawGallery(gallery, { message }) {
  const count = gallery.items.length;
  return h("div", { class: "gallery", "data-count": count }, gallery.items.map((item) => {
    const media = resolve(item.media, message);
    const { width, height } = media;
    return picture({ url: media.url, alt: item.description ?? media.description, width, height, hidden: item.spoiler, fill: true, natural: count === 1 });
  }));
}

function drawFile(component, { message }) {
  const media = resolve(component.file, message);
  const card = fileCard({ ...media, filename: component.name ?? media.filename ?? media.url?.split("/").at(-1)?.split("?")[0], size: component.size ?? media.size });
  if (component.spoiler) cover(card);
  return card;
}
