// Markdown on the page: the tree of blocks.js and inline.js as DOM nodes.
//
// `room` is what the text is read in: user(id), channel(id), isMe(id), locale(), jump(target), command(name, id),
// person(user, anchor).

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { readJump } from "../address.js";
import { timeElement } from "../times.js";
import { parseBlocks } from "./blocks.js";
import { parseInline } from "./inline.js";
import { onlyEmoji } from "./emoji.js";

/** A message's text as an element with the class `markdown`. */
export function renderMarkdown(text, room, { jumbo = false } = {}) {
  const blocks = parseBlocks(text ?? "");
  const large = jumbo && blocks.length === 1 && blocks[0].kind === "paragraph" && onlyEmoji(blocks[0].children);
  return h("div", { class: large ? "markdown jumbo" : "markdown" }, blocks.map((block) => drawBlock(block, room)));
}

/** One line of markdown, without blocks: names of fields, titles, footers. */
export function renderInline(text, room) {
  return parseInline(text ?? "").map((node) => drawInline(node, room));
}

/** The text without marks, for labels and previews. */
export function plainText(text, room) {
  const box = h("div", {}, parseBlocks(text ?? "").map((block) => [drawBlock(block, room), "\n"]));
  box.querySelectorAll(".spoiler").forEach((spoiler) => spoiler.replaceChildren("█████"));
  box.querySelectorAll("img").forEach((image) => image.replaceWith(image.alt));
  return box.textContent.replace(/\s+/g, " ").trim();
}

function drawBlock(block, room) {
  const inside = () => block.children.map((node) => drawInline(node, room));
  switch (block.kind) {
    case "paragraph": return h("div", { class: "paragraph" }, inside());
    case "heading": return h(`h${block.level}`, {}, inside());
    case "subtext": return h("small", { class: "subtext" }, inside());
    case "quote": return h("blockquote", {}, block.children.map((child) => drawBlock(child, room)));
    case "lists": return h("div", {}, block.lists.map((list) => drawList(list, room)));
    case "code-block":
      return h("pre", { tabindex: "0" }, h("code", { "data-language": block.language }, block.text));
  }
}

function drawList(list, room) {
  const items = list.items.map((item) =>
    h("li", {}, item.children.map((node) => drawInline(node, room)), item.below.map((below) => drawList(below, room))),
  );
  return list.ordered ? h("ol", { start: list.start }, items) : h("ul", {}, items);
}

const TAGS = { strong: "strong", emphasis: "em", underline: "u", strike: "s" };

function drawInline(node, room) {
  const inside = () => node.children.map((child) => drawInline(child, room));
  switch (node.kind) {
    case "text": return document.createTextNode(node.text);
    case "strong": case "emphasis": case "underline": case "strike": return h(TAGS[node.kind], {}, inside());
    case "spoiler": return spoiler(inside());
    case "code": return h("code", {}, node.text);
    case "emoji": return h("span", { class: "emoji" }, node.text);
    case "custom-emoji": return customEmoji(node);
    case "time": return timeElement(node.unix, node.style, room.locale?.());
    case "link": return link(node, room, inside);
    case "user": return userMention(node, room);
    case "channel": return channelMention(node.id, null, room);
    case "role": return h("span", { class: "mention" }, `@${room.role?.(node.id) ?? "unknown-role"}`);
    case "everyone": return h("span", { class: "mention" }, `@${node.name}`);
    case "command": return commandMention(node, room);
  }
}

/** Hidden words: a button until it is pressed. */
export function spoiler(children) {
  const words = h("span", { class: "spoiler-words", "aria-hidden": "true" }, children);
  const box = h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler", "aria-expanded": "false" }, words);
  // Whatever is hidden must not be reachable by Tab either.
  words.inert = true;
  const reveal = (event) => {
    if (box.classList.contains("shown")) return;
    event.preventDefault();
    event.stopPropagation();
    box.classList.add("shown");
    box.setAttribute("aria-expanded", "true");
    box.removeAttribute("role");
    box.removeAttribute("aria-label");
    box.removeAttribute("tabindex");
    words.removeAttribute("aria-hidden");
    words.inert = false;
  };
  box.addEventListener("click", reveal);
  box.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && reveal(event));
  return box;
}

/** An emoji of the application; its name stands in when the picture cannot be had. */
export function customEmoji({ name, id, moving = false }) {
  const image = h("img", {
    class: "emoji custom-emoji", src: `/cdn/emojis/${id}.${moving ? "gif" : "png"}`, alt: `:${name}:`, title: `:${name}:`, draggable: "false",
  });
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "emoji-name" }, `:${name}:`)));
  return image;
}

function link(node, room, inside) {
  const target = readJump(node.url);
  if (target && room.channel(target.channel)) {
    if (!node.masked) return channelMention(target.channel, target.message, room);
    return h("a", { href: node.url, title: node.title, onclick: (event) => jump(event, target, room) }, inside());
  }
  return h("a", { href: node.url, title: node.title ?? (node.masked ? node.url : null), target: "_blank", rel: "noreferrer noopener" }, inside());
}

function jump(event, target, room) {
  event.preventDefault();
  room.jump(target);
}

function userMention(node, room) {
  const user = room.user(node.id);
  const name = user ? user.global_name ?? user.username : "unknown-user";
  const attributes = { class: room.isMe(node.id) ? "mention mention-me" : "mention", "data-user-id": node.id };
  if (!user || !room.person) return h("span", attributes, `@${name}`);
  return h("button", { type: "button", ...attributes, onclick: (event) => room.person(user, event.currentTarget) }, `@${name}`);
}

function channelMention(id, message, room) {
  const channel = room.channel(id);
  if (!channel) return h("span", { class: "mention" }, icon("hash", 14), "unknown");
  const direct = channel.type === 1 || channel.type === 3;
  const sign = direct ? "at" : channel.type >= 10 && channel.type <= 12 ? "thread" : "hash";
  const name = direct ? "Direct message" : channel.name;
  return h(
    "a",
    { class: "mention", role: "link", href: `#${id}`, "data-jump-channel": id, "data-jump-message": message, onclick: (event) => jump(event, { channel: id, message }, room) },
    icon(sign, 14), h("span", {}, name), message && [h("span", { class: "mention-step" }, "›"), icon("chat", 14)],
  );
}

function commandMention(node, room) {
  return h("button", { type: "button", class: "mention", onclick: () => room.command(node.name, node.id) }, `/${node.name}`);
}
