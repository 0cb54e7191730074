// One message as an article: who, when, what it says, its pictures, embeds and components.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { appTag, avatar, displayName } from "./avatar.js";
import { renderMarkdown } from "./markdown/render.js";
import { clock, fullMoment, headerTime } from "./times.js";
import { drawAttachments } from "./attachments.js";
import { drawEmbed } from "./embeds.js";
import { drawComponents } from "./components.js";
import { EPHEMERAL, LOADING } from "./store.js";
import { drawThread } from "./threads.js";

const GROUP_MS = 7 * 60 * 1000;
const SUPPRESS_EMBEDS = 4;
const SILENT = 4096;
const COMPONENTS_V2 = 32768;
const ON_PERSON = 2;

/** The command that this message answers, as "crib new"; null for other messages. */
function commandOf(message) {
  const meta = message.interaction_metadata;
  const name = meta?.name ?? message.interaction?.name;
  return name && (meta?.type ?? 2) === 2 ? { name, onPerson: meta?.command_type === ON_PERSON, user: meta?.user ?? message.interaction?.user } : null;
}

/** Whether a message follows its forerunner so closely that it needs no header of its own. */
export function continues(message, before) {
  if (!before || before.author?.id !== message.author?.id) return false;
  if (commandOf(message) || message.message_reference || (message.flags & EPHEMERAL) !== (before.flags & EPHEMERAL)) return false;
  return new Date(message.timestamp) - new Date(before.timestamp) < GROUP_MS && message.webhook_id === before.webhook_id;
}

/** The article of a message. `client` gives the store and what may be done. */
export function drawMessage(message, { client, grouped }) {
  const { store } = client;
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const nameId = `${client.key}-name-${message.id}`;
  const classes = ["message", !grouped && "first", ephemeral && "ephemeral", store.mentionsMe(message) && "mentions-me"];
  return h(
    "article",
    {
      class: classes.filter(Boolean).join(" "), "data-message-id": message.id, "data-author-id": message.author?.id,
      "data-ephemeral": ephemeral || null, "aria-labelledby": nameId, tabindex: "-1",
    },
    !grouped && [drawOrigin(message, client)],
    h("div", { class: "gutter" }, grouped ? h("time", { class: "side-time", datetime: message.timestamp, "aria-hidden": "true" }, clock(message.timestamp, store.locale)) : avatar(store.user(message.author?.id) ?? message.author)),
    h("div", { class: "message-body" }, drawHeader(message, { store, grouped, nameId }), drawContent(message, client), h("div", { class: "message-failure", role: "alert" }), drawThread(message, client), ephemeral && drawFooter(message, client)),
  );
}

function drawHeader(message, { store, grouped, nameId }) {
  const author = store.user(message.author?.id) ?? message.author;
  const name = h("button", { type: "button", class: "author", onclick: (event) => store.room.person(author, event.currentTarget) }, displayName(author));
  return h(
    "h3",
    { class: grouped ? "message-header visually-hidden" : "message-header", id: nameId },
    name, author?.bot && appTag(),
    h("time", { class: "header-time", datetime: message.timestamp, title: fullMoment(message.timestamp, store.locale) }, headerTime(message.timestamp, store.locale)),
    message.flags & SILENT ? h("span", { class: "silent", role: "img", "aria-label": "Sent silently", title: "Sent silently" }, icon("quiet", 16)) : null,
  );
}

/** The line above the header: "Ada used /crib new", or the message this one replies to. */
function drawOrigin(message, client) {
  const { store } = client;
  const command = commandOf(message);
  if (command) {
    const user = store.user(command.user?.id) ?? command.user;
    return h("div", { class: "origin" }, avatar(user, 16), h("span", { class: "origin-name" }, displayName(user)), " used ",
      command.onPerson ? h("span", { class: "mention" }, command.name) : h("button", { type: "button", class: "mention", onclick: () => store.room.command(command.name) }, `/${command.name}`));
  }
  if (!message.message_reference?.message_id) return null;
  const target = { channel: message.message_reference.channel_id ?? message.channel_id, message: message.message_reference.message_id };
  const original = message.referenced_message ?? store.message(target.channel, target.message);
  if (!original) return h("div", { class: "origin" }, icon("reply", 14), h("em", {}, "Original message was deleted"));
  return h("div", { class: "origin" }, avatar(original.author, 16), h("span", { class: "origin-name" }, displayName(original.author)),
    h("button", { type: "button", class: "origin-words", onclick: () => store.room.jump(target) }, store.preview(original)));
}

