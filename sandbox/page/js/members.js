// The member list on the right of wide clients: the people of this server and the bot, with who is online.

import { h } from "./dom.js";
import { BETWEEN_PEOPLE, BOT_DM } from "./commands.js";
import { icon } from "./icons.js";
import { appTag, avatar, displayName } from "./avatar.js";
import { recall, remember } from "./memory.js";

export class Members {
  #store;

  constructor(client) {
    this.#store = client.store;
    this.element = h("aside", { class: "members", "aria-label": "Members", hidden: !recall("members", true) });
    this.button = h("button", { type: "button", class: "icon-button members-button", "aria-label": "Member list", "aria-pressed": String(!this.element.hidden), onclick: () => this.#toggle() }, icon("people", 22));
    this.#store.on("ready", () => this.#draw());
    this.#store.on("presence", () => this.#draw());
    this.#store.on("selected", () => this.#draw());
  }

  #toggle() {
    this.element.hidden = !this.element.hidden;
    this.button.setAttribute("aria-pressed", String(!this.element.hidden));
    remember("members", !this.element.hidden);
  }

  #draw() {
    const { people, bot, botOnline, me } = this.#store;
    const channel = this.#store.channels.get(this.#store.selected);
    const context = this.#store.contextOf(channel);
    const listed = context === BETWEEN_PEOPLE ? channel.recipients.map((user) => this.#store.user(user.id) ?? user) : context === BOT_DM ? people.filter((person) => person.id === me.id) : people;
    this.element.replaceChildren(
      h("h2", {}, `People — ${listed.length}`), h("ul", {}, listed.map((person) => this.#row(person, true))),
      ...(bot && context !== BETWEEN_PEOPLE ? [h("h2", {}, botOnline ? "Bot — online" : "Bot — offline"), h("ul", {}, this.#row(bot, botOnline))] : []),
    );
  }

  #row(user, online) {
    return h("li", {}, h("button", { type: "button", class: online ? "member" : "member offline", "data-user-id": user.id, onclick: (event) => this.#store.room.person(user, event.currentTarget) },
      h("span", { class: "face" }, avatar(user, 32), h("span", { class: online ? "dot online" : "dot" })),
      h("span", { class: "member-name" }, displayName(user)), user.bot && appTag()));
  }
}
