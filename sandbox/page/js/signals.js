// A small list of listeners by name, for parts of one client that must hear of each other's changes.

export class Signals {
  #listeners = new Map();

  /** Calls `listener` at every `name`; the answer takes it off again. */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return () => this.#listeners.get(name).delete(listener);
  }

  emit(name, detail) {
    for (const listener of this.#listeners.get(name) ?? []) listener(detail);
  }
}
