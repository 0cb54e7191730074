// Slash commands as data: which ones there are, which fit what was typed, and what a filled-in one sends.
// Nothing here touches the page.

export const TYPE = { SUB: 1, GROUP: 2, STRING: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, ROLE: 8, MENTIONABLE: 9, NUMBER: 10 };
const CHAT_INPUT = 1;
const ON_PERSON = 2;
// The language that stands in for a missing one, as Discord's client has it.
const FALLBACKS = { "en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES" };
const NOBODY = "0";

/** Discord's kinds of places for commands: a server, the bot's own DM, direct messages between people. */
export const SERVER = 0;
export const BOT_DM = 1;
export const BETWEEN_PEOPLE = 2;

/** The name or description of a command, option or choice in a language. */
export function inLanguage(thing, field, locale) {
  const texts = thing[`${field}_localizations`] ?? {};
  return texts[locale] ?? texts[FALLBACKS[locale]] ?? thing[field] ?? "";
}

/** Every command a person can choose, by name, and its sub-commands in the order in which they were registered: {id, key: "crib new", name, words, path, description, options}.
 *
 * `place` is the store's. `key`, `path` and an option's `key` are the default names, which are sent; all else is in the person's language. */
export function flatten(commands, place) {
  return commands
    .filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT && offered(command, place))
    .sort((a, b) => inLanguage(a, "name", place.locale).localeCompare(inLanguage(b, "name", place.locale), place.locale))
    .flatMap((command) => walk([command], place.locale));
}

/** The commands that a person can use on somebody's name: {id, key, name}. */
export function userCommands(commands, place) {
  return commands
    .filter((command) => command.type === ON_PERSON && offered(command, place))
    .map((command) => ({ id: command.id, key: command.name, name: inLanguage(command, "name", place.locale) }));
}

/** The commands at and below the last of `nodes`, which lead to it from the top. */
function walk(nodes, locale) {
  const node = nodes.at(-1);
  const deeper = (node.options ?? []).filter((option) => option.type === TYPE.SUB || option.type === TYPE.GROUP);
  if (deeper.length > 0) return deeper.flatMap((option) => walk([...nodes, option], locale));
  const path = nodes.map((one) => one.name);
  const words = nodes.map((one) => inLanguage(one, "name", locale));
  const options = (node.options ?? []).map((option) => translated(option, locale)).sort((a, b) => Number(Boolean(b.required)) - Number(Boolean(a.required)));
  return [{ id: nodes[0].id, key: path.join(" "), name: words.join(" "), words, path, levels: nodes.slice(1).map((one) => one.type), description: inLanguage(node, "description", locale), options }];
}

function translated(option, locale) {
  const shown = { ...option, key: option.name, name: inLanguage(option, "name", locale), description: inLanguage(option, "description", locale) };
  if (option.choices) shown.choices = option.choices.map((choice) => ({ ...choice, name: inLanguage(choice, "name", locale) }));
  return shown;
}

/** Whether a command is for this place, and an app that has it is installed here or for me. */
function offered(command, { context, app, may }) {
  const contexts = command.contexts ?? (command.dm_permission === false ? [SERVER] : [SERVER, BOT_DM]);
  const types = command.integration_types ?? [0];
  const isHere = context === BOT_DM || (context === SERVER && app.in_server);
  if (!contexts.includes(context) || !((types.includes(0) && isHere) || (types.includes(1) && app.is_mine))) return false;
  if (context !== SERVER) return true;
  const needed = command.default_member_permissions;
  if (needed === null || needed === undefined) return true;
  if (String(needed) === NOBODY) return may(3);
  const bits = BigInt(needed);
  return Array.from({ length: 52 }, (_, bit) => bit).every((bit) => ((bits >> BigInt(bit)) & 1n) === 0n || may(bit));
}

