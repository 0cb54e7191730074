// Whom to write to: one person for direct messages, more for a group. The bot is in neither.

import { h, trapFocus, uniqueId } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, displayName } from "./avatar.js";

export class NewMessage {
  #client;
  #opener = document.activeElement?.dataset.channelId;

  constructor(client) {
    this.#client = client;
    const { people, me } = client.store;
    const titleId = uniqueId("new-message");
    this.open = h("button", { type: "submit", class: "button primary", disabled: true }, h("span", { class: "button-face" }, "Write"));
    const form = h("form", { class: "modal-form", onsubmit: (event) => this.#submit(event) },
      h("div", { class: "modal-fields choices", onchange: () => this.#changed() }, people.filter((person) => person.id !== me.id).map((person) => h("label", { class: "choice" },
        h("input", { type: "checkbox", value: person.id }), avatar(person, 32), h("span", {}, displayName(person))))),
      h("footer", { class: "modal-footer" }, h("button", { type: "button", class: "button secondary", onclick: () => this.close() }, "Cancel"), this.open));
    this.dialog = h("div", { class: "modal", role: "dialog", "aria-modal": "true", "aria-labelledby": titleId },
      h("header", { class: "modal-head" }, h("h2", { id: titleId }, "New message"),
        h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.close() }, icon("close"))),
      h("p", { class: "modal-from" }, "One person for direct messages, more for a group."),
      form);
    this.layer = h("div", { class: "modal-layer", onpointerdown: (event) => event.target === this.layer && this.close() }, this.dialog);
    this.layer.addEventListener("keydown", (event) => this.#keyed(event));
    client.layer.append(this.layer);
    this.dialog.querySelector("input").focus();
  }

  close() {
    this.layer.remove();
    const opener = this.#opener && this.#client.sidebar.list.querySelector(`[data-channel-id="${CSS.escape(this.#opener)}"]`);
    if (opener?.getClientRects().length) opener.focus();
    else this.#client.focusComposer();
  }

  #chosen() {
    return [...this.dialog.querySelectorAll("input:checked")].map((box) => this.#client.store.user(box.value));
  }

  #changed() {
    this.open.disabled = this.#chosen().length === 0;
  }

  #submit(event) {
    event.preventDefault();
    const users = this.#chosen();
    this.close();
    this.#client.openBetween(users);
  }

  #keyed(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
    }
    trapFocus(this.dialog, event);
  }
}