function drawContent(message, client) {
  const { store } = client;
  if (message.flags & LOADING) {
    return h("div", { class: "message-content thinking", role: "status" }, dots(), h("span", {}, `${displayName(store.user(message.author.id) ?? message.author)} is thinking…`));
  }
  const edited = message.edited_timestamp && h("time", { class: "edited", datetime: message.edited_timestamp, title: fullMoment(message.edited_timestamp, store.locale) }, "(edited)");
  const parts = [];
  if (message.content) parts.push(renderMarkdown(message.content, store.room, { jumbo: true }));
  if (edited && parts.length > 0) (parts[0].lastElementChild ?? parts[0]).append(" ", edited);
  // A message of components shows no file that its components do not name.
  if (!(message.flags & COMPONENTS_V2)) {
    const shown = namedByComponents(message);
    parts.push(drawAttachments((message.attachments ?? []).filter((file) => !shown.has(file.filename))));
  }
  if (!(message.flags & SUPPRESS_EMBEDS)) parts.push((message.embeds ?? []).map((embed) => drawEmbed(embed, store.room)));
  parts.push(drawComponents(message.components ?? [], { message, client }));
  // A message of components alone wears its "(edited)" below them.
  if (edited && !message.content) parts.push(h("div", { class: "edited-line" }, edited));
  return h("div", { class: "message-content" }, parts);
}

/** Files that embeds or components show themselves are not listed again. */
function namedByComponents(message) {
  const names = new Set();
  const text = JSON.stringify([message.components ?? [], message.embeds ?? []]);
  for (const file of message.attachments ?? []) {
    if (text.includes(JSON.stringify(file.url).slice(1, -1)) || text.includes(`attachment://${file.filename}`)) names.add(file.filename);
  }
  return names;
}

function drawFooter(message, client) {
  return h("div", { class: "ephemeral-footer" }, icon("eye", 16), h("span", {}, "Only you can see this"), h("span", { "aria-hidden": "true" }, "·"),
    h("button", { type: "button", class: "text-link", "data-dismiss": message.id, onclick: () => client.dismiss(message) }, "Dismiss message"));
}

/** A command that was sent and has no message yet: waiting, thinking, or come to nothing. */
export function drawPendingCommand(entry, client) {
  const { store } = client;
  const bot = store.bot;
  const failed = entry.state === "failed";
  const words = failed ? entry.text : entry.state === "thinking" ? `${displayName(bot)} is thinking…` : "Sending command…";
  return h(
    "article", { class: "message first pending-command", "data-nonce": entry.nonce, "data-state": entry.state },
    h("div", { class: "origin" }, avatar(store.me, 16), h("span", { class: "origin-name" }, displayName(store.me)), " used ", h("span", { class: "mention" }, entry.onPerson ? entry.name : `/${entry.name}`)),
    h("div", { class: "gutter" }, avatar(bot)),
    h("div", { class: "message-body" },
      h("h3", { class: "message-header" }, h("span", { class: "author" }, displayName(bot)), appTag()),
      h("div", { class: failed ? "message-content failed" : "message-content thinking", role: failed ? "alert" : "status" }, !failed && dots(), h("span", {}, words)),
      failed && h("div", { class: "ephemeral-footer" }, icon("eye", 16), h("span", {}, "Only you can see this"), h("span", { "aria-hidden": "true" }, "·"),
        h("button", { type: "button", class: "text-link", onclick: () => store.pending.finish(entry.nonce) }, "Dismiss message"))),
  );
}

export function dots() {
  return h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}

/** Shows on a drawn message which of its buttons wait for an answer, and the last failure. */
export function showPending(article, message, pending) {
  const busy = pending.busy(message.id);
  for (const control of article.querySelectorAll("[data-custom-id]")) {
    const waits = pending.waitsFor(message.id, control.dataset.customId);
    control.classList.toggle("waiting", waits);
    control.setAttribute("aria-busy", String(waits));
    // Not `disabled`, which would take the keyboard's focus away for good.
    control.toggleAttribute("data-held", busy);
    if (busy) control.setAttribute("aria-disabled", "true");
    else control.removeAttribute("aria-disabled");
    control.querySelector(":scope > .dots")?.remove();
    if (waits) control.append(dots());
  }
  const line = article.querySelector(".message-failure");
  const failure = pending.failureOf(message.id) ?? "";
  if (line && line.textContent !== failure) line.textContent = failure;
}
