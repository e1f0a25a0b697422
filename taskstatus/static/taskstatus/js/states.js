import { h, icon } from "./dom.js";
import { gettext } from "./words.js";

/** Rows that are still to come. */
export function loading() {
  const rows = Array.from({ length: 4 }, () => h("li", { class: "skeleton" }));
  return h("ul", { class: "card rows", "aria-label": gettext("Loading") }, ...rows);
}

/** Nothing to show, and why. @param {{title: string, text: string, symbol?: string, action?: HTMLElement | null}} words */
export function empty({ title, text, symbol = "tray", action = null }) {
  return h("div", { class: "empty" }, bigIcon(symbol), h("h2", {}, title), h("p", {}, text), action);
}

/** Something could not be fetched. The page tries again by itself; who doesn't want to wait has a button. @param {() => void} retry */
export function failed(retry) {
  const button = h("button", { type: "button", click: retry }, gettext("Try again"));
  const text = gettext("The service can't be reached right now. The page goes on trying by itself.");
  return empty({ title: gettext("This could not be loaded"), text, symbol: "cloud-off", action: button });
}

/** @param {string} name */
function bigIcon(name) {
  const symbol = icon(name);
  symbol.classList.add("empty-icon");
  return symbol;
}
