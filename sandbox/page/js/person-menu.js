// The menu on a person's name: who they are, and the commands of apps that can be used on them.

import { h, trapFocus } from "./dom.js";
import { appTag, avatar, displayName } from "./avatar.js";
import { userCommands } from "./commands.js";

const GAP = 8;
const WIDTH = 260;

/** Opens the menu over the client, beside `anchor`; one at a time. */
export function openPersonMenu(client, user, anchor) {
  const { store, layer } = client;
  layer.querySelector(".person-menu")?.remove();
  const commands = userCommands(store.commands, store.place(store.selected));
  const close = (focus = true) => {
    menu.remove();
    document.removeEventListener("pointerdown", outside, true);
    if (focus && anchor.isConnected) anchor.focus();
  };
  const outside = (event) => menu.contains(event.target) || close(false);
  const use = (command) => {
    close(false);
    client.useOn(command, user);
  };
  const menu = h("div", { class: "person-menu", role: "menu", "aria-label": displayName(user), onkeydown: (event) => keyed(event, menu, close) },
    h("div", { class: "person-head" }, avatar(user, 48), h("div", { class: "person-words" }, h("strong", {}, displayName(user), user.bot && " ", user.bot && appTag()), h("small", {}, `@${user.username}`))),
    h("div", { class: "person-apps" }, h("span", { class: "person-group" }, "Apps"),
      commands.map((command) => h("button", { type: "button", role: "menuitem", class: "person-command", "data-command": command.key, onclick: () => use(command) },
        h("span", {}, command.name), avatar(store.bot, 20))),
      commands.length === 0 && h("p", { class: "quiet" }, "No app has a command for people here.")));
  layer.append(menu);
  place(menu, anchor, layer);
  document.addEventListener("pointerdown", outside, true);
  (menu.querySelector("[role=menuitem]") ?? menu).focus();
}

function keyed(event, menu, close) {
  event.stopPropagation();
  const items = [...menu.querySelectorAll("[role=menuitem]")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") close();
  if (step && items.length > 0) {
    event.preventDefault();
    items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  }
  trapFocus(menu, event);
}

/** Below the anchor if there is room, else above it, and never over the edge of the client. */
function place(menu, anchor, layer) {
  const room = layer.getBoundingClientRect();
  const at = anchor.getBoundingClientRect();
  const width = Math.min(WIDTH, room.width - 2 * GAP);
  menu.style.width = `${width}px`;
  const left = Math.min(Math.max(GAP, at.left - room.left), room.width - width - GAP);
  const below = at.bottom - room.top + 4;
  const { height } = menu.getBoundingClientRect();
  menu.style.left = `${left}px`;
  menu.style.top = `${Math.max(GAP, below + height > room.height - GAP ? at.top - room.top - height - 4 : below)}px`;
}
