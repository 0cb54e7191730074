// The selects of messages and modals: which options they offer, and what a choice sends.

import { Select } from "./select.js";
import { displayName } from "./avatar.js";

/** The options of any kind of select: its own, or the people, channels or roles there are. */
export function optionsOf(component, store) {
  switch (component.type) {
    case 5: case 7: return [...store.people, store.bot].filter(Boolean).map((user) => ({ value: user.id, label: displayName(user), description: `@${user.username}` }));
    case 8: return [...store.channels.values()].filter((channel) => channel.type !== 1 && fits(component, channel)).map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
    case 6: return store.guild ? [{ value: store.guild.id, label: "@everyone" }] : [];
    default: return component.options ?? [];
  }
}

function fits(component, channel) {
  return !component.channel_types?.length || component.channel_types.includes(channel.type);
}

/** What is chosen before anybody chooses. */
export function defaultsOf(component) {
  const own = (component.options ?? []).filter((option) => option.default).map((option) => option.value);
  return own.length > 0 ? own : (component.default_values ?? []).map((value) => value.id);
}

/** The select of a message: a changed choice is sent. While its options are the same it stays the same element,
 * so that a message drawn anew does not take an open list or a choice away. */
export function drawMessageSelect(component, { message, client }) {
  const key = `${message.id}/${component.custom_id}`;
  const shape = JSON.stringify(component);
  const kept = client.selects.get(key);
  if (kept?.shape === shape) return kept.select.element;
  kept?.select.drop();
  const select = new Select({
    options: optionsOf(component, client.store), min: component.min_values ?? 1, max: component.max_values ?? 1, values: defaultsOf(component),
    placeholder: component.placeholder, customId: component.custom_id, disabled: component.disabled, layer: client.layer,
    onChange: (values) => client.press(message, component, values),
  });
  client.selects.set(key, { shape, select });
  return select.element;
}
