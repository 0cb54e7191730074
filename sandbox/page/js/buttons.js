// Buttons of messages: five styles, an emoji, a link out or a jump inside the page.

import { h, safeLink } from "./dom.js";
import { icon } from "./icons.js";
import { readJump } from "./address.js";
import { customEmoji } from "./markdown/render.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

/** A partial emoji of a button or an option. */
export function drawPartialEmoji(emoji) {
  if (!emoji) return null;
  if (emoji.id) return customEmoji({ name: emoji.name ?? "emoji", id: emoji.id, moving: emoji.animated });
  return h("span", { class: "emoji", "aria-hidden": "true" }, emoji.name);
}

export function drawButton(button, { message, client }) {
  const face = h("span", { class: "button-face" }, drawPartialEmoji(button.emoji), button.label && h("span", { class: "button-label" }, button.label));
  const style = STYLES[button.style] ?? "secondary";
  if (button.style === 5) return drawLink(button, face, client);
  return h(
    "button",
    {
      type: "button", class: `button ${style}`, "data-custom-id": button.custom_id, "data-component-id": button.id, disabled: button.disabled,
      "aria-label": button.label ? null : button.emoji?.name,
      onclick: () => client.press(message, button),
    },
    face,
  );
}

function drawLink(button, face, client) {
  const target = readJump(button.url);
  const inside = target && client.store.channels.has(target.channel);
  const href = safeLink(button.url);
  const disabled = button.disabled || href === null;
  return h(
    "a",
    {
      class: disabled ? "button link disabled" : "button link", role: disabled ? "link" : null, "aria-disabled": disabled ? "true" : null,
      href: disabled ? null : href, target: inside ? null : "_blank", rel: "noreferrer noopener", "data-jump-channel": inside ? target.channel : null, "data-jump-message": inside ? target.message : null,
      onclick: (event) => {
        if (!inside || disabled) return;
        event.preventDefault();
        client.jump(target);
      },
    },
    face, !inside && icon("open", 16),
  );
}
