// The page's address: ?as=Ada,Ben&channel=cribbage&theme=light opens a state, so that links and tests can.

/** What the address asks for; a part that is not there is null. */
export function readAddress(search = location.search) {
  const query = new URLSearchParams(search);
  const names = (query.get("as") ?? "").split(",").map((name) => name.trim()).filter(Boolean);
  const theme = query.get("theme");
  return {
    names: names.length > 0 ? names : null,
    channel: query.get("channel")?.replace(/^#/, "") || null,
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}

/** Writes who is on screen into the address without a new entry in the history. */
export function writeAddress({ names }) {
  const query = new URLSearchParams(location.search);
  query.set("as", names.join(","));
  const text = query.toString().replaceAll("%2C", ",");
  history.replaceState(null, "", `${location.pathname}?${text}${location.hash}`);
}

/** Where a link to a Discord channel or message leads, or null for any other link. */
export function readJump(url) {
  const match = /^https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?\/?$/.exec(url ?? "");
  return match ? { guild: match[1], channel: match[2], message: match[3] ?? null } : null;
}
