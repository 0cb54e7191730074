// Asking the bot for an option's choices while it is typed: not at every key, and only the newest answer counts.

const PAUSE_MS = 160;

export class Autocomplete {
  #ask;
  #onChange;
  #timer = null;
  #nonce = null;
  #answers = new Map();
  #off;

  constructor({ store, ask, onChange }) {
    this.#ask = ask;
    this.#onChange = onChange;
    this.#off = [
      store.on("choices", (answer) => this.#answered(answer.nonce, answer.choices)),
      store.on("refused", (answer) => this.#answered(answer.nonce, [])),
      store.on("connection", () => this.#answered(this.#nonce, [])),
    ];
  }

  get isWaiting() {
    return this.#timer !== null || this.#nonce !== null;
  }

  /** The last choices for this chip, or null when none have come yet. */
  choicesFor(chip) {
    return this.#answers.get(chip.option.name) ?? null;
  }

  /** The text changed (or, `now`, the chip was entered). */
  typed(chip, now = false) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.chip = chip;
      this.#nonce = this.#ask(chip);
      this.#onChange();
    }, now ? 0 : PAUSE_MS);
  }

  close() {
    clearTimeout(this.#timer);
    this.#off.forEach((off) => off());
  }

  #answered(nonce, choices) {
    if (nonce === null || nonce !== this.#nonce) return;
    this.#nonce = null;
    this.#answers.set(this.chip.option.name, choices);
    this.#onChange();
  }
}
