// A modal: a form of the bot over one client. It stays until the server takes it or the person leaves it.

import { h, trapFocus, uniqueId } from "./dom.js";
import { icon } from "./icons.js";
import { appTag, avatar, displayName } from "./avatar.js";
import { renderMarkdown } from "./markdown/render.js";
import { drawField } from "./fields.js";

const WENT_WRONG = "Something went wrong. Try again.";

export class Modal {
  #client;
  #data;
  #fields = [];
  #nonce = null;
  #opener = document.activeElement;
  #offs = [];

  constructor(client, data) {
    this.#client = client;
    this.#data = data;
    const { store } = client;
    const titleId = uniqueId("modal");
    this.error = h("p", { class: "modal-error", role: "alert" });
    this.submitButton = h("button", { type: "submit", class: "button primary" }, h("span", { class: "button-face" }, "Submit"));
    const form = h(
      "form", { class: "modal-form", novalidate: true, onsubmit: (event) => this.#submit(event) },
      h("div", { class: "modal-fields" }, data.components.map((component) => this.#draw(component))),
      this.error,
      h("footer", { class: "modal-footer" }, h("button", { type: "button", class: "button secondary", onclick: () => this.close() }, "Cancel"), this.submitButton),
    );
    this.dialog = h(
      "div", { class: "modal", role: "dialog", "aria-modal": "true", "aria-labelledby": titleId, "data-custom-id-of-modal": data.custom_id },
      h("header", { class: "modal-head" }, avatar(store.bot, 24), h("h2", { id: titleId }, data.title),
        h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.close() }, icon("close"))),
      h("p", { class: "modal-from" }, "This form will be sent to ", h("strong", {}, displayName(store.bot)), " ", appTag()),
      form,
    );
    this.layer = h("div", { class: "modal-layer", onpointerdown: (event) => event.target === this.layer && this.close() }, this.dialog);
    this.layer.addEventListener("keydown", (event) => this.#keyed(event));
    this.#offs.push(store.on("interaction", (answer) => this.#answered(answer)), store.on("refused", (answer) => this.#refused(answer)));
    client.layer.append(this.layer);
    (this.dialog.querySelector("input, textarea, .select") ?? this.submitButton).focus();
  }

  close() {
    this.#offs.forEach((off) => off());
    this.layer.remove();
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.#client.focusComposer();
  }

  /** One top-level component: a label with its field, a row with a text input, or words. */
  #draw(component) {
    if (component.type === 10) {
      this.#fields.push({ submitted: () => ({ type: 10, id: component.id }), complain: () => null });
      return h("div", { class: "modal-text" }, renderMarkdown(component.content, this.#client.store.room));
    }
    const inner = component.type === 18 ? component.component : component.components?.[0];
    const field = drawField(inner, { label: component.label ?? inner?.label, description: component.description, client: this.#client, layer: this.#client.layer });
    this.#fields.push({
      ...field,
      submitted: () => (component.type === 18 ? { type: 18, id: component.id, component: field.submitted() } : { type: 1, id: component.id, components: [field.submitted()] }),
    });
    return field.element;
  }

  #submit(event) {
    event.preventDefault();
    if (this.#nonce !== null) return;
    this.#show("");
    const wrong = this.#fields.filter((field) => field.complain() !== null);
    if (wrong.length > 0) {
      wrong[0].focus();
      return;
    }
    const { id, custom_id: customId } = this.#data;
    this.#nonce = this.#client.request("modal", { id, custom_id: customId, components: this.#fields.map((field) => field.submitted()) }, { kind: "modal" });
    if (this.#nonce === null) this.#show("There is no connection at the moment. Try again.");
    else this.#waits(true);
  }

  #answered({ nonce, state }) {
    if (nonce !== this.#nonce || state === "sent") return;
    this.#waits(false);
    if (state === "failed") this.#show(WENT_WRONG);
    else this.close();
  }

  #refused({ nonce, message }) {
    if (nonce !== this.#nonce) return;
    this.#waits(false);
    this.#show(message || WENT_WRONG);
  }

  #waits(waits) {
    if (!waits) this.#nonce = null;
    this.submitButton.disabled = waits;
    this.submitButton.classList.toggle("waiting", waits);
    this.submitButton.setAttribute("aria-busy", String(waits));
    this.submitButton.querySelector(".dots")?.remove();
    if (waits) this.submitButton.append(h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")));
  }

  #show(text) {
    this.error.textContent = text;
  }

  #keyed(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
    }
    trapFocus(this.dialog, event);
  }
}
