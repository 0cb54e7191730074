// What one person's client knows: fed by the socket's events, read by every part on screen.
//
// Signals: ready, channels, commands, presence, dms, typing, unread, messages {channel}, pending,
// selected, choices, modal, refused, connection, notification.

import { displayName } from "./avatar.js";
import { BETWEEN_PEOPLE, BOT_DM, SERVER } from "./commands.js";
import { ReadMarks } from "./marks.js";
import { Signals } from "./signals.js";
import { Pending } from "./pending.js";
import { plainText } from "./markdown/render.js";

const TYPING_MS = 9000;
const DM = 1;
const GROUP = 3;
export const EPHEMERAL = 64;
export const LOADING = 128;

/** Snowflakes are compared as numbers; longer means newer. */
export function compareIds(one, other) {
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}

export class Store extends Signals {
  ready = false;
  connected = false;
  me;
  people = [];
  bot = null;
  botOnline = false;
  guild = null;
  channels = new Map();
  commands = [];
  dmsOpen = true;
  permissions = {};
  /** Where the bot is installed: in this server, and for me; and whether it can be for a person at all. */
  app = { in_server: true, is_mine: false, is_for_people: false };
  selected = null;
  typing = new Map();
  #messages = new Map();
  #users = new Map();

  constructor(me) {
    super();
    this.me = me;
    this.marks = new ReadMarks(me.username);
    this.pending = new Pending(this);
  }

  apply(type, data) {
    switch (type) {
      case "READY": return this.#ready(data);
      case "MESSAGE_CREATE": return this.#messageCreated(data);
      case "MESSAGE_UPDATE": return this.#messageUpdated(data);
      case "MESSAGE_DELETE": return this.#messageDeleted(data);
      case "CHANNEL_CREATE": case "CHANNEL_UPDATE": case "THREAD_CREATE":
        this.channels.set(data.id, data);
        (data.recipients ?? []).forEach((user) => this.#know(user));
        return this.emit("channels", data);
      case "CHANNEL_DELETE":
        this.channels.delete(data.id);
        this.#messages.delete(data.id);
        return this.emit("channels", null);
      case "COMMANDS": this.commands = data; return this.emit("commands");
      case "PRESENCE": this.botOnline = data.bot_online; return this.emit("presence");
      case "BOT": this.bot = data; this.#know(data); return this.emit("presence");
      case "INTERACTION": return this.pending.interaction(data);
      case "CHOICES": return this.emit("choices", data);
      case "MODAL": this.pending.finish(data.nonce); return this.emit("modal", data);
      case "REFUSED": this.pending.refused(data); return this.emit("refused", data);
      case "NOTIFICATION": return this.emit("notification", data);
      case "TYPING": return this.#typingStarted(data);
    }
  }

  connection(open) {
    this.connected = open;
    if (!open) this.pending.lost();
    this.emit("connection");
  }

  select(channelId) {
    if (!this.channels.has(channelId)) return;
    this.selected = channelId;
    this.emit("selected", channelId);
  }

  messagesIn(channelId) {
    return this.#messages.get(channelId) ?? [];
  }

  message(channelId, id) {
    return this.messagesIn(channelId).find((message) => message.id === id) ?? null;
  }

  user(id) {
    return this.#users.get(id) ?? null;
  }

  /** The language that I have chosen. */
  get locale() {
    return this.me.locale ?? "en-US";
  }

  /** The thread that was started from a message, or null. */
  threadOf(message) {
    const thread = this.channels.get(message.id);
    return thread?.parent_id === message.channel_id ? thread : null;
  }

  isArchived(channelId) {
    return Boolean(this.channels.get(channelId)?.thread_metadata?.archived);
  }

  /** The DM with the bot, if it is open yet. */
  directChannel() {
    return [...this.channels.values()].find((channel) => this.contextOf(channel) === BOT_DM) ?? null;
  }

  /** My direct messages with other people, oldest first. */
  betweenPeople() {
    return [...this.channels.values()].filter((channel) => this.contextOf(channel) === BETWEEN_PEOPLE).sort((a, b) => compareIds(a.id, b.id));
  }

  /** What kind of place for commands a channel is. */
  contextOf(channel) {
    if (channel?.type !== DM && channel?.type !== GROUP) return SERVER;
    const isWithBot = channel.type === DM && channel.recipients.every((user) => user.id === this.me.id || user.id === this.bot?.id);
    return isWithBot ? BOT_DM : BETWEEN_PEOPLE;
  }

  /** A channel's name; that of direct messages is who else is there. */
  nameOf(channel) {
    if (channel.type === DM) return displayName(this.partner(channel));
    if (channel.type === GROUP) return channel.recipients.filter((user) => user.id !== this.me.id).map(displayName).join(", ");
    return channel.name;
  }

  /** What decides which commands I am offered in a channel. */
  place(channelId) {
    return { context: this.contextOf(this.channels.get(channelId)), app: this.app, may: (bit) => this.may(channelId, bit), locale: this.locale };
  }

  /** The one I talk with in a DM. */
  partner(channel) {
    const other = channel?.recipients?.find((user) => user.id !== this.me.id) ?? this.bot;
    return this.user(other?.id) ?? other;
  }

  /** Whether I hold these permissions here; in a DM, and where the server said nothing, yes. */
  may(channelId, bit) {
    const bits = this.permissions[channelId] ?? this.permissions[this.channels.get(channelId)?.parent_id];
    if (bits === undefined) return true;
    const held = BigInt(bits);
    return (held & 8n) === 8n || (held & (1n << BigInt(bit))) !== 0n;
  }

  mentionsMe(message) {
    if (message.author?.id === this.me.id) return false;
    return Boolean(message.mention_everyone) || (message.mentions ?? []).some((user) => user.id === this.me.id);
  }

  /** How many messages I have not seen in this channel, and how many of them call for me. */
  unread(channelId) {
    const since = this.marks.last(channelId);
    const direct = this.contextOf(this.channels.get(channelId)) !== SERVER;
    const news = this.messagesIn(channelId).filter(
      (message) => message.author?.id !== this.me.id && (since === null || compareIds(message.id, since) > 0),
    );
    const mentions = direct ? news.length : news.filter((message) => this.mentionsMe(message)).length;
    return { count: news.length, mentions };
  }

  markRead(channelId) {
    const newest = this.messagesIn(channelId).at(-1);
    if (newest && this.marks.read(channelId, newest.id)) this.emit("unread");
  }

  /** The room that markdown is read in; what it opens is set by the client. */
  room = {
    user: (id) => this.user(id),
    channel: (id) => this.channels.get(id) ?? null,
    isMe: (id) => id === this.me.id,
    locale: () => this.locale,
    person: () => {},
    jump: () => {},
    command: () => {},
  };

  preview(message) {
    const first = message.content || (message.components ?? []).flatMap(texts)[0] || message.embeds?.[0]?.title;
    return first ? plainText(first, this.room) : "Press to see the message";
  }

  #ready(data) {
    Object.assign(this, {
      me: data.me, people: data.people, bot: data.bot, botOnline: data.bot_online, guild: data.guild,
      app: data.app ?? this.app, commands: data.commands ?? [], dmsOpen: data.dms_open, permissions: data.permissions ?? {},
    });
    this.channels = new Map([...data.channels, ...data.dms].map((channel) => [channel.id, channel]));
    this.marks.keepOnly(this.channels);
    const before = this.#messages;
    // A message that is as it was stays the same object, and so is not drawn anew.
    const kept = (message) => {
      const old = before.get(message.channel_id)?.find((other) => other.id === message.id);
      return old && JSON.stringify(old) === JSON.stringify(message) ? old : message;
    };
    this.#messages = new Map(
      Object.entries(data.messages ?? {}).map(([id, list]) => [id, list.map(kept).sort((a, b) => compareIds(a.id, b.id))]),
    );
    [data.me, ...data.people, data.bot, ...data.dms.flatMap((channel) => channel.recipients ?? [])].forEach((user) => this.#know(user));
    for (const list of this.#messages.values()) list.forEach((message) => this.#know(message.author));
    this.ready = true;
    this.emit("ready");
    this.emit("unread");
  }

  #know(user) {
    if (user) this.#users.set(user.id, { ...this.#users.get(user.id), ...user });
  }

