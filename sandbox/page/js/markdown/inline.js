// Discord's markdown inside a line: text in, a tree of plain objects out. It knows nothing of the DOM.
//
// Marks are looked for from the left; one that does not close is text. A node is {kind, ...facts}, with
// `children` where it holds more text.

import { emojiAt } from "./emoji.js";

const DEEPEST = 12;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}_]/u;

/** The nodes of one stretch of text. */
export function parseInline(text, depth = 0, insideLink = false) {
  const nodes = [];
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) nodes.push({ kind: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    const found = depth < DEEPEST ? nodeAt(text, at, depth, insideLink) : null;
    if (found === null) {
      const whole = String.fromCodePoint(text.codePointAt(at));
      plain += whole;
      at += whole.length;
    } else if (found.node === null) {
      plain += found.text;
      at = found.end;
    } else {
      flush();
      nodes.push(found.node);
      at = found.end;
    }
  }
  flush();
  return nodes;
}

function nodeAt(text, at, depth, insideLink) {
  const inner = (from, to) => parseInline(text.slice(from, to), depth + 1, insideLink);
  switch (text[at]) {
    case "\\": return escaped(text, at);
    case "`": return code(text, at);
    case "|": return paired(text, at, "||", "spoiler", inner);
    case "~": return paired(text, at, "~~", "strike", inner);
    case "*": return paired(text, at, "**", "strong", inner) ?? emphasis(text, at, "*", inner);
    case "_": return paired(text, at, "__", "underline", inner) ?? emphasis(text, at, "_", inner);
    case "<": return angled(text, at);
    case "@": return everyone(text, at);
    case "[": return insideLink ? null : maskedLink(text, at, depth);
    case "h": return insideLink ? null : bareLink(text, at);
    default: return emoji(text, at);
  }
}

function escaped(text, at) {
  const next = text[at + 1];
  if (next === undefined) return null;
  if (ESCAPABLE.test(next)) return { node: null, text: next, end: at + 2 };
  const symbol = emojiAt(text, at + 1);
  return symbol ? { node: null, text: symbol, end: at + 1 + symbol.length } : null;
}

function code(text, at) {
  const fence = /^`+/.exec(text.slice(at))[0];
  let close = at + fence.length;
  while ((close = text.indexOf(fence, close)) !== -1) {
    if (text[close + fence.length] !== "`" && text[close - 1] !== "`") break;
    close += 1;
  }
  if (close === -1) return { node: null, text: fence, end: at + fence.length };
  let body = text.slice(at + fence.length, close);
  // `` ` `` : one space on each side only keeps the ticks apart.
  if (/^ `|` $/.test(body)) body = body.replace(/^ | $/g, "");
  return body ? { node: { kind: "code", text: body }, end: close + fence.length } : null;
}

/** A mark of two characters: ** __ ~~ ||. */
function paired(text, at, mark, kind, inner) {
  if (!text.startsWith(mark, at)) return null;
  const close = closing(text, at + 2, (i) => text.startsWith(mark, i) && text[i + 2] !== mark[0]);
  if (close === -1 || close === at + 2) return null;
  return { node: { kind, children: inner(at + 2, close) }, end: close + 2 };
}

/** A mark of one character, * or _. An underscore inside a word is part of the word. */
function emphasis(text, at, mark, inner) {
  const next = text[at + 1];
  if (next === undefined || next === mark || (mark === "*" && /\s/.test(next))) return null;
  if (mark === "_" && at > 0 && WORD.test(text[at - 1])) return null;
  const ends = (i) => {
    if (text[i] !== mark) return false;
    return mark === "*" ? !/\s/.test(text[i - 1]) : !WORD.test(text[i + 1] ?? "");
  };
  const close = closing(text, at + 1, ends, mark + mark);
  if (close === -1) return null;
  return { node: { kind: "emphasis", children: inner(at + 1, close) }, end: close + 1 };
}

/** The first place where `ends` holds, outside escapes and code, stepping over `skip`; -1 when there is none. */
function closing(text, from, ends, skip = null) {
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === "\\") {
      i += 1;
    } else if (text[i] === "`") {
      const span = code(text, i);
      if (span) i = span.end - 1;
    } else if (skip && text.startsWith(skip, i)) {
      i += 1;
    } else if (ends(i)) {
      return i;
    }
  }
  return -1;
}

const ANGLED = [
  [/^<@!?(\d+)>/, ([, id]) => ({ kind: "user", id })],
  [/^<@&(\d+)>/, ([, id]) => ({ kind: "role", id })],
  [/^<#(\d+)>/, ([, id]) => ({ kind: "channel", id })],
  [/^<\/([^\n<>:]{1,100}):(\d+)>/, ([, name, id]) => ({ kind: "command", name, id })],
  [/^<(a?):(\w{2,32}):(\d+)>/, ([, moving, name, id]) => ({ kind: "custom-emoji", name, id, moving: moving === "a" })],
  [/^<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/, ([, unix, style]) => ({ kind: "time", unix: Number(unix), style: style ?? "f" })],
  [/^<(https?:\/\/[^\s<>]+)>/i, ([, url]) => ({ kind: "link", url, children: [{ kind: "text", text: url }] })],
];

function angled(text, at) {
  const rest = text.slice(at, at + 2200);
  for (const [pattern, make] of ANGLED) {
    const match = pattern.exec(rest);
    if (match) return { node: make(match), end: at + match[0].length };
  }
  return null;
}

function everyone(text, at) {
  const match = /^@(everyone|here)\b/.exec(text.slice(at, at + 12));
  return match ? { node: { kind: "everyone", name: match[1] }, end: at + match[0].length } : null;
}

function maskedLink(text, at, depth) {
  const middle = closing(text, at + 1, (i) => text.startsWith("](", i));
  if (middle === -1 || text.slice(at + 1, middle).trim() === "") return null;
  const match = /^\]\(<?(https?:\/\/[^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+(?:"([^"\n]*)"|'([^'\n]*)'))?\)/i.exec(text.slice(middle));
  if (!match) return null;
  const children = parseInline(text.slice(at + 1, middle), depth + 1, true);
  const title = match[2] ?? match[3] ?? null;
  return { node: { kind: "link", url: match[1], title, masked: true, children }, end: middle + match[0].length };
}

function bareLink(text, at) {
  const match = /^https?:\/\/[^\s<]+/i.exec(text.slice(at));
  if (!match) return null;
  let url = match[0];
  // Punctuation at the end belongs to the sentence; so does a bracket that the link did not open.
  for (;;) {
    const last = url[url.length - 1];
    if (last === ")" && count(url, ")") <= count(url, "(")) break;
    if (!".,:;\"'!?)*_~|]".includes(last)) break;
    url = url.slice(0, -1);
  }
  if (!/^https?:\/\/./i.test(url)) return null;
  return { node: { kind: "link", url, children: [{ kind: "text", text: url }] }, end: at + url.length };
}

function count(text, character) {
  return text.split(character).length - 1;
}

function emoji(text, at) {
  const symbol = emojiAt(text, at);
  return symbol ? { node: { kind: "emoji", text: symbol }, end: at + symbol.length } : null;
}
