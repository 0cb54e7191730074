// Push notifications as small cards over one client: what a phone in the pocket would show and ring for.
//
// None is shown for the channel that its person is looking at. A message of components has no words there, and the
// card says so, since that is what a player would get.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./avatar.js";

const STAYS_MS = 5000;
const MOST = 3;

export class Toasts {
  #client;

  constructor(client) {
    this.#client = client;
    this.element = h("div", { class: "toasts", role: "status", "aria-label": "Notifications" });
    client.store.on("notification", (told) => this.#show(told));
  }

  #show({ channel_id: channel, message_id: message, author, title, text }) {
    if (this.#client.looksAt(channel)) return;
    const close = h("button", { type: "button", class: "icon-button toast-close", "aria-label": "Close notification", onclick: () => card.remove() }, icon("close", 16));
    const card = h("div", { class: "toast", "data-message-id": message },
      h("button", { type: "button", class: "toast-open", onclick: () => this.#open(card, { channel, message }) },
        avatar(author, 32), h("span", { class: "toast-words" }, h("strong", {}, title), text ? h("span", {}, text) : h("em", {}, "(no words in the notification)"))),
      close);
    this.element.append(card);
    while (this.element.children.length > MOST) this.element.firstChild.remove();
    setTimeout(() => card.remove(), STAYS_MS);
  }

  #open(card, target) {
    card.remove();
    this.#client.jump(target);
  }
}
