// Where the page begins: who there is to be, what the address asks for, and then the deck of clients.

import { h } from "./dom.js";
import { readAddress } from "./address.js";
import { Deck } from "./deck.js";
import { recall } from "./memory.js";
import { startTheme } from "./theme.js";
import { walkTimes } from "./times.js";

const SECOND = 1000;
const root = document.getElementById("app");

/** The people of the sandbox; asked for again until the server is there. */
async function people() {
  for (;;) {
    try {
      const answer = await fetch("/page/people");
      if (answer.ok) return (await answer.json()).people;
    } catch {
      // The server is not up yet, or restarting: the line below says so.
    }
    root.replaceChildren(h("p", { class: "app-note", role: "status" }, "Waiting for the sandbox…"));
    await new Promise((resolve) => setTimeout(resolve, SECOND));
  }
}

const address = readAddress();
startTheme(address.theme);
setInterval(walkTimes, SECOND, document);
new Deck(root, await people(), { names: address.names ?? recall("as", null), channel: address.channel });
