// One person's Discord: a complete client with its own connection, selected channel, composer and dialogs.

import { h } from "./dom.js";
import { BOT_DM } from "./commands.js";
import { channelIcon, icon } from "./icons.js";
import { Composer } from "./composer.js";
import { Members } from "./members.js";
import { Messages } from "./messages.js";
import { Modal } from "./modal.js";
import { Sidebar } from "./sidebar.js";
import { Socket } from "./socket.js";
import { Store } from "./store.js";
import { Toasts } from "./toasts.js";
import { openPersonMenu } from "./person-menu.js";
import { avatar, displayName } from "./avatar.js";
import { recall, remember } from "./memory.js";

const FIRST_CHANNEL = "cribbage";
// Under a finger, focus would bring up the keyboard over the talk.
const finePointer = matchMedia("(pointer: fine)");
let clients = 0;

export class Client {
  /** The selects of the messages on screen, by "message/custom_id": they keep what was chosen. */
  selects = new Map();
  #wanted;
  /** Which channel to go to as soon as it is there. */
  #awaited = null;
  #visible = true;
  #notice = null;

  /** `channel` is the name of the channel to begin in; `onUnread` hears that the marks changed, `onLost` that
   * the connection is gone. */
  constructor(person, { channel = null, loadedAt = null, onUnread = () => {}, onLost = () => {} }) {
    clients += 1;
    this.key = `c${clients}`;
    this.person = person;
    this.#wanted = channel;
    this.store = new Store(person);
    Object.assign(this.store.room, {
      jump: (target) => this.jump(target),
      command: (name) => this.composer.begin(name),
      person: (user, anchor) => openPersonMenu(this, user, anchor),
    });
    this.layer = h("div", { class: "layer" });
    this.messages = new Messages(this);
    this.composer = new Composer(this);
    this.sidebar = new Sidebar(this);
    this.members = new Members(this);
    this.toasts = new Toasts(this);
    this.strip = h("div", { class: "strip", role: "status", hidden: true });
    this.head = h("div", { class: "pane-title" });
    this.menuButton = h("button", { type: "button", class: "icon-button menu-button", "aria-label": "Channels", "aria-expanded": "false", onclick: () => this.openDrawer(true) }, icon("menu", 24), h("span", { class: "menu-mark", hidden: true }));
    const who = displayName(person);
    this.element = h(
      "section", { class: "client", "aria-label": `${who}'s Discord`, "data-person": who, "data-user-id": person.id, "data-ready": "false", style: { "--mine": person.color ?? "#5865f2" } },
      h("div", { class: "frame" },
        this.sidebar.element,
        h("div", { class: "veil", onclick: () => this.openDrawer(false) }),
        h("div", { class: "pane", role: "region", "aria-label": "Talk" },
          h("header", { class: "pane-head" }, this.menuButton, this.head, h("span", { class: "whose" }, avatar(person, 24), h("span", {}, who)), this.members.button),
          this.strip, h("div", { class: "pane-body" }, h("div", { class: "pane-talk" }, this.messages.element, this.composer.element), this.members.element))),
      this.toasts.element, this.layer,
    );
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.openDrawer(false));
    this.store.on("ready", () => this.#ready());
    this.store.on("channels", (channel) => this.#channelsChanged(channel));
    this.store.on("selected", () => this.#drawHead());
    this.store.on("connection", () => this.#drawStrip());
    this.store.on("presence", () => this.#drawStrip());
    this.store.on("modal", (data) => new Modal(this, data));
    this.store.on("refused", ({ message, nonce }) => nonce === this.#notice && this.#say(message));
    this.store.on("unread", () => {
      this.#drawMenuMark();
      onUnread();
    });
    this.socket = new Socket({ user: person.id, ...(loadedAt && { loaded_at: loadedAt }) }, {
      onEvent: (type, data) => this.store.apply(type, data),
      onState: (state) => {
        this.store.connection(state === "open");
        if (state === "lost") onLost();
      },
    });
    this.#drawStrip();
  }

  /** Sends a request and remembers it as under way; gives its nonce, or null without a connection. */
  request(op, data, entry) {
    const nonce = this.socket.send(op, data);
    if (nonce !== null) this.store.pending.begin(nonce, entry);
    return nonce;
  }

  press(message, component, values) {
    if (this.store.pending.busy(message.id)) return;
    const data = { channel_id: message.channel_id, message_id: message.id, custom_id: component.custom_id, component_type: component.type };
    if (values) data.values = values;
    this.request("component", data, { kind: "component", channelId: message.channel_id, messageId: message.id, customId: component.custom_id });
  }

  /** Uses a command on somebody, from the menu on their name. */
  useOn(command, user) {
    const channelId = this.store.selected;
    const data = { channel_id: channelId, command_id: command.id, user_id: user.id };
    const nonce = this.request("user_command", data, { kind: "command", channelId, name: command.name, onPerson: true });
    if (nonce === null) this.#say("There is no connection at the moment.");
    else this.messages.toBottom();
  }

  /** Whether the person is looking at this channel. */
  looksAt(channelId) {
    return this.#visible && !document.hidden && this.store.selected === channelId;
  }

  dismiss(message) {
    if (this.socket.send("dismiss", { channel_id: message.channel_id, message_id: message.id }) === null) return;
    this.store.apply("MESSAGE_DELETE", { id: message.id, channel_id: message.channel_id });
    this.focusComposer();
  }

  select(channelId) {
    this.store.select(channelId);
    const channel = this.store.channels.get(channelId);
    if (channel) remember(`channel.${this.person.username}`, this.#wordFor(channel));
    this.openDrawer(false);
    if (channel && finePointer.matches) this.focusComposer();
  }

  /** To a message or channel of this page, from a link. */
  jump({ channel, message }) {
    if (channel !== this.store.selected) this.select(channel);
    if (message && !this.messages.reveal(message)) this.#say("That message is no longer here.");
  }

  /** The DM with the bot; it is opened first when there is none. */
  openDirect() {
    const direct = this.store.directChannel();
    if (direct) return this.select(direct.id);
    this.#open("open_dm", { user_id: this.store.bot?.id }, (channel) => this.store.contextOf(channel) === BOT_DM);
  }

  /** My direct messages with these people: with one always the same, with more a new group. */
  openBetween(users) {
    const wanted = new Set([this.person.id, ...users.map((user) => user.id)]);
    const isIt = (channel) => channel.type === (users.length > 1 ? 3 : 1) && channel.recipients.length === wanted.size && channel.recipients.every((user) => wanted.has(user.id));
    if (users.length > 1) this.#open("open_group", { user_ids: users.map((user) => user.id) }, isIt);
    else this.#open("open_dm", { user_id: users[0].id }, isIt);
  }

  /** Adds the bot for me alone, or takes it away. */
  keepApp(isMine) {
    this.#notice = this.socket.send("app", { is_mine: isMine });
  }

  allowDms(open) {
    this.store.dmsOpen = open;
    this.#notice = this.socket.send("dms", { open });
    this.store.emit("dms");
  }

  speak(locale) {
    this.#notice = this.socket.send("language", { locale });
  }

  send(channelId, content) {
    this.#notice = this.socket.send("send", { channel_id: channelId, content });
    return this.#notice !== null;
  }

  openDrawer(open) {
    const was = this.element.classList.contains("drawer-open");
    if (was === open) return;
    this.element.classList.toggle("drawer-open", open);
    this.menuButton.setAttribute("aria-expanded", String(open));
    if (open) this.sidebar.focus();
    else if (this.sidebar.element.contains(document.activeElement)) this.menuButton.focus();
  }

  focusComposer() {
    this.composer.focus();
  }

  /** Whether the person can see this client now; only then are messages read. */
  show(visible) {
    this.#visible = visible;
    this.element.hidden = !visible;
    if (visible) this.messages.followed();
    this.seen();
  }

  seen() {
    if (this.#visible && !document.hidden && this.store.selected) this.store.markRead(this.store.selected);
  }

  mentions() {
    return [...this.store.channels.keys()].reduce((sum, id) => sum + this.store.unread(id).mentions, 0);
  }

  close() {
    this.socket.close();
    this.composer.close();
    this.messages.close();
    this.element.remove();
  }

  #ready() {
    this.element.dataset.ready = "true";
    this.#drawStrip();
    if (this.store.selected && this.store.channels.has(this.store.selected)) return this.#drawHead();
    const all = [...this.store.channels.values()].filter((channel) => channel.type !== 4);
    const named = (name) => name && all.find((channel) => channel.id === name || this.#wordFor(channel) === name);
    const last = recall(`channel.${this.person.username}`, null);
    const first = named(this.#wanted) ?? (this.#wanted ? null : named(last)) ?? named(FIRST_CHANNEL) ?? all.find((channel) => channel.type === 0) ?? all[0];
    this.#wanted = null;
    if (first) this.store.select(first.id);
  }

  #channelsChanged(channel) {
    if (channel && this.#awaited?.(channel)) {
      this.#awaited = null;
      this.select(channel.id);
    } else if (this.store.selected && !this.store.channels.has(this.store.selected)) {
      const home = [...this.store.channels.values()].find((other) => other.name === FIRST_CHANNEL) ?? [...this.store.channels.values()][0];
      if (home) this.select(home.id);
    }
  }

  #open(op, data, isIt) {
    this.#awaited = isIt;
    this.#notice = this.socket.send(op, data);
  }

  /** A channel's name in addresses; the DM with the bot is "dm" there. */
  #wordFor(channel) {
    return this.store.contextOf(channel) === BOT_DM ? "dm" : this.store.nameOf(channel);
  }

  #drawHead() {
    const channel = this.store.channels.get(this.store.selected);
    if (!channel) return;
    const parent = channel.type >= 10 && this.store.channels.get(channel.parent_id);
    this.head.replaceChildren(
      icon(channelIcon(channel), 24),
      ...(parent ? [h("button", { type: "button", class: "head-parent", onclick: () => this.select(parent.id) }, parent.name), h("span", { class: "head-step", "aria-hidden": "true" }, "›")] : []),
      h("h1", {}, this.store.nameOf(channel)), ...(channel.topic ? [h("p", { class: "topic", title: channel.topic }, channel.topic)] : []));
    this.element.dataset.channel = this.#wordFor(channel);
    this.element.dataset.channelId = channel.id;
  }

  #drawStrip() {
    const { store, strip } = this;
    let text = "";
    if (!store.connected) text = store.ready ? "Reconnecting…" : "Connecting…";
    else if (store.ready && !store.botOnline) text = `${displayName(store.bot ?? { username: "Fifteen Two" })} is starting…`;
    strip.hidden = text === "";
    strip.textContent = text;
    strip.classList.toggle("lost", !store.connected);
  }

  #drawMenuMark() {
    const count = this.mentions();
    const mark = this.menuButton.querySelector(".menu-mark");
    mark.hidden = count === 0;
    mark.textContent = String(count);
    this.menuButton.setAttribute("aria-label", count > 0 ? `Channels, ${count} unread` : "Channels");
  }

  /** A short word over the composer about something that could not be done. */
  #say(text) {
    this.composer.say(text);
  }
}
