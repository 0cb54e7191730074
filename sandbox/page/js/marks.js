// Up to which message a person has read each channel; kept by the browser, so that a person who was not on
// screen finds his unread messages when he comes back.

import { recall, remember } from "./memory.js";

export class ReadMarks {
  #key;
  #last;

  /** `name` tells people apart: ids are new whenever the sandbox starts anew, names stay. */
  constructor(name) {
    this.#key = `read.${name}`;
    this.#last = recall(this.#key, {}) ?? {};
  }

  /** The newest message read there, or null. */
  last(channelId) {
    return this.#last[channelId] ?? null;
  }

  /** Forgets channels that are no more. */
  keepOnly(channelIds) {
    this.#last = Object.fromEntries(Object.entries(this.#last).filter(([id]) => channelIds.has(id)));
  }

  /** Notes that the channel is read up to here; false when that is not news. */
  read(channelId, messageId) {
    if (this.#last[channelId] === messageId) return false;
    this.#last[channelId] = messageId;
    remember(this.#key, this.#last);
    return true;
  }
}
