// A drop-down as Discord has it: a box that shows what is chosen and a list that opens over everything.
//
// It only knows options and values. For one value the list closes at a choice; for several it stays open and
// tells of the choice when it closes.

import { h, uniqueId } from "./dom.js";
import { icon } from "./icons.js";
import { drawPartialEmoji } from "./buttons.js";

const GAP = 4;
const TALLEST = 320;

export class Select {
  #options;
  #min;
  #max;
  #chosen;
  #atOpening = [];
  #layer;
  #onChange;
  #placeholder;
  #list = null;
  #active = -1;
  #typed = "";
  #typedAt = 0;

  /** `layer` is the element to open over; `onChange(values)` hears of a changed choice. */
  constructor({ options, min = 1, max = 1, values = [], placeholder, label, customId, disabled = false, layer, onChange }) {
    this.#options = options;
    this.#min = min;
    this.#max = max;
    this.#chosen = [...values];
    this.#layer = layer;
    this.#onChange = onChange;
    this.#placeholder = placeholder || (max > 1 ? "Make your choices" : "Make a selection");
    this.listId = uniqueId("list");
    this.element = h("button", {
      type: "button", class: "select", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": this.listId,
      "aria-label": label || this.#placeholder, "data-custom-id": customId, disabled,
      onclick: () => (this.#list ? this.close() : this.open()),
      onkeydown: (event) => this.#keyed(event),
    });
    this.#drawFace();
  }

  get values() {
    return [...this.#chosen];
  }

  open() {
    if (this.#list || this.element.disabled || this.element.hasAttribute("data-held")) return;
    this.#atOpening = [...this.#chosen];
    this.#list = h("div", { class: "select-list", role: "listbox", id: this.listId, "aria-multiselectable": this.#max > 1 ? "true" : null, "aria-label": this.element.getAttribute("aria-label"), "data-for": this.element.dataset.customId });
    this.#drawList();
    this.#layer.append(this.#list);
    this.#position();
    this.element.setAttribute("aria-expanded", "true");
    this.#activate(Math.max(0, this.#options.findIndex((option) => this.#chosen.includes(option.value))));
    document.addEventListener("pointerdown", this.#outside, true);
    window.addEventListener("resize", this.#moved);
    document.addEventListener("scroll", this.#moved, true);
  }

  /** Closes without telling anybody. */
  drop() {
    this.#chosen = [...this.#atOpening];
    this.close();
  }

  close() {
    if (!this.#list) return;
    this.#list.remove();
    this.#list = null;
    this.element.setAttribute("aria-expanded", "false");
    this.element.removeAttribute("aria-activedescendant");
    document.removeEventListener("pointerdown", this.#outside, true);
    window.removeEventListener("resize", this.#moved);
    document.removeEventListener("scroll", this.#moved, true);
    const changed = [...this.#atOpening].sort().join("\0") !== [...this.#chosen].sort().join("\0");
    if (changed && this.#chosen.length >= this.#min) this.#onChange(this.values);
  }

  #outside = (event) => {
    if (!this.#list.contains(event.target) && !this.element.contains(event.target)) this.close();
  };

  #moved = (event) => {
    if (event.type === "scroll" && this.#list.contains(event.target)) return;
    if (this.element.isConnected) this.#position();
    else this.close();
  };

  #drawFace() {
    const options = this.#options.filter((option) => this.#chosen.includes(option.value));
    const words = options.length === 0
      ? h("span", { class: "select-placeholder" }, this.#placeholder)
      : h("span", { class: "select-values" }, options.map((option) => h("span", { class: this.#max > 1 ? "select-value pill" : "select-value" }, drawPartialEmoji(option.emoji), h("span", {}, option.label))));
    this.element.replaceChildren(words, h("span", { class: "select-arrow" }, icon("down", 20)));
    this.element.dataset.values = this.#chosen.join(",");
  }

  #drawList() {
    const full = this.#max > 1 && this.#chosen.length >= this.#max;
    const rows = this.#options.map((option, index) => {
      const chosen = this.#chosen.includes(option.value);
      return h(
        "div",
        {
          class: "option", role: "option", id: `${this.listId}-${index}`, "aria-selected": String(chosen), "aria-disabled": full && !chosen ? "true" : null, "data-value": option.value,
          onclick: () => this.#choose(index),
          onpointermove: () => this.#activate(index, false),
        },
        option.emoji && h("span", { class: "option-emoji" }, drawPartialEmoji(option.emoji)),
        h("span", { class: "option-words" }, h("span", { class: "option-label" }, option.label), option.description && h("span", { class: "option-description" }, option.description)),
        this.#max > 1 ? h("span", { class: chosen ? "tick on" : "tick", "aria-hidden": "true" }, chosen && icon("check", 16)) : chosen && h("span", { class: "round-tick", "aria-hidden": "true" }, icon("check", 14)),
      );
    });
    if (rows.length === 0) rows.push(h("p", { class: "option-none" }, "There is nothing to choose from."));
    const finish = this.#max > 1 && h("button", { type: "button", class: "button primary select-finish", tabindex: "-1", onclick: () => this.close() }, `Done · ${this.#chosen.length} of ${this.#max}`);
    this.#list.replaceChildren(...rows, ...(finish ? [finish] : []));
    this.#mark();
  }

  #choose(index) {
    const { value } = this.#options[index];
    const has = this.#chosen.includes(value);
    if (this.#max === 1) {
      this.#chosen = has && this.#min === 0 ? [] : [value];
      this.#drawFace();
      this.close();
      this.element.focus();
      return;
    }
    if (!has && this.#chosen.length >= this.#max) return;
    this.#chosen = has ? this.#chosen.filter((other) => other !== value) : [...this.#chosen, value];
    this.#drawFace();
    this.#drawList();
    this.element.focus();
  }

  #activate(index, scroll = true) {
    if (this.#options.length === 0) return;
    this.#active = (index + this.#options.length) % this.#options.length;
    this.#mark();
    if (scroll) this.#list.querySelectorAll(".option")[this.#active]?.scrollIntoView({ block: "nearest" });
  }

  #mark() {
    this.#list.querySelectorAll(".option").forEach((row, index) => row.classList.toggle("active", index === this.#active));
    if (this.#active >= 0) this.element.setAttribute("aria-activedescendant", `${this.listId}-${this.#active}`);
  }

  #keyed(event) {
    if (!this.#list) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.open();
      }
      return;
    }
    const moves = { ArrowDown: this.#active + 1, ArrowUp: this.#active - 1, Home: 0, End: this.#options.length - 1 };
    if (event.key in moves) this.#activate(moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.#options[this.#active] && this.#choose(this.#active);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab") return this.close();
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) this.#search(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Typing goes to the next option that begins so. */
  #search(character) {
    const now = Date.now();
    this.#typed = now - this.#typedAt > 800 ? character : this.#typed + character;
    this.#typedAt = now;
    const found = this.#options.findIndex((option) => option.label.toLowerCase().startsWith(this.#typed.toLowerCase()));
    if (found !== -1) this.#activate(found);
  }

  /** Under the box, or over it where there is more room. */
  #position() {
    const box = this.element.getBoundingClientRect();
    const layer = this.#layer.getBoundingClientRect();
    const below = layer.bottom - box.bottom - GAP * 2;
    const above = box.top - layer.top - GAP * 2;
    const wanted = Math.min(TALLEST, this.#list.scrollHeight + 2);
    const under = below >= wanted || below >= above;
    const { style } = this.#list;
    style.left = `${box.left - layer.left}px`;
    style.width = `${box.width}px`;
    style.maxHeight = `${Math.min(TALLEST, under ? below : above)}px`;
    style.top = under ? `${box.bottom - layer.top + GAP}px` : "auto";
    style.bottom = under ? "auto" : `${layer.bottom - box.top + GAP}px`;
  }
}
