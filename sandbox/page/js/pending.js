// Requests under way: pressed buttons, commands that were sent, modals that were submitted. Each is known by
// the nonce of its request until the server says how it ended.
//
// An entry is {nonce, kind: "component" | "command" | "modal", channelId, messageId?, customId?, name?,
// state: "sent" | "thinking" | "failed", text?, at}.

export const FAILED = "This interaction failed";
export const SILENT = "The application did not respond";
const LOST = "The connection was lost before an answer came";

export class Pending {
  #entries = new Map();
  #store;

  constructor(store) {
    this.#store = store;
  }

  begin(nonce, entry) {
    // A new press takes the old failure off the message.
    if (entry.messageId) this.forgetFailure(entry.messageId);
    this.#entries.set(nonce, { nonce, state: "sent", at: Date.now(), ...entry });
    this.#changed();
  }

  finish(nonce) {
    if (this.#entries.delete(nonce)) this.#changed();
  }

  interaction({ nonce, id, state, message_id: messageId }) {
    const entry = this.#entries.get(nonce);
    if (!entry) return;
    entry.id = id;
    if (state === "failed") this.#fail(entry, entry.kind === "command" ? SILENT : FAILED);
    else if (state === "done") this.finish(nonce);
    else if (state === "thinking" && entry.kind !== "command") this.finish(nonce);
    else if (state === "thinking") {
      entry.state = state;
      entry.answer = messageId ?? null;
      this.#changed();
    }
    this.#store.emit("interaction", { nonce, state, entry });
  }

  refused({ nonce, message }) {
    const entry = this.#entries.get(nonce);
    if (entry) this.#fail(entry, message);
  }

  /** A message came: its command needs no line of its own any more. */
  answered(message) {
    const id = message.interaction_metadata?.id ?? null;
    for (const entry of this.#entries.values()) {
      const same = entry.answer === message.id || (id !== null && entry.id === id);
      if (entry.kind === "command" && entry.state !== "failed" && same) this.finish(entry.nonce);
    }
  }

  lost() {
    for (const entry of this.#entries.values()) {
      if (entry.state !== "failed") this.#fail(entry, LOST);
    }
  }

  commandsIn(channelId) {
    return [...this.#entries.values()].filter((entry) => entry.kind === "command" && entry.channelId === channelId);
  }

  waitsFor(messageId, customId) {
    return this.#some((entry) => entry.messageId === messageId && entry.customId === customId && entry.state !== "failed");
  }

  /** Whether anything of this message is under way: Discord then takes no second press on it. */
  busy(messageId) {
    return this.#some((entry) => entry.messageId === messageId && entry.state !== "failed");
  }

  failureOf(messageId) {
    return [...this.#entries.values()].findLast((entry) => entry.messageId === messageId && entry.state === "failed")?.text ?? null;
  }

  forgetFailure(messageId) {
    for (const entry of this.#entries.values()) {
      if (entry.messageId === messageId && entry.state === "failed") this.#entries.delete(entry.nonce);
    }
  }

  #fail(entry, text) {
    entry.state = "failed";
    entry.text = text;
    // A modal shows its own failure.
    if (entry.kind === "modal") this.#entries.delete(entry.nonce);
    this.#changed();
  }

  #some(test) {
    return [...this.#entries.values()].some(test);
  }

  #changed() {
    this.#store.emit("pending");
  }
}
