// Where a person writes: ordinary messages, and slash commands, which turn into a form.

import { h, uniqueId } from "./dom.js";
import { icon } from "./icons.js";
import { displayName } from "./avatar.js";
import { CommandForm } from "./command-form.js";
import { BETWEEN_PEOPLE, flatten, readLine, search, SERVER } from "./commands.js";
import { Suggestions } from "./suggestions.js";

const SEND_MESSAGES = 11;
const SEND_IN_THREADS = 38;
const LONGEST = 2000;
const NOTICE_MS = 6000;

export class Composer {
  #client;
  #store;
  #form = null;
  #drafts = new Map();
  #channel = null;

  constructor(client) {
    this.#client = client;
    this.#store = client.store;
    this.suggestions = new Suggestions();
    const id = uniqueId("composer");
    this.input = h("textarea", {
      id, class: "composer-input", rows: 1, maxlength: LONGEST, role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-label": "Message", autocomplete: "off",
      oninput: (event) => this.#typed(event), onkeydown: (event) => this.#keyed(event), onfocus: () => this.#typed(),
    });
    this.slash = h("button", { type: "button", class: "icon-button slash-button", "aria-label": "Commands", onclick: () => this.#slash() }, icon("slash"));
    this.sendButton = h("button", { type: "button", class: "icon-button send-button", "aria-label": "Send", onclick: () => this.#send() }, icon("send"));
    this.box = h("div", { class: "composer-box" }, this.slash, this.input, this.sendButton);
    this.notice = h("p", { class: "composer-notice", role: "status" });
    this.archived = h("p", { class: "archived-notice", hidden: true }, icon("thread", 16), "This thread is archived. Write something to open it again.");
    this.typing = h("p", { class: "typing", "aria-live": "off" });
    const left = (event) => this.element.contains(event.relatedTarget) || this.suggestions.hide();
    this.element = h("div", { class: "composer", onfocusout: left }, this.suggestions.element, this.archived, this.notice, this.box, this.typing);
    this.#store.on("selected", () => this.#opened());
    this.#store.on("ready", () => this.#drawState());
    for (const signal of ["ready", "commands"]) this.#store.on(signal, () => this.#form || this.#typed());
    this.#store.on("typing", () => this.#drawTyping());
    this.#store.on("messages", () => this.#drawTyping());
    this.#store.on("connection", () => this.#drawState());
  }

  focus() {
    if (this.#form) this.#form.focus();
    else this.input.focus();
  }

  close() {
    clearTimeout(this.noticeTimer);
    this.#form?.close();
  }

  /** Puts a command in the composer, as its mention in a message does. */
  begin(name) {
    const entry = this.#entries().find((one) => one.key === name || one.name === name);
    if (entry) return this.#openForm(entry);
    // A command with sub-commands is not one itself: its list is as far as a mention of it leads.
    this.#cancel(`/${name}`);
  }

  say(text) {
    this.notice.textContent = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => this.notice.replaceChildren(), NOTICE_MS);
  }

  #entries() {
    return flatten(this.#store.commands, this.#store.place(this.#store.selected));
  }

  #world() {
    const { people, bot, channels, selected } = this.#store;
    const here = channels.get(selected);
    const present = this.#store.contextOf(here) === BETWEEN_PEOPLE ? here.recipients : [...people, bot].filter(Boolean);
    return { users: present, channels: [...channels.values()].filter((channel) => this.#store.contextOf(channel) === SERVER && channel.type !== 4) };
  }

  #opened() {
    if (this.#channel) this.#drafts.set(this.#channel, this.#form ? "" : this.input.value);
    this.#channel = this.#store.selected;
    this.#cancel(this.#drafts.get(this.#channel) ?? "", false);
    this.#drawState();
    this.#drawTyping();
  }

  #drawState() {
    const channel = this.#store.channels.get(this.#store.selected);
    if (!channel) return;
    const thread = channel.type >= 10 && channel.type <= 12;
    const allowed = this.#store.may(channel.id, thread ? SEND_IN_THREADS : SEND_MESSAGES);
    const name = channel.type === 1 ? `@${this.#store.nameOf(channel)}` : thread || channel.type === 3 ? this.#store.nameOf(channel) : `#${channel.name}`;
    const words = allowed ? `Message ${name}` : "You do not have permission to send messages in this channel.";
    this.input.placeholder = words;
    this.input.setAttribute("aria-label", words);
    this.input.disabled = !allowed;
    this.archived.hidden = !this.#store.isArchived(channel.id);
    this.slash.disabled = !allowed;
    this.sendButton.disabled = !allowed || !this.#store.connected;
  }

  #typed(event = null) {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, 240)}px`;
    const { value } = this.input;
    if (!value.startsWith("/") || value.includes("\n") || document.activeElement !== this.input) return this.suggestions.hide();
    const entries = this.#entries();
    const line = readLine(entries, value);
    // A space after a command's whole name, typed by hand, goes on to its options.
    const goesOn = event?.inputType === "insertText" && event.data === " " && line?.entry.options.length > 0 && value === `/${line.entry.name} `;
    if (goesOn) return this.#openForm(line.entry);
    if (line && value.length > line.entry.name.length + 1) this.#suggestOptions(line);
    else this.#suggestCommands(entries, value);
  }

  #suggestCommands(entries, value) {
    const found = search(entries, value);
    const bot = displayName(this.#store.bot ?? { username: "Fifteen Two" });
    const isAway = this.#store.contextOf(this.#store.channels.get(this.#store.selected)) === BETWEEN_PEOPLE && !this.#store.app.is_mine;
    const none = entries.length > 0 ? "No command of that name." : isAway ? `Add ${bot} under Apps to use its commands here.` : this.#store.botOnline ? "There are no commands yet." : `No commands yet: ${bot} is starting…`;
    this.suggestions.show({
      input: this.input, title: found.length > 0 ? [h("strong", {}, bot), h("span", {}, value === "/" ? "Commands" : `Commands matching ${value}`)] : null, empty: none,
      items: found.map((entry) => ({ key: entry.name, value: entry, content: drawEntry(entry) })),
      onChoose: ({ value: entry }) => this.#openForm(entry),
    });
  }

  /** While a whole line is typed: the options it can still take. */
  #suggestOptions({ entry, values }) {
    const last = /(\S*)$/.exec(this.input.value)[1];
    const unused = entry.options.filter((option) => !values.has(option.name) && (last.includes(":") || option.name.startsWith(last)));
    this.suggestions.show({
      input: this.input, title: [h("strong", {}, `/${entry.name}`), h("span", {}, entry.description)], first: false,
      items: unused.map((option) => ({ key: option.name, value: option, content: [h("span", { class: "suggestion-name" }, option.name), h("span", { class: "suggestion-description" }, option.description), option.required && h("span", { class: "suggestion-needed" }, "required")].filter(Boolean) })),
      onChoose: ({ value: option }) => {
        this.#openForm(entry, values);
        this.#form.use(option);
      },
    });
  }

  #keyed(event) {
    const { key } = event;
    if (event.isComposing) return;
    if (this.suggestions.isOpen) {
      if ((key === "ArrowDown" || key === "ArrowUp") && this.suggestions.move(key === "ArrowDown" ? 1 : -1)) return event.preventDefault();
      if (key === "Tab" && !event.shiftKey && (this.suggestions.active || this.suggestions.move(1))) {
        event.preventDefault();
        return void this.suggestions.choose();
      }
      if (key === "Escape") {
        event.stopPropagation();
        return this.suggestions.hide();
      }
    }
    if (key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (this.suggestions.isOpen && this.suggestions.active) this.suggestions.choose();
      else this.#send();
    }
  }

  #send() {
    if (this.#form) return void this.#form.submit();
    const { value } = this.input;
    if (value.startsWith("/")) {
      const line = readLine(this.#entries(), value.trim());
      if (line) {
        this.#openForm(line.entry, line.values);
        if (line.rest) return this.say(`Write the options of /${line.entry.name} as name:value.`);
        return void (line.values.size + line.entry.options.length === 0 || line.values.size > 0 || /\s$/.test(value) ? this.#form.submit() : null);
      }
    }
    const content = value.trim();
    if (content === "") return;
    if (!this.#client.send(this.#store.selected, this.#withMentions(content))) return this.say("There is no connection at the moment.");
    this.#cancel("");
  }

  /** "@Ada" becomes the mention of Ada. */
  #withMentions(text) {
    const { users } = this.#world();
    const names = users.flatMap((user) => [user.global_name, user.username].filter(Boolean).map((name) => [name.toLowerCase(), user.id])).sort((a, b) => b[0].length - a[0].length);
    return text.replace(/(^|\s)@(?=\S)([^@\n]*)/g, (whole, before, rest) => {
      const found = names.find(([name]) => rest.toLowerCase().startsWith(name) && !/^[\p{L}\p{N}_-]/u.test(rest.slice(name.length)));
      return found ? `${before}<@${found[1]}>${rest.slice(found[0].length)}` : whole;
    });
  }

  #openForm(entry, values = new Map()) {
    this.#form?.close();
    this.#form = new CommandForm(entry, {
      world: this.#world(), suggestions: this.suggestions, store: this.#store,
      ask: (options) => this.#client.socket.send("autocomplete", { channel_id: this.#store.selected, command_id: entry.id, options }),
      onSend: (chosen, options) => this.#sendCommand(chosen, options),
      onCancel: (text) => this.#cancel(text),
    });
    this.#form.fill(values);
    this.input.value = "";
    this.input.hidden = true;
    this.box.querySelector(".command-form")?.remove();
    this.input.after(this.#form.element);
    this.#form.focus();
  }

  #sendCommand(entry, options) {
    const channelId = this.#store.selected;
    const nonce = this.#client.request("command", { channel_id: channelId, command_id: entry.id, options }, { kind: "command", channelId, name: entry.name });
    if (nonce === null) return this.say("There is no connection at the moment.");
    this.#client.messages.toBottom();
    this.#cancel("");
  }

  /** Back to plain text. */
  #cancel(text, focus = true) {
    this.#form?.close();
    this.#form?.element.remove();
    this.#form = null;
    this.input.hidden = false;
    this.input.value = text;
    if (focus) this.input.focus();
    this.#typed();
  }

  #slash() {
    this.#cancel("/");
  }

  #drawTyping() {
    const now = Date.now();
    const names = [...this.#store.typing].filter(([id, entry]) => entry.until > now && entry.channelId === this.#store.selected && id !== this.#store.me.id).map(([id]) => displayName(this.#store.user(id)));
    this.typing.replaceChildren(...(names.length > 0 ? [h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), h("strong", {}, names.join(", ")), names.length > 1 ? " are typing…" : " is typing…"] : []));
  }
}

function drawEntry(entry) {
  const needed = entry.options.filter((option) => option.required).map((option) => h("span", { class: "suggestion-option" }, option.name));
  return [h("span", { class: "suggestion-name" }, `/${entry.name}`), ...needed, h("span", { class: "suggestion-description" }, entry.description)];
}
