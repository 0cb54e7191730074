// Dark or light: the address decides, then what the browser remembers, then the system; dark otherwise.

import { recall, remember } from "./memory.js";

const light = matchMedia("(prefers-color-scheme: light)");

/** Sets the theme for the whole page; `asked` comes from the address. */
export function startTheme(asked) {
  const set = () => apply(asked ?? recall("theme", null) ?? (light.matches ? "light" : "dark"));
  set();
  light.addEventListener("change", set);
}

export const currentTheme = () => document.documentElement.dataset.theme;

/** The other theme, from now on. */
export function toggleTheme() {
  const next = currentTheme() === "dark" ? "light" : "dark";
  remember("theme", next);
  apply(next);
  return next;
}

function apply(theme) {
  document.documentElement.dataset.theme = theme;
}
