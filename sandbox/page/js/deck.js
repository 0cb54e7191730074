// The deck: whose clients are on screen, alone or side by side, and the bar that changes it.

import { add, h } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, displayName } from "./avatar.js";
import { Client } from "./client.js";
import { writeAddress } from "./address.js";
import { remember } from "./memory.js";
import { currentTheme, toggleTheme } from "./theme.js";

const narrow = matchMedia("(max-width: 600px)");

export class Deck {
  #people;
  #clients = new Map();
  #onScreen;
  #side;
  #front;
  #channel;
  #onLost;
  #loadedAt;

  /** `onLost` hears of every connection that breaks. */
  constructor(root, people, { names, channel, loadedAt, onLost }) {
    this.#people = people;
    this.#loadedAt = loadedAt;
    this.#onLost = onLost;
    const named = (names ?? []).map((name) => people.find((person) => [displayName(person), person.username, person.id].some((word) => word.toLowerCase() === name.toLowerCase()))).filter(Boolean);
    this.#onScreen = [...new Set(named.length > 0 ? named : people.slice(0, 1))];
    this.#side = this.#onScreen.length > 1;
    [this.#front] = this.#onScreen;
    this.#channel = channel;
    this.seats = h("div", { class: "seats", role: "group", "aria-label": "Whose Discord is on screen" });
    this.words = h("span", { class: "bar-words" });
    this.together = h("button", { type: "button", class: "bar-button together", onclick: () => this.#toggleSide() }, icon("columns"), h("span", {}, "Side by side"));
    this.themeButton = h("button", { type: "button", class: "bar-button theme-toggle", onclick: () => this.#toggleTheme() });
    this.bar = h("header", { class: "bar" }, h("span", { class: "brand" }, h("img", { src: "/static/icon.svg", alt: "", width: 22, height: 22 }), h("strong", {}, "Fifteen Two")), this.words, this.seats, h("span", { class: "bar-space" }), this.together, this.themeButton);
    this.board = h("main", { class: "board" });
    root.replaceChildren(this.bar, this.board);
    narrow.addEventListener("change", () => this.#lay());
    document.addEventListener("keydown", (event) => this.#typedAnywhere(event));
    document.addEventListener("visibilitychange", () => this.#clients.forEach((client) => client.seen()));
    this.#drawTheme();
    this.#lay();
  }

  #lay() {
    for (const [person, client] of this.#clients) {
      if (this.#onScreen.includes(person)) continue;
      client.close();
      this.#clients.delete(person);
    }
    for (const person of this.#onScreen) {
      if (!this.#clients.has(person)) this.#clients.set(person, new Client(person, { channel: this.#channel, loadedAt: this.#loadedAt, onUnread: () => this.#drawMarks(), onLost: () => this.#onLost() }));
    }
    const shown = this.#onScreen.filter((person) => !narrow.matches || person === this.#front);
    let place = null;
    for (const person of this.#onScreen) {
      const { element } = this.#clients.get(person);
      const wanted = place ? place.nextSibling : this.board.firstChild;
      if (element !== wanted) this.board.insertBefore(element, wanted);
      place = element;
    }
    this.board.dataset.count = shown.length;
    for (const [person, client] of this.#clients) client.show(shown.includes(person));
    this.#drawSeats(shown);
    writeAddress({ names: this.#onScreen.map(displayName) });
    remember("as", this.#onScreen.map(displayName));
  }

  #drawSeats(shown) {
    const focused = this.seats.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
    this.seats.replaceChildren(...this.#people.map((person) => {
      const on = shown.includes(person);
      const name = displayName(person);
      return h(
        "button",
        { type: "button", class: on ? "seat on" : "seat", "data-seat": name, "aria-pressed": String(on), "data-open": String(this.#onScreen.includes(person)), title: this.#side && !narrow.matches ? `${on ? "Take away" : "Add"} ${name}` : `Be ${name}`, onclick: () => this.#press(person) },
        avatar(person, 26), h("span", { class: "seat-name" }, name), h("span", { class: "seat-badge", hidden: true }),
      );
    }));
    this.words.textContent = this.#side ? "On screen" : "You are";
    this.together.setAttribute("aria-pressed", String(this.#side));
    this.#drawMarks();
    if (focused) this.seats.querySelector(`[data-seat="${CSS.escape(focused)}"]`)?.focus();
  }

  #drawMarks() {
    let all = 0;
    for (const [person, client] of this.#clients) {
      const count = client.mentions();
      all += count;
      const mark = this.seats.querySelector(`[data-seat="${CSS.escape(displayName(person))}"] .seat-badge`);
      if (!mark) continue;
      mark.hidden = count === 0;
      mark.textContent = String(count);
    }
    document.title = all > 0 ? `(${all}) Fifteen Two` : "Fifteen Two";
  }

  #press(person) {
    const at = this.#onScreen.indexOf(person);
    this.#channel = null;
    if (!this.#side) this.#onScreen = [person];
    else if (narrow.matches) at === -1 && this.#onScreen.push(person);
    else if (at === -1) this.#onScreen = this.#people.filter((other) => other === person || this.#onScreen.includes(other));
    else if (this.#onScreen.length > 1) this.#onScreen = this.#onScreen.filter((other) => other !== person);
    this.#front = this.#onScreen.includes(person) ? person : this.#onScreen[0];
    this.#lay();
  }

  /** Whoever types without having chosen a field means the composer. */
  #typedAnywhere(event) {
    if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, [role=combobox], [role=dialog]") || document.querySelector("[role=dialog]")) return;
    const shown = this.#onScreen.filter((person) => !this.#clients.get(person).element.hidden);
    const own = shown.find((person) => this.#clients.get(person).element.contains(event.target)) ?? (shown.length === 1 ? shown[0] : null);
    if (own) this.#clients.get(own).focusComposer();
  }

  #toggleSide() {
    this.#side = !this.#side;
    if (!this.#side) this.#onScreen = [this.#front];
    else if (this.#onScreen.length === 1) {
      const next = this.#people[(this.#people.indexOf(this.#front) + 1) % this.#people.length];
      this.#onScreen = this.#people.filter((person) => person === this.#front || person === next);
    }
    this.#lay();
  }

  #toggleTheme() {
    toggleTheme();
    this.#drawTheme();
  }

  #drawTheme() {
    const dark = currentTheme() === "dark";
    this.themeButton.replaceChildren();
    add(this.themeButton, icon(dark ? "sun" : "moon"));
    this.themeButton.setAttribute("aria-label", dark ? "Light theme" : "Dark theme");
    this.themeButton.title = dark ? "Light theme" : "Dark theme";
  }
}
