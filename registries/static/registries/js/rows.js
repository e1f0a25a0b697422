/** Adds rows to a form that holds several, and names each by what it says. */
import { find, findAll } from "./find.js";

const ROOM = 10;

/** @param {HTMLElement} rows */
export function growRows(rows) {
  const section = rows.closest("section");
  if (!section) return;
  const total = find(section, "input[name$=TOTAL_FORMS]", HTMLInputElement);
  const template = find(section, "template[data-empty-row]", HTMLTemplateElement);
  const button = find(section, "[data-add-row]", HTMLButtonElement);
  if (!total || !template || !button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const number = total.value;
    const fresh = document.importNode(template.content, true);
    rename(fresh, number);
    const order = find(fresh, "[data-member=order] input", HTMLInputElement);
    if (order) order.value = String(nextOrder(rows));
    rows.append(fresh);
    total.value = String(Number(number) + 1);
    rows.lastElementChild?.querySelector("input")?.focus();
    rows.dispatchEvent(new Event("input", { bubbles: true }));
  });
  rows.addEventListener("input", (event) => {
    const row = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    if (!row) return;
    const code = find(row, "[data-member=code] input", HTMLInputElement);
    const title = row.querySelector("[data-row-title]");
    if (code && title) title.textContent = code.value;
  });
}

/** A place after all others, with room between. @param {HTMLElement} rows */
function nextOrder(rows) {
  const orders = findAll(rows, "[data-member=order] input", HTMLInputElement).map((input) => Number(input.value) || 0);
  return Math.max(0, ...orders) + ROOM;
}

/** @param {DocumentFragment} row @param {string} number */
function rename(row, number) {
  for (const element of row.querySelectorAll("*")) {
    for (const name of ["id", "name", "for", "aria-describedby"]) {
      const value = element.getAttribute(name);
      if (value?.includes("__prefix__")) element.setAttribute(name, value.replaceAll("__prefix__", number));
    }
  }
}
