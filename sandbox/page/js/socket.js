// One person's connection to the sandbox: JSON frames both ways, back again by itself when it is lost.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;

let sequence = 0;

/** A nonce no other frame of this page carries. */
function nextNonce() {
  sequence += 1;
  return `${Date.now().toString(36)}-${sequence.toString(36)}`;
}

export class Socket {
  #query;
  #onEvent;
  #onState;
  #socket = null;
  #timer = null;
  #failures = 0;
  #closed = false;
  #wasOpen = false;

  /** `query` says whose connection it is; `onEvent(type, data)` hears the server, `onState("open" | "lost")` hears of the connection. */
  constructor(query, { onEvent, onState }) {
    this.#query = new URLSearchParams(query);
    this.#onEvent = onEvent;
    this.#onState = onState;
    this.#connect();
  }

  /** Sends a request and gives its nonce; null when there is no connection to send it on. */
  send(op, data = {}) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return null;
    const nonce = nextNonce();
    this.#socket.send(JSON.stringify({ op, nonce, ...data }));
    return nonce;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/page/socket?${this.#query}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#failures = 0;
      this.#onState("open");
      // Whatever happened while we were away: ask for everything anew.
      if (this.#wasOpen) this.send("sync");
      this.#wasOpen = true;
    });
    socket.addEventListener("message", (event) => {
      const frame = JSON.parse(event.data);
      this.#onEvent(frame.t, frame.d);
    });
    socket.addEventListener("close", () => {
      if (this.#closed || socket !== this.#socket) return;
      this.#onState("lost");
      const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS) * (0.8 + Math.random() * 0.4);
      this.#failures += 1;
      this.#timer = setTimeout(() => this.#connect(), wait);
    });
  }
}
