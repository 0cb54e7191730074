// Times as Discord writes them: beside messages, and <t:unix:style> in text, where relative ones keep walking.
//
// They follow the language that a person has chosen; American English is written with 24 hours here, as the rest of
// the page is.

import { h } from "./dom.js";

const ENGLISH = "en-GB";
const STYLES = {
  t: { hour: "2-digit", minute: "2-digit" },
  T: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  d: { day: "2-digit", month: "2-digit", year: "numeric" },
  D: { day: "numeric", month: "long", year: "numeric" },
  f: { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  F: { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  s: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" },
  S: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
};
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const FURTHEST = 8.64e12;
const made = new Map();

/** The formatter of a style, or of relative times ("R"), in a language; each is made once. */
function formatter(style, locale) {
  const key = `${locale}/${style}`;
  if (!made.has(key)) {
    const language = !locale || locale === "en-US" ? ENGLISH : locale;
    made.set(key, style === "R" ? new Intl.RelativeTimeFormat(language, { numeric: "always" }) : new Intl.DateTimeFormat(language, STYLES[style]));
  }
  return made.get(key);
}

const written = (style, iso, locale) => formatter(style, locale).format(new Date(iso));

/** "in 5 minutes", "2 hours ago", "now". */
export function relative(unix, now = Date.now(), locale = undefined) {
  const seconds = Math.round(unix - now / 1000);
  if (seconds === 0 && formatter("R", locale).resolvedOptions().locale.startsWith("en")) return "now";
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return formatter("R", locale).format(Math.trunc(seconds / length), unit);
}

/** <t:unix:style> as a <time>; a moment no calendar has is left as it was written. */
export function timeElement(unix, style, locale = undefined) {
  if (Math.abs(unix) > FURTHEST) return document.createTextNode(`<t:${unix}:${style}>`);
  const moment = new Date(unix * 1000);
  const isRelative = style === "R";
  const text = isRelative ? relative(unix, Date.now(), locale) : written(style, moment, locale);
  return h("time", { class: "stamp", datetime: moment.toISOString(), title: written("F", moment, locale), "data-relative": isRelative ? unix : null, lang: locale }, text);
}

/** Rewrites every relative time below `root` whose words have changed. */
export function walkTimes(root = document) {
  for (const element of root.querySelectorAll("time[data-relative]")) {
    const words = relative(Number(element.dataset.relative), Date.now(), element.lang || undefined);
    if (element.textContent !== words) element.textContent = words;
  }
}

export const clock = (iso, locale) => written("t", iso, locale);
export const longDay = (iso, locale) => written("D", iso, locale);
export const fullMoment = (iso, locale) => written("F", iso, locale);
export const sameDay = (one, other) => new Date(one).toDateString() === new Date(other).toDateString();

/** The time in a message's header: today by the clock, yesterday, or the date. */
export function headerTime(iso, locale = undefined, now = new Date()) {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (sameDay(iso, now)) return clock(iso, locale);
  if (sameDay(iso, yesterday)) return `Yesterday at ${clock(iso, locale)}`;
  return `${written("d", iso, locale)} ${clock(iso, locale)}`;
}
