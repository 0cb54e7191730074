// A command being written in the composer: its name, a chip for each option in use, and a last place to type
// the name of another option. Keys: Tab to the next, Backspace out of an empty one, Enter sends, Escape leaves.

import { h } from "./dom.js";
import { avatar } from "./avatar.js";
import { Autocomplete } from "./autocomplete.js";
import { Chip } from "./chip.js";
import { matching, optionData } from "./commands.js";

export class CommandForm {
  #world;
  #suggestions;
  #chips = [];
  #focused = null;
  #onSend;
  #onCancel;
  #autocomplete;
  #listsOptions = false;

  /** `ask(options)` sends an autocomplete request and gives its nonce. */
  constructor(entry, { world, suggestions, store, ask, onSend, onCancel }) {
    this.entry = entry;
    this.#world = world;
    this.#suggestions = suggestions;
    this.#onSend = onSend;
    this.#onCancel = onCancel;
    this.#autocomplete = new Autocomplete({ store, ask: (chip) => ask(this.#data(chip)), onChange: () => this.#suggest() });
    this.tail = h("input", { type: "text", class: "command-tail", "aria-label": "Another option", role: "combobox", "aria-expanded": "false", autocomplete: "off", spellcheck: "false", oninput: () => this.#tailTyped(), onkeydown: (event) => this.#tailKeyed(event), onfocus: () => this.#focus(null) });
    this.row = h("span", { class: "chips" });
    this.optional = h("div", { class: "optional" });
    this.error = h("p", { class: "command-error", role: "alert" });
    this.element = h("div", { class: "command-form", role: "group", "aria-label": `Command /${entry.name}` },
      h("div", { class: "command-line" }, store.bot && avatar(store.bot, 20), h("span", { class: "command-name" }, `/${entry.name}`), this.row, this.tail), this.optional, this.error);
    entry.options.filter((option) => option.required).forEach((option) => this.#put(option));
    this.#drawOptional();
  }

  /** Fills in typed values; unknown options are left out. */
  fill(values) {
    for (const option of this.entry.options) {
      if (values.has(option.name)) (this.#chip(option.name) ?? this.#put(option)).write(values.get(option.name));
    }
    this.#drawOptional();
  }

  focus() {
    (this.#chips.find((chip) => chip.text === "")?.input ?? this.tail).focus();
  }

  close() {
    this.#autocomplete.close();
    this.#suggestions.hide();
  }

  /** Sends the command, or marks what is missing and goes there. */
  submit() {
    const wrong = this.#chips.filter((chip) => {
      if (chip.text.trim() === "" && !chip.option.required) return false;
      chip.complain(chip.read().error ?? null);
      return chip.error !== null;
    });
    if (wrong.length > 0) {
      this.error.textContent = `${wrong[0].option.name}: ${wrong[0].error}`;
      wrong[0].input.focus();
      return false;
    }
    this.#onSend(this.entry, this.#data());
    return true;
  }

  /** Adds an option and goes to it. */
  use(option) {
    const chip = this.#chip(option.name) ?? this.#put(option);
    this.tail.value = "";
    this.#drawOptional();
    chip.input.focus();
  }

  #data(asking = null) {
    const leaves = this.#chips.filter((chip) => chip === asking || chip.text.trim() !== "").map((chip) => {
      const { key: name, type } = chip.option;
      if (chip === asking) return { name, type, value: chip.text, focused: true };
      const { value = chip.text } = chip.read();
      return { name, type, value };
    });
    return optionData(this.entry, leaves);
  }

