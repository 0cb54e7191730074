// Which characters Discord draws as emoji. It also takes signs such as the suits of cards for emoji when no
// variation selector follows them; digits and letters need one.

const KEYCAP = "[0-9#*]\\uFE0F?\\u20E3";
const FLAG = "\\p{RI}\\p{RI}";
const PICTURE = "\\p{Extended_Pictographic}(?:\\uFE0F|\\p{EMod})?";
const EMOJI = new RegExp(`(?:${KEYCAP}|${FLAG}|${PICTURE}(?:\\u200D${PICTURE})*)`, "uy");

/** The emoji that starts here, or null. A text selector (U+FE0E) asks for plain text. */
export function emojiAt(text, at) {
  EMOJI.lastIndex = at;
  const match = EMOJI.exec(text);
  return match && text[at + match[0].length] !== "\uFE0E" ? match[0] : null;
}

/** Whether these nodes are emoji alone, at most thirty: Discord then draws them large. */
export function onlyEmoji(nodes) {
  const shown = nodes.filter((node) => node.kind !== "text" || node.text.trim() !== "");
  const all = shown.every((node) => node.kind === "emoji" || node.kind === "custom-emoji");
  return shown.length > 0 && shown.length <= 30 && all;
}
