// What the browser remembers between visits. Storage may be full, blocked or hold nonsense: the page then
// simply forgets.

const PREFIX = "fifteen-two.";

export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Nothing on the page depends on it being kept.
  }
}
