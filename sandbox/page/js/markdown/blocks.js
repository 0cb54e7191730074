// Discord's markdown by lines: headings, quotes, lists, small print and code blocks. Text in, blocks out.

import { parseInline } from "./inline.js";

const FENCE = "```";
const ITEM = /^( *)([-*]|\d{1,9}\.) +(?=\S)(.*)$/;

/** The blocks of a message's text. */
export function parseBlocks(text, quoted = false) {
  const blocks = [];
  let words = [];
  const flush = () => {
    if (words.length > 0) blocks.push({ kind: "paragraph", children: parseInline(words.join("\n")) });
    words = [];
  };
  let rest = text.replace(/\r\n?/g, "\n");
  while (rest !== "") {
    const block = blockAt(rest, quoted);
    if (block) {
      flush();
      blocks.push(block.node);
      rest = rest.slice(block.end);
      continue;
    }
    const newline = rest.indexOf("\n");
    const line = newline === -1 ? rest : rest.slice(0, newline);
    const fence = fenceIn(rest, line);
    if (fence) {
      if (fence.before) words.push(fence.before);
      flush();
      blocks.push(fence.node);
      rest = rest.slice(fence.end).replace(/^\n/, "");
      continue;
    }
    words.push(line);
    if (newline === -1) break;
    rest = rest.slice(newline + 1);
    // A newline at the very end of the text is an empty last line only inside other text.
    if (rest === "") words.push("");
  }
  flush();
  return blocks;
}

function blockAt(rest, quoted) {
  if (!quoted) {
    const quote = quoteAt(rest);
    if (quote) return quote;
  }
  const heading = /^ {0,3}(#{1,3}) +(?=\S)([^\n]*?)(?: +#+)? *(?:\n|$)/.exec(rest);
  if (heading) {
    return { node: { kind: "heading", level: heading[1].length, children: parseInline(heading[2]) }, end: heading[0].length };
  }
  const small = /^-# +(?=\S)([^\n]*)(?:\n|$)/.exec(rest);
  if (small) return { node: { kind: "subtext", children: parseInline(small[1]) }, end: small[0].length };
  return ITEM.test(rest.split("\n", 1)[0]) ? listAt(rest) : null;
}

function quoteAt(rest) {
  if (rest.startsWith(">>> ")) {
    return { node: { kind: "quote", children: parseBlocks(rest.slice(4), true) }, end: rest.length };
  }
  const lines = [];
  let end = 0;
  for (const line of rest.split("\n")) {
    const match = /^>(?: (.*))?$/.exec(line);
    if (!match || (match[1] === undefined && lines.length === 0)) break;
    lines.push(match[1] ?? "");
    end += line.length + 1;
  }
  if (lines.length === 0) return null;
  return { node: { kind: "quote", children: parseBlocks(lines.join("\n"), true) }, end: Math.min(end, rest.length) };
}

/** Consecutive items; deeper ones hang under the item before them, an indented line continues its item. */
function listAt(rest) {
  const items = [];
  let end = 0;
  for (const line of rest.split("\n")) {
    const match = ITEM.exec(line);
    if (match) {
      items.push({ indent: match[1].length, number: /\d/.test(match[2]) ? parseInt(match[2], 10) : null, text: match[3] });
    } else if (items.length > 0 && /^ {2,}\S/.test(line)) {
      items[items.length - 1].text += `\n${line.trim()}`;
    } else {
      break;
    }
    end += line.length + 1;
  }
  return { node: { kind: "lists", lists: nest(items, 0, items.length) }, end: Math.min(end, rest.length) };
}

/** The lists these items make: numbers after bullets begin a list of their own. */
function nest(items, from, to) {
  const lists = [];
  let at = from;
  while (at < to) {
    const { number, indent, text } = items[at];
    const ordered = number !== null;
    if (lists.at(-1)?.ordered !== ordered) lists.push({ ordered, start: number ?? 1, items: [] });
    let next = at + 1;
    while (next < to && items[next].indent > indent) next += 1;
    lists.at(-1).items.push({ children: parseInline(text), below: nest(items, at + 1, next) });
    at = next;
  }
  return lists;
}

/** A code block that opens in this line and closes in the rest of the text. */
function fenceIn(rest, line) {
  const open = line.indexOf(FENCE);
  if (open === -1) return null;
  const close = rest.indexOf(FENCE, open + FENCE.length + 1);
  if (close === -1) return null;
  const body = rest.slice(open + FENCE.length, close);
  if (body.trim() === "") return null;
  const language = /^([\w+\-.#]+)\n(?=[^]*\S)/.exec(body);
  const text = (language ? body.slice(language[0].length) : body).replace(/^\n+/, "").replace(/\n+$/, "");
  return {
    before: rest.slice(0, open),
    node: { kind: "code-block", language: language ? language[1] : null, text },
    end: close + FENCE.length,
  };
}