  #messageCreated(message) {
    this.#know(message.author);
    this.typing.delete(message.author?.id);
    const list = this.messagesIn(message.channel_id).filter((other) => other.id !== message.id);
    list.push(message);
    list.sort((a, b) => compareIds(a.id, b.id));
    this.#messages.set(message.channel_id, list);
    this.pending.answered(message);
    this.emit("messages", { channel: message.channel_id, created: message });
    this.emit("unread");
  }

  #messageUpdated(message) {
    const before = this.message(message.channel_id, message.id);
    // A private message that is gone here, but not yet for the bot, does not come back by an edit.
    if (before === null && message.flags & EPHEMERAL) return;
    if (before === null) return this.#messageCreated(message);
    const list = this.messagesIn(message.channel_id).map((other) => (other === before ? { ...before, ...message } : other));
    this.#messages.set(message.channel_id, list);
    this.emit("messages", { channel: message.channel_id });
    this.emit("unread");
  }

  #messageDeleted({ id, channel_id: channelId }) {
    this.#messages.set(channelId, this.messagesIn(channelId).filter((message) => message.id !== id));
    this.emit("messages", { channel: channelId });
    this.emit("unread");
  }

  #typingStarted({ channel_id: channelId, user_id: userId }) {
    this.typing.set(userId, { channelId, until: Date.now() + TYPING_MS });
    this.emit("typing");
    setTimeout(() => this.emit("typing"), TYPING_MS + 100);
  }
}

function texts(component) {
  return component.type === 10 ? [component.content] : (component.components ?? []).flatMap(texts);
}
