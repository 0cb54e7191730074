// The list above the composer: commands, options or choices, walked by the arrow keys while typing goes on.

import { h, uniqueId } from "./dom.js";

export class Suggestions {
  #items = [];
  #active = -1;
  #onChoose = () => {};
  #input = null;

  constructor() {
    this.id = uniqueId("suggestions");
    this.title = h("div", { class: "suggestions-title" });
    this.list = h("div", { class: "suggestions-list", role: "listbox", id: this.id, "aria-label": "Suggestions" });
    this.element = h("div", { class: "suggestions", hidden: true }, this.title, this.list);
    // A press on the list must not take the focus from the text.
    this.element.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  get isOpen() {
    return !this.element.hidden;
  }

  get active() {
    return this.#items[this.#active] ?? null;
  }

  /** Shows `items` ({key, content, value}) for the text in `input`; `first` makes the first one active. */
  show({ input, title, items, empty = null, first = true, onChoose }) {
    const before = this.active?.key;
    this.#items = items;
    this.#onChoose = onChoose;
    this.#input = input;
    this.title.replaceChildren(...[title].flat().filter(Boolean));
    this.title.hidden = !title || title.length === 0;
    this.list.replaceChildren(...items.map((item, index) => h(
      "div", { class: "suggestion", role: "option", id: `${this.id}-${index}`, "aria-selected": "false", "data-key": item.key, onclick: () => this.#onChoose(item), onpointermove: () => this.#mark(index, false) }, item.content,
    )), ...(items.length === 0 && empty ? [h("p", { class: "suggestions-none", role: "status" }, empty)] : []));
    this.element.hidden = this.title.hidden && items.length === 0 && !empty;
    input.setAttribute("aria-controls", this.id);
    input.setAttribute("aria-expanded", String(items.length > 0));
    const kept = items.findIndex((item) => item.key === before);
    this.#mark(kept !== -1 && first ? kept : first && items.length > 0 ? 0 : -1);
  }

  hide() {
    this.#items = [];
    this.#active = -1;
    this.element.hidden = true;
    this.#input?.setAttribute("aria-expanded", "false");
    this.#input?.removeAttribute("aria-activedescendant");
  }

  /** Arrow keys: moves and says so; false when there is nothing to move in. */
  move(by) {
    const { length } = this.#items;
    if (length === 0) return false;
    this.#mark(this.#active === -1 ? (by > 0 ? 0 : length - 1) : (this.#active + by + length) % length);
    return true;
  }

  choose(item = this.active) {
    if (item) this.#onChoose(item);
    return item !== null;
  }

  #mark(index, scroll = true) {
    this.#active = index;
    this.list.querySelectorAll(".suggestion").forEach((row, at) => {
      row.classList.toggle("active", at === index);
      row.setAttribute("aria-selected", String(at === index));
      if (at === index && scroll) row.scrollIntoView({ block: "nearest" });
    });
    if (index >= 0) this.#input?.setAttribute("aria-activedescendant", `${this.id}-${index}`);
    else this.#input?.removeAttribute("aria-activedescendant");
  }
}
