import { h, show } from "../dom.js";
import { number } from "../format.js";
import { gettext, readable } from "../words.js";

const MOST = 12;
/** Cards for schemas that deserve their own; every other one gets the generic card (R09). */
const CARDS = new Map();

/** Register a card for a schema, as a product would: `make(value)` gives an element, or null for the generic card. */
export function registerCard(schema, make) {
  CARDS.set(schema, make);
}

/** The data that a service reported, as far as this reader may see it. */
export function dataCard() {
  const element = h("div", { class: "data" });
  let shown = "";

  function update(data) {
    const key = JSON.stringify(data ?? null);
    show(element, hasContent(data));
    if (key === shown) return;
    shown = key;
    element.replaceChildren(...(hasContent(data) ? [cardOf(data)] : []));
  }
  return { element, update };
}

function hasContent(data) {
  return Boolean(data) && typeof data.value === "object" && data.value !== null && Object.keys(data.value).length > 0;
}

function cardOf({ schema, value }) {
  return CARDS.get(schema)?.(value) ?? generic(value);
}

/** Whatever it is: names and plain values, what is nested only as a hint. */
function generic(value) {
  const entries = Object.entries(value).slice(0, MOST);
  return h("dl", { class: "data-card" }, ...entries.map(([name, one]) => h("div", {}, h("dt", {}, spaced(name)), h("dd", {}, plain(one)))));
}

function plain(value) {
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? gettext("yes") : gettext("no");
  if (value === null) return "–";
  if (Array.isArray(value)) return value.filter((one) => typeof one !== "object").slice(0, 5).join(", ") || "…";
  return typeof value === "object" ? "…" : String(value);
}

/** pageCount becomes "Page count". */
function spaced(name) {
  return readable(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}