/** The commands that fit "/crib ne", best first. */
export function search(entries, typed) {
  const words = typed.replace(/^\//, "").toLowerCase();
  const rank = (entry) => {
    const name = entry.name.toLowerCase();
    if (name.startsWith(words)) return 0;
    if (entry.words.some((part) => part.startsWith(words))) return 1;
    return words.length > 1 && name.includes(words) ? 2 : null;
  };
  return entries.map((entry) => [rank(entry), entry]).filter(([order]) => order !== null).sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
}

/** A fully typed line: {entry, values: Map(name -> text), rest}, or null when it names no command. */
export function readLine(entries, line) {
  const text = line.replace(/^\//, "");
  const entry = [...entries].sort((a, b) => b.name.length - a.name.length).find((one) => text === one.name || text.startsWith(`${one.name} `));
  if (!entry) return null;
  const given = text.slice(entry.name.length).trim();
  const names = entry.options.map((option) => option.name);
  const marks = [...given.matchAll(/(?:^|\s)([\p{L}\p{N}_-]+):/gu)].filter((match) => names.includes(match[1]));
  const values = new Map();
  marks.forEach((match, index) => {
    const from = match.index + match[0].length;
    values.set(match[1], given.slice(from, marks[index + 1]?.index ?? given.length).trim());
  });
  const rest = (marks.length > 0 ? given.slice(0, marks[0].index) : given).trim();
  return { entry, values, rest };
}

/** The choices an option offers by itself. */
export function fixedChoices(option, world) {
  if (option.choices?.length) return option.choices;
  if (option.type === TYPE.BOOLEAN) return [{ name: "True", value: true }, { name: "False", value: false }];
  if (option.type === TYPE.USER || option.type === TYPE.MENTIONABLE) return world.users.map((user) => ({ name: user.global_name ?? user.username, value: user.id, user }));
  if (option.type === TYPE.CHANNEL) return world.channels.map((channel) => ({ name: channel.name, value: channel.id, channel }));
  return null;
}

/** Choices whose name holds the typed text; those that begin with it first. */
export function matching(choices, typed) {
  const words = typed.trim().replace(/^[@#]/, "").toLowerCase();
  const fits = choices.filter((choice) => choice.name.toLowerCase().includes(words) || String(choice.value).toLowerCase() === words);
  return fits.sort((a, b) => Number(b.name.toLowerCase().startsWith(words)) - Number(a.name.toLowerCase().startsWith(words)));
}

/** What typed text means for an option: {value} or {error}. */
export function readValue(option, text, world) {
  const typed = text.trim();
  if (typed === "") return { error: "This option is required. Specify a value." };
  const choices = fixedChoices(option, world);
  if (choices) {
    const words = typed.replace(/^<[@#]!?(\d+)>$/, "$1").replace(/^[@#]/, "").toLowerCase();
    const same = choices.find((choice) => choice.name.toLowerCase() === words || String(choice.value).toLowerCase() === words)
      ?? choices.find((choice) => choice.user?.username.toLowerCase() === words);
    return same ? { value: same.value } : { error: "Choose one of the list." };
  }
  if (option.type === TYPE.INTEGER || option.type === TYPE.NUMBER) return readNumber(option, typed);
  if (option.type === TYPE.STRING) {
    if (typed.length < (option.min_length ?? 0)) return { error: `Must be ${option.min_length} or more in length.` };
    if (typed.length > (option.max_length ?? 6000)) return { error: `Must be ${option.max_length} or fewer in length.` };
  }
  return { value: typed };
}

function readNumber(option, typed) {
  const whole = option.type === TYPE.INTEGER;
  const value = Number(typed);
  if (!(whole ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/).test(typed)) return { error: whole ? "Input a valid integer." : "Input a valid number." };
  if (value < (option.min_value ?? -Infinity)) return { error: `Must be greater than or equal to ${option.min_value}.` };
  if (value > (option.max_value ?? Infinity)) return { error: `Must be less than or equal to ${option.max_value}.` };
  return { value };
}

/** Discord's option data for a command and its leaves, nested as the command is. */
export function optionData(entry, leaves) {
  let options = leaves;
  for (let depth = entry.path.length - 1; depth >= 1; depth -= 1) {
    options = [{ name: entry.path[depth], type: entry.levels[depth - 1], options }];
  }
  return options;
}
