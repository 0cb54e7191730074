// The message pane: the channel's messages as a log, with days, groups and the line above what is new.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, displayName } from "./avatar.js";
import { BETWEEN_PEOPLE } from "./commands.js";
import { compareIds } from "./store.js";
import { continues, drawMessage, drawPendingCommand, showPending } from "./message.js";
import { threadKey } from "./threads.js";
import { longDay, sameDay } from "./times.js";

const NEAR_BOTTOM = 90;
const FLASH_MS = 2000;

export class Messages {
  #client;
  #store;
  #log = null;
  #drawn = new Map();
  #newSince = null;
  #follows = true;
  #channel = null;

  constructor(client) {
    this.#client = client;
    this.#store = client.store;
    this.scroller = h("div", { class: "scroller", tabindex: "-1", onscroll: () => this.#scrolled() });
    this.present = h("button", { type: "button", class: "to-present", hidden: true, onclick: () => this.toBottom() }, "Jump to present", icon("down", 16));
    this.element = h("div", { class: "messages" }, this.scroller, this.present);
    // Pictures arrive after their messages; whoever stood at the bottom stays there.
    this.resized = new ResizeObserver(() => this.#follows && this.toBottom());
    this.resized.observe(this.scroller);
    this.#store.on("selected", () => this.#open());
    this.#store.on("ready", () => this.#draw());
    this.#store.on("presence", () => this.#draw());
    this.#store.on("channels", () => this.#draw());
    this.#store.on("pending", () => this.#drawPending());
    this.#store.on("messages", ({ channel, created }) => {
      const thread = this.#store.channels.get(channel);
      if (thread?.parent_id === this.#channel) return this.#draw();
      if (channel !== this.#channel) return;
      if (created?.author?.id === this.#store.me.id) this.#follows = true;
      this.#draw();
    });
  }

  toBottom() {
    this.#follows = true;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.present.hidden = true;
  }

  /** The pane became visible: whoever followed the talk stands at its end again. */
  followed() {
    if (this.#follows) this.toBottom();
  }

  close() {
    this.resized.disconnect();
  }

  /** Brings a message into view and lights it up; false when it is not here. */
  reveal(messageId) {
    const article = this.#log?.querySelector(`article[data-message-id="${CSS.escape(messageId)}"]`);
    if (!article) return false;
    this.#follows = false;
    article.scrollIntoView({ block: "center" });
    article.focus({ preventScroll: true });
    article.classList.add("flash");
    setTimeout(() => article.classList.remove("flash"), FLASH_MS);
    return true;
  }

  #open() {
    this.#channel = this.#store.selected;
    this.#newSince = this.#store.unread(this.#channel).count > 0 ? this.#store.marks.last(this.#channel) : null;
    this.#drawn.clear();
    this.#client.selects.forEach(({ select }) => select.drop());
    this.#client.selects.clear();
    // A fresh log is not read aloud as a whole; what joins it later is.
    if (this.#log) this.resized.unobserve(this.#log);
    this.#log = h("div", { class: "log", role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-label": "Messages", "data-channel-id": this.#channel });
    this.scroller.replaceChildren(this.#log);
    this.resized.observe(this.#log);
    this.#follows = true;
    this.#draw();
  }

  #draw() {
    const channel = this.#store.channels.get(this.#channel);
    if (!channel || !this.#log) return;
    const list = this.#store.messagesIn(channel.id);
    const focused = this.#focusedControl();
    const rows = [this.#beginning(channel, list)];
    let before = null;
    let marked = this.#newSince === null;
    for (const message of list) {
      const day = !before || !sameDay(before.timestamp, message.timestamp);
      const fresh = !marked && compareIds(message.id, this.#newSince) > 0 && message.author?.id !== this.#store.me.id;
      if (fresh) marked = true;
      if (day || fresh) rows.push(this.#divider(day ? longDay(message.timestamp, this.#store.locale) : "", fresh));
      rows.push(this.#row(message, !day && !fresh && continues(message, before)));
      before = message;
    }
    const kept = new Set(list.map((message) => message.id));
    for (const id of this.#drawn.keys()) if (!kept.has(id)) this.#drawn.delete(id);
    this.#place([...rows, ...this.#pendingRows()]);
    if (focused) this.#refocus(focused);
    this.#showPending();
    if (this.#follows) this.toBottom();
    else this.present.hidden = this.#atBottom();
    this.#client.seen();
  }

  /** A message's article; drawn anew only when the message or its place in a group changed. */
  #row(message, grouped) {
    const old = this.#drawn.get(message.id);
    const thread = threadKey(message, this.#store);
    const { locale } = this.#store;
    if (old && old.message === message && old.grouped === grouped && old.thread === thread && old.locale === locale) return old.article;
    const article = drawMessage(message, { client: this.#client, grouped });
    if (old) keepPlace(old.article, article);
    this.#drawn.set(message.id, { message, grouped, thread, locale, article });
    return article;
  }

  /** Puts the rows into the log and moves none that stands where it should. */
  #place(rows) {
    let at = this.#log.firstChild;
    const wanted = new Set(rows);
    for (const row of rows) {
      while (at && at !== row && !wanted.has(at)) {
        const gone = at;
        at = at.nextSibling;
        gone.remove();
      }
      if (at === row) at = at.nextSibling;
      else this.#log.insertBefore(row, at);
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  }

  #focusedControl() {
    const active = document.activeElement;
    if (!active || !this.#log.contains(active)) return null;
    return { message: active.closest("[data-message-id]")?.dataset.messageId, custom: active.dataset.customId, active };
  }

  /** Focus stays on the same button when its message was drawn anew, else on the message. */
  #refocus({ message, custom, active }) {
    if (document.activeElement === active || !message) return;
    const article = this.#log.querySelector(`article[data-message-id="${CSS.escape(message)}"]`);
    const same = custom && article?.querySelector(`[data-custom-id="${CSS.escape(custom)}"]`);
    (same && !same.disabled ? same : article)?.focus({ preventScroll: true });
  }

  #beginning(channel, list) {
    const key = `${channel.id}/${list.length === 0}/${this.#store.botOnline}/${this.#store.app.is_mine}`;
    if (this.beginning?.dataset.key === key && this.beginning.parentNode === this.#log) return this.beginning;
    const direct = channel.type === 1;
    const threaded = channel.type >= 10;
    const group = channel.type === 3;
    const name = this.#store.nameOf(channel);
    const bot = displayName(this.#store.bot ?? { username: "Fifteen Two" });
    const toBot = direct && this.#store.partner(channel).bot;
    const isAway = this.#store.contextOf(channel) === BETWEEN_PEOPLE && !this.#store.app.is_mine;
    const quiet = isAway ? `Nobody has said anything yet. Add ${bot} under Apps to use its commands here.` : this.#store.botOnline ? `Nobody has said anything yet. Type / to see what the bot can do, or say hello to it ${toBot ? "here" : "under Direct messages"}.` : `${bot} is starting…`;
    this.beginning = h(
      "div", { class: "beginning", "data-key": key },
      direct ? avatar(this.#store.partner(channel), 72) : h("span", { class: "beginning-sign" }, icon(group ? "people" : threaded ? "thread" : "hash", 40)),
      h("h2", {}, direct || group || threaded ? name : `Welcome to #${name}!`),
      h("p", {}, direct ? ["This is the beginning of your direct messages with ", h("strong", {}, name), "."] : group ? ["This is the beginning of the group with ", h("strong", {}, name), "."] : threaded ? this.#startedFrom(channel) : `This is the start of the #${name} channel.`),
      list.length === 0 && h("p", { class: "quiet" }, quiet),
    );
    return this.beginning;
  }

  /** Who started a thread, and a way back to the message that it hangs on. */
  #startedFrom(thread) {
    const owner = this.#store.user(thread.owner_id);
    const starter = this.#store.message(thread.parent_id, thread.id);
    const words = ["Started by ", h("strong", {}, owner ? displayName(owner) : "somebody")];
    if (!starter) return words;
    return [...words, " from ", h("button", { type: "button", class: "text-link thread-start", onclick: () => this.#client.jump({ channel: thread.parent_id, message: thread.id }) }, this.#store.preview(starter))];
  }

  #divider(day, fresh) {
    return h("div", { class: fresh ? "divider fresh" : "divider", role: "separator" }, day && h("span", { class: "divider-day" }, day), fresh && h("span", { class: "divider-new" }, "New"));
  }

  #pendingRows() {
    return this.#store.pending.commandsIn(this.#channel).map((entry) => drawPendingCommand(entry, this.#client));
  }

  #drawPending() {
    if (!this.#log) return;
    this.#log.querySelectorAll(":scope > .pending-command").forEach((row) => row.remove());
    this.#log.append(...this.#pendingRows());
    this.#showPending();
    if (this.#follows) this.toBottom();
  }

  #showPending() {
    for (const { message, article } of this.#drawn.values()) showPending(article, message, this.#store.pending);
  }

  #atBottom() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
  }

  #scrolled() {
    this.#follows = this.#atBottom();
    if (this.#follows) this.present.hidden = true;
  }
}

/** A redrawn message keeps pictures that it still shows, and so does not flicker. */
function keepPlace(before, after) {
  const held = new Map([...before.querySelectorAll("img")].map((image) => [image.src, image]));
  for (const image of after.querySelectorAll("img")) {
    const same = held.get(image.src);
    if (!same || same.alt !== image.alt || same.className !== image.className) continue;
    held.delete(image.src);
    image.replaceWith(same);
  }
}
