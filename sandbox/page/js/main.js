// Where the page begins: who there is to be, what the address asks for, and then the deck of clients.

import { h } from "./dom.js";
import { readAddress } from "./address.js";
import { Deck } from "./deck.js";
import { recall } from "./memory.js";
import { startTheme } from "./theme.js";
import { walkTimes } from "./times.js";

const SECOND = 1000;
const root = document.getElementById("app");

/** Who there is to be and when this page was loaded, or null while the server cannot say. */
async function askForPeople() {
  try {
    const answer = await fetch("/page/people");
    return answer.ok ? await answer.json() : null;
  } catch {
    // The server is not up yet, or restarting: whoever asks says so.
    return null;
  }
}

async function waitForPeople() {
  for (;;) {
    const told = await askForPeople();
    if (told) return told;
    root.replaceChildren(h("p", { class: "app-note", role: "status" }, "Waiting for the sandbox…"));
    await new Promise((resolve) => setTimeout(resolve, SECOND));
  }
}

const address = readAddress();
startTheme(address.theme);
setInterval(walkTimes, SECOND, document);
const { people, loaded_at: loadedAt, emoji_in_headings: emojiInHeadings } = await waitForPeople();
document.documentElement.dataset.emojiInHeadings = emojiInHeadings ?? "large";

/** A sandbox that was started anew has new people of the same names: nothing here is of use to it. */
async function startOver() {
  const now = (await askForPeople())?.people;
  if (now && now.some((person, index) => person.id !== people[index]?.id)) location.reload();
}

new Deck(root, people, { names: address.names ?? recall("as", null), channel: address.channel, loadedAt, onLost: startOver });
