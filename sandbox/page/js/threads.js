// A thread under the message that it was started from: its name, how much was said, and the newest message.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, displayName } from "./avatar.js";
import { headerTime } from "./times.js";

/** What a message's thread looks like now, to tell whether it must be drawn again; "" without a thread. */
export function threadKey(message, store) {
  const thread = store.threadOf(message);
  if (!thread) return "";
  const last = store.messagesIn(thread.id).at(-1);
  return [thread.name, store.isArchived(thread.id), store.messagesIn(thread.id).length, last?.id, last?.edited_timestamp].join("/");
}

/** The card of a message's thread, which opens it; null when it has none. */
export function drawThread(message, client) {
  const { store } = client;
  const thread = store.threadOf(message);
  if (!thread) return null;
  const said = store.messagesIn(thread.id);
  const last = said.at(-1);
  const count = said.length === 1 ? "1 message" : `${said.length} messages`;
  return h("button", { type: "button", class: "thread-card", "data-thread-id": thread.id, onclick: () => client.select(thread.id) },
    h("span", { class: "thread-title" }, icon("thread", 16), h("strong", {}, thread.name), h("span", { class: "thread-count" }, `${store.isArchived(thread.id) ? "Archived" : count} ›`)),
    last
      ? h("span", { class: "thread-last" }, avatar(last.author, 16), h("span", { class: "origin-name" }, displayName(store.user(last.author?.id) ?? last.author)), h("span", { class: "thread-words" }, store.preview(last)), h("time", { datetime: last.timestamp }, headerTime(last.timestamp, store.locale)))
      : h("span", { class: "thread-last" }, "There are no messages in this thread yet."));
}
