/** Adds rows to a form that holds several, and names each by what it says. */

const ROOM = 10;

/** @param {HTMLElement} rows */
export function growRows(rows) {
  const section = rows.closest("section");
  const total = section?.querySelector("input[name$=TOTAL_FORMS]");
  const template = section?.querySelector("template[data-empty-row]");
  const button = section?.querySelector("[data-add-row]");
  if (!total || !template || !button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const number = total.value;
    const fresh = template.content.cloneNode(true);
    rename(fresh, number);
    const order = fresh.querySelector("[data-member=order] input");
    if (order) order.value = String(nextOrder(rows));
    rows.append(fresh);
    total.value = String(Number(number) + 1);
    rows.lastElementChild?.querySelector("input")?.focus();
    rows.dispatchEvent(new Event("input", { bubbles: true }));
  });
  rows.addEventListener("input", (event) => {
    const row = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    const code = row?.querySelector("[data-member=code] input");
    if (code) row.querySelector("[data-row-title]").textContent = code.value;
  });
}

/** A place after all others, with room between. @param {HTMLElement} rows */
function nextOrder(rows) {
  const orders = [...rows.querySelectorAll("[data-member=order] input")].map((input) => Number(input.value) || 0);
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
