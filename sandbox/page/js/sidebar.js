// The list on the left: the server's channels and threads, direct messages, the bot as an app, and who I am.

import { h } from "./dom.js";
import { channelIcon, icon } from "./icons.js";
import { appTag, avatar, displayName } from "./avatar.js";
import { SERVER } from "./commands.js";
import { NewMessage } from "./new-message.js";

const CATEGORY = 4;
// The languages of Discord's client, English first.
const LANGUAGES = "en-US en-GB bg cs da de el es-419 es-ES fi fr hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW".split(" ");
const isThread = (channel) => channel.type >= 10 && channel.type <= 12;

export class Sidebar {
  #client;
  #store;

  constructor(client) {
    this.#client = client;
    this.#store = client.store;
    this.title = h("h2", { class: "server-name" }, "…");
    this.list = h("div", { class: "channel-list" });
    this.me = h("div", { class: "me" });
    this.element = h("nav", { class: "sidebar", "aria-label": "Channels" },
      h("header", { class: "server-head" }, this.title, h("button", { type: "button", class: "icon-button drawer-close", "aria-label": "Close channels", onclick: () => client.openDrawer(false) }, icon("close"))),
      this.list, this.me);
    for (const signal of ["ready", "channels", "unread", "selected", "presence"]) this.#store.on(signal, () => this.#draw());
    this.#store.on("ready", () => this.#drawMe());
    this.#store.on("dms", () => this.#drawMe());
  }

  focus() {
    (this.list.querySelector("[aria-current]") ?? this.list.querySelector("button"))?.focus();
  }