  #chip(name) {
    return this.#chips.find((chip) => chip.option.name === name) ?? null;
  }

  #unused() {
    return this.entry.options.filter((option) => !this.#chip(option.name));
  }

  #put(option) {
    const chip = new Chip(option, {
      world: this.#world,
      onInput: (changed) => {
        this.error.textContent = "";
        if (this.#movesOn(changed)) return;
        this.#suggest();
        if (changed.option.autocomplete) this.#autocomplete.typed(changed);
      },
      onKey: (event, at) => this.#chipKeyed(event, at),
      onFocus: (at) => this.#focus(at),
    });
    this.#chips.push(chip);
    this.row.append(chip.element);
    return chip;
  }

  /** "name:" typed inside a value: of the same option it is left out, of another it goes on to that one. */
  #movesOn(chip) {
    if (chip.text === `${chip.option.name}:`) chip.write("");
    const typed = /^(.*?)\s+([\p{L}\p{N}_-]+):$/u.exec(chip.text);
    const option = typed && this.entry.options.find((one) => one.name === typed[2] && !this.#chip(one.name)?.text);
    if (!option) return false;
    chip.write(typed[1].trim());
    this.use(option);
    return true;
  }

  #drop(chip) {
    const at = this.#chips.indexOf(chip);
    this.#chips.splice(at, 1);
    chip.element.remove();
    this.#drawOptional();
    (this.#chips[at - 1]?.input ?? this.tail).focus();
  }

  #drawOptional() {
    const unused = this.#unused();
    this.tail.placeholder = unused.length > 0 ? `+${unused.length} optional` : "";
    this.optional.replaceChildren(...unused.map((option) => h("button", { type: "button", class: "optional-option", title: option.description, "data-add-option": option.name, onclick: () => this.use(option) }, `+ ${option.name}`)));
    this.optional.hidden = unused.length === 0;
  }

  #focus(chip) {
    this.#focused = chip;
    this.#listsOptions = false;
    if (chip?.option.autocomplete && !chip.isSettled) this.#autocomplete.typed(chip, true);
    this.#suggest();
  }

  #suggest() {
    const chip = this.#focused;
    if (chip === null) return this.#suggestOptions();
    const { option } = chip;
    const title = [h("strong", {}, option.name), h("span", {}, option.description ?? ""), limits(option)];
    const answered = option.autocomplete ? this.#autocomplete.choicesFor(chip) : chip.choices();
    // Until the bot has answered for the newest text, only what fits it may be taken.
    const offered = answered && this.#autocomplete.isWaiting ? matching(answered, chip.text) : answered;
    const none = option.autocomplete
      ? this.#autocomplete.isWaiting ? "Loading options…" : offered ? "No options match your search." : null
      : offered ? "No choices match." : null;
    this.#suggestions.show({
      input: chip.input, title, first: !chip.isSettled && !(option.autocomplete && chip.text === "" && !option.required),
      items: (offered ?? []).map((choice) => ({ key: String(choice.value), value: choice, content: drawChoice(choice) })),
      empty: none,
      onChoose: ({ value }) => this.#settle(chip, value),
    });
  }

  /** In the last place: what the command does and, once asked for, the options it can still take. */
  #suggestOptions() {
    const typed = this.tail.value.trim().toLowerCase();
    const listed = typed !== "" || this.#listsOptions;
    const unused = listed ? this.#unused().filter((option) => option.name.startsWith(typed)) : [];
    this.#suggestions.show({
      input: this.tail, title: [h("strong", {}, `/${this.entry.name}`), h("span", {}, this.entry.description)], first: listed,
      items: unused.map((option) => ({ key: option.name, value: option, content: [h("span", { class: "suggestion-name" }, option.name), h("span", { class: "suggestion-description" }, option.description)] })),
      empty: typed !== "" ? "No such option." : null,
      onChoose: ({ value }) => this.use(value),
    });
  }

  #settle(chip, choice) {
    chip.settle(choice);
    this.#next(chip);
  }

  /** To the next option without a value, else to the last place. */
  #next(chip) {
    const later = this.#chips.slice(this.#chips.indexOf(chip) + 1);
    (later.find((other) => other.text === "")?.input ?? this.tail).focus();
  }

  #chipKeyed(event, chip) {
    const list = this.#suggestions;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (list.move(key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      if (!chip.isSettled && list.active) list.choose();
      else this.#next(chip);
    } else if (key === "Enter") {
      event.preventDefault();
      const choice = chip.isSettled ? null : list.active?.value;
      if (choice && !isExactly(choice, chip.text)) return void list.choose();
      if (choice) chip.settle(choice);
      this.submit();
    } else if (key === "Backspace" && chip.text === "") {
      event.preventDefault();
      this.#backOut(chip);
    } else if (key === "Escape") {
      event.stopPropagation();
      this.#onCancel("");
    }
  }

  #backOut(chip) {
    if (!chip.option.required) return this.#drop(chip);
    const before = this.#chips[this.#chips.indexOf(chip) - 1];
    if (before) before.input.focus();
    else this.#onCancel(`/${this.entry.name}`);
  }

  #tailTyped() {
    const typed = /^\s*([\p{L}\p{N}_-]+):(.*)$/u.exec(this.tail.value);
    const option = typed && this.#unused().find((one) => one.name === typed[1]);
    if (option) {
      this.use(option);
      return;
    }
    this.#suggest();
  }

  #tailKeyed(event) {
    const list = this.#suggestions;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (list.move(key === "ArrowDown" ? 1 : -1)) return;
      this.#listsOptions = true;
      this.#suggest();
    } else if (key === "Tab" && !event.shiftKey && this.#unused().length > 0) {
      event.preventDefault();
      if (!list.choose()) this.use(this.#unused()[0]);
    } else if (key === "Enter") {
      event.preventDefault();
      if (list.active) list.choose();
      else this.submit();
    } else if (key === "Backspace" && this.tail.value === "") {
      event.preventDefault();
      const last = this.#chips.at(-1);
      if (last) last.input.focus();
      else this.#onCancel(`/${this.entry.name}`);
    } else if (key === "Escape") {
      event.stopPropagation();
      this.#onCancel("");
    }
  }
}

/** Whether a choice is just what was typed, so that Enter need not be asked twice. */
function isExactly(choice, text) {
  const typed = text.trim().replace(/^[@#]/, "").toLowerCase();
  return typed !== "" && [choice.name, String(choice.value)].some((word) => word.toLowerCase() === typed);
}

function limits({ min_value: least, max_value: most }) {
  if (least === undefined && most === undefined) return null;
  return h("small", {}, least !== undefined && most !== undefined ? `${least} to ${most}` : least !== undefined ? `at least ${least}` : `at most ${most}`);
}

function drawChoice(choice) {
  return [choice.user && avatar(choice.user, 24), h("span", { class: "suggestion-name" }, choice.channel ? `#${choice.name}` : choice.name), choice.user && h("span", { class: "suggestion-description" }, `@${choice.user.username}`)].filter(Boolean);
}
