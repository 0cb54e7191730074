// One option of a command being written: its name and a place for its value.

import { h } from "./dom.js";
import { fixedChoices, matching, readValue, TYPE } from "./commands.js";

const KINDS = { 3: "text", 4: "whole number", 5: "true or false", 6: "person", 7: "channel", 8: "role", 9: "person or role", 10: "number" };

export class Chip {
  #chosen = null;

  constructor(option, { world, onInput, onKey, onFocus }) {
    this.option = option;
    this.world = world;
    this.input = h("input", {
      type: "text", class: "chip-input", size: 1, autocomplete: "off", spellcheck: "false", role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list",
      inputmode: option.type === TYPE.INTEGER || option.type === TYPE.NUMBER ? "numeric" : null,
      "aria-label": `${option.name}, ${KINDS[option.type] ?? "text"}${option.required ? ", required" : ""}: ${option.description ?? ""}`,
      oninput: () => {
        this.#chosen = null;
        this.#fit();
        this.complain(null);
        onInput(this);
      },
      onkeydown: (event) => onKey(event, this),
      onfocus: () => onFocus(this),
      onblur: () => this.text !== "" && this.complain(this.read().error ?? null),
    });
    this.element = h("span", { class: option.required ? "chip required" : "chip", "data-option": option.name, onclick: () => this.input.focus() }, h("span", { class: "chip-name" }, option.name), this.input);
    this.#fit();
  }

  get text() {
    return this.input.value;
  }

  get isSettled() {
    return this.#chosen !== null;
  }

  /** Typed text, as if the person had typed it. */
  write(text) {
    this.input.value = text;
    this.#chosen = null;
    this.#fit();
  }

  /** A choice from the list: its name is shown, its value is sent. */
  settle(choice) {
    this.input.value = choice.name;
    this.#chosen = choice;
    this.#fit();
    this.complain(null);
  }

  /** {value}, or {error} when the text does not do. */
  read() {
    return this.#chosen ? { value: this.#chosen.value } : readValue(this.option, this.text, this.world);
  }

  /** The fixed choices that fit the text, or null when the option has none. */
  choices() {
    const all = fixedChoices(this.option, this.world);
    return all && matching(all, this.#chosen ? "" : this.text);
  }

  complain(error) {
    this.element.classList.toggle("wrong", error !== null);
    this.input.setAttribute("aria-invalid", String(error !== null));
    this.error = error;
  }

  #fit() {
    this.input.style.width = `${Math.max(2, this.input.value.length + 1)}ch`;
    this.element.classList.toggle("settled", this.#chosen !== null);
  }
}