  #draw() {
    const { guild } = this.#store;
    if (!guild) return;
    this.title.textContent = guild.name;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.channelId : null;
    const byPlace = (a, b) => (a.position ?? 0) - (b.position ?? 0);
    const all = [...this.#store.channels.values()];
    const open = all.filter((channel) => channel.type !== CATEGORY && this.#store.contextOf(channel) === SERVER && !isThread(channel)).sort(byPlace);
    const under = (parent) => open.filter((channel) => (channel.parent_id ?? null) === parent);
    const categories = all.filter((channel) => channel.type === CATEGORY).sort(byPlace);
    const known = new Set(categories.map((category) => category.id));
    this.list.replaceChildren(
      this.#group("Text channels", open.filter((channel) => !known.has(channel.parent_id))),
      ...categories.map((category) => this.#group(category.name, under(category.id))),
      this.#direct(),
      this.#apps(),
    );
    if (focused) this.list.querySelector(`[data-channel-id="${CSS.escape(focused)}"]`)?.focus();
  }

  #group(name, channels) {
    if (channels.length === 0) return "";
    return h("section", { class: "channel-group" }, h("h3", {}, name), h("ul", {}, channels.map((channel) => h("li", {}, this.#row(channel), this.#threads(channel)))));
  }

  #threads(channel) {
    const threads = [...this.#store.channels.values()].filter((other) => isThread(other) && other.parent_id === channel.id && (other.id === this.#store.selected || !this.#store.isArchived(other.id)));
    return threads.length > 0 && h("ul", { class: "threads" }, threads.map((thread) => h("li", {}, this.#row(thread))));
  }

  #row(channel) {
    const { count, mentions } = this.#store.unread(channel.id);
    const current = channel.id === this.#store.selected;
    const name = this.#store.nameOf(channel);
    const direct = this.#store.contextOf(channel) !== SERVER;
    return h(
      "button",
      {
        type: "button", class: ["channel", direct && "direct", current && "current", count > 0 && !current && "unread"].filter(Boolean).join(" "), "data-channel-id": channel.id, "data-channel-name": name, "data-unread": count,
        "aria-current": current ? "page" : null, onclick: () => this.#client.select(channel.id),
      },
      channel.type === 1 ? avatar(this.#store.partner(channel), 32) : direct ? h("span", { class: "group-face" }, icon("people")) : icon(channelIcon(channel)), h("span", { class: "channel-name" }, name), badge(mentions), count > 0 && h("span", { class: "visually-hidden" }, ` ${count} unread`),
    );
  }

  #direct() {
    const channel = this.#store.directChannel();
    const user = this.#store.partner(channel);
    if (!user) return h("section", { class: "channel-group" }, h("h3", {}, "Direct messages"), h("p", { class: "quiet" }, "Fifteen Two is starting…"));
    const { count, mentions } = channel ? this.#store.unread(channel.id) : { count: 0, mentions: 0 };
    const current = channel !== null && channel.id === this.#store.selected;
    const online = this.#store.botOnline;
    const begin = h("button", { type: "button", class: "icon-button", "aria-label": "New message", "data-channel-id": "new", onclick: () => new NewMessage(this.#client) }, icon("plus", 16));
    return h("section", { class: "channel-group" }, h("header", { class: "group-head" }, h("h3", {}, "Direct messages"), begin), h("ul", {}, h("li", {}, h(
      "button",
      {
        type: "button", class: ["channel direct", current && "current", count > 0 && !current && "unread"].filter(Boolean).join(" "), "data-channel-id": channel?.id ?? "dm", "data-direct": "true", "data-unread": count,
        "aria-current": current ? "page" : null, onclick: () => this.#client.openDirect(),
      },
      h("span", { class: "face" }, avatar(user, 32), h("span", { class: online ? "dot online" : "dot" })),
      h("span", { class: "channel-name" }, displayName(user)), appTag(), badge(mentions),
      h("span", { class: "visually-hidden" }, `${online ? " online" : " offline"}${count > 0 ? `, ${count} unread` : ""}`),
    )), this.#store.betweenPeople().map((other) => h("li", {}, this.#row(other)))));
  }

  /** The bot as an app that a person adds for themselves, wherever they are. */
  #apps() {
    const { app, bot } = this.#store;
    if (!bot) return "";
    const words = app.is_mine ? "Goes where you go" : app.is_for_people ? "For any server and DM" : "For servers alone";
    const change = h("button", { type: "button", class: app.is_mine ? "button secondary" : "button primary", "data-channel-id": "app", "data-app": app.is_mine ? "remove" : "add", "aria-label": `${app.is_mine ? "Remove" : "Add"} ${displayName(bot)}`, onclick: () => this.#client.keepApp(!app.is_mine) }, h("span", { class: "button-face" }, app.is_mine ? "Remove" : "Add"));
    return h("section", { class: "channel-group" }, h("h3", {}, "Apps"), h("div", { class: "app-row" }, avatar(bot, 32), h("span", { class: "me-words" }, h("strong", {}, displayName(bot)), h("small", {}, words)), (app.is_mine || app.is_for_people) && change));
  }

  #drawMe() {
    const { me, dmsOpen, locale } = this.#store;
    const open = this.me.querySelector("[aria-expanded=true]") !== null;
    const panel = h("div", { class: "settings", id: `${this.#client.key}-settings`, hidden: !open, role: "group", "aria-label": "Settings" },
      h("label", { class: "switch-row" }, h("span", {}, h("strong", {}, "Allow direct messages"), h("small", {}, "from members of this server, and so from the bot")),
        h("input", { type: "checkbox", role: "switch", class: "switch", checked: dmsOpen, onchange: (event) => this.#client.allowDms(event.target.checked) })),
      h("label", { class: "switch-row" }, h("span", {}, h("strong", {}, "Language"), h("small", {}, "of commands, times and private answers")),
        h("select", { class: "language", onchange: (event) => this.#client.speak(event.target.value) }, LANGUAGES.map((code) => h("option", { value: code, selected: code === locale }, languageName(code))))));
    const gear = h("button", { type: "button", class: "icon-button", "aria-label": "Settings", "aria-expanded": String(open), "aria-controls": panel.id }, icon("gear"));
    gear.addEventListener("click", () => {
      panel.hidden = !panel.hidden;
      gear.setAttribute("aria-expanded", String(!panel.hidden));
    });
    const hadFocus = ["switch", "language"].find((name) => this.me.contains(document.activeElement) && document.activeElement.classList.contains(name));
    this.me.replaceChildren(panel, h("div", { class: "me-row" }, h("span", { class: "face" }, avatar(me, 32), h("span", { class: "dot online" })),
      h("span", { class: "me-words" }, h("strong", {}, displayName(me)), h("small", {}, `@${me.username}`)), gear));
    if (hadFocus) panel.querySelector(`.${hadFocus}`).focus();
  }
}

/** A language by its own name, e.g. "français". */
function languageName(code) {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

function badge(count) {
  return count > 0 && h("span", { class: "badge", "aria-hidden": "true" }, count > 99 ? "99+" : String(count));
}
