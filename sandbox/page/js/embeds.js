// The older kind of rich message: embeds.

import { h, safeLink, safeSource } from "./dom.js";
import { renderInline, renderMarkdown } from "./markdown/render.js";
import { picture } from "./attachments.js";
import { headerTime } from "./times.js";

export const hexColor = (color) => `#${(color & 0xffffff).toString(16).padStart(6, "0")}`;

/** One embed as Discord frames it: coloured edge, title, text, fields, picture, footer. */
export function drawEmbed(embed, room) {
  const source = safeSource(embed.thumbnail?.url);
  return h(
    "article", { class: "embed", style: Number.isInteger(embed.color) ? { "--edge": hexColor(embed.color) } : {} },
    h("div", { class: "embed-grid" },
      embed.author?.name && h("div", { class: "embed-author" }, maybeLink(embed.author.url, embed.author.name)),
      embed.title && h("h4", { class: "embed-title" }, maybeLink(embed.url, renderInline(embed.title, room))),
      embed.description && h("div", { class: "embed-text" }, renderMarkdown(embed.description, room)),
      embed.fields?.length > 0 && drawFields(embed.fields, room),
      embed.image && picture({ url: embed.image.url, alt: embed.image.description, width: embed.image.width, height: embed.image.height }),
      drawFooter(embed)),
    source && h("img", { class: "embed-thumbnail", src: source, alt: embed.thumbnail.description ?? "" }),
  );
}

function drawFields(fields, room) {
  return h("dl", { class: "embed-fields" }, fields.map((field) =>
    h("div", { class: field.inline ? "embed-field inline" : "embed-field" }, h("dt", {}, renderInline(field.name, room)), h("dd", {}, renderMarkdown(field.value, room)))));
}

function drawFooter({ footer, timestamp }) {
  if (!footer?.text && !timestamp) return null;
  const words = [footer?.text, timestamp && headerTime(timestamp)].filter(Boolean).join(" • ");
  return h("div", { class: "embed-footer" }, words);
}

function maybeLink(url, children) {
  const href = safeLink(url);
  return href ? h("a", { href, target: "_blank", rel: "noreferrer noopener" }, children) : children;
}
