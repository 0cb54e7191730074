// Times as Discord writes them: beside messages, and <t:unix:style> in text, where relative ones keep walking.

import { h } from "./dom.js";

const LOCALE = "en-GB";
const make = (options) => new Intl.DateTimeFormat(LOCALE, options);
const STYLES = {
  t: make({ hour: "2-digit", minute: "2-digit" }),
  T: make({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  d: make({ day: "2-digit", month: "2-digit", year: "numeric" }),
  D: make({ day: "numeric", month: "long", year: "numeric" }),
  f: make({ day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" }),
  F: make({ weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" }),
};
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const FURTHEST = 8.64e12;

/** "in 5 minutes", "2 hours ago", "now". */
export function relative(unix, now = Date.now()) {
  const seconds = Math.round(unix - now / 1000);
  if (seconds === 0) return "now";
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return RELATIVE.format(Math.trunc(seconds / length), unit);
}

/** <t:unix:style> as a <time>; a moment no calendar has is left as it was written. */
export function timeElement(unix, style) {
  if (Math.abs(unix) > FURTHEST) return document.createTextNode(`<t:${unix}:${style}>`);
  const moment = new Date(unix * 1000);
  const text = style === "R" ? relative(unix) : STYLES[style].format(moment);
  return h("time", { class: "stamp", datetime: moment.toISOString(), title: STYLES.F.format(moment), "data-relative": style === "R" ? unix : null }, text);
}

/** Rewrites every relative time below `root` whose words have changed. */
export function walkTimes(root = document) {
  for (const element of root.querySelectorAll("time[data-relative]")) {
    const words = relative(Number(element.dataset.relative));
    if (element.textContent !== words) element.textContent = words;
  }
}

export const clock = (iso) => STYLES.t.format(new Date(iso));
export const longDay = (iso) => STYLES.D.format(new Date(iso));
export const fullMoment = (iso) => STYLES.F.format(new Date(iso));
export const sameDay = (one, other) => new Date(one).toDateString() === new Date(other).toDateString();

/** The time in a message's header: today by the clock, yesterday, or the date. */
export function headerTime(iso, now = new Date()) {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (sameDay(iso, now)) return clock(iso);
  if (sameDay(iso, yesterday)) return `Yesterday at ${clock(iso)}`;
  return `${STYLES.d.format(new Date(iso))} ${clock(iso)}`;
}
