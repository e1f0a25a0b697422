import { h, show } from "../dom.js";
import { number } from "../format.js";
import { gettext, readable } from "../words.js";

/**
 * @typedef {import("../../sdk/wire.js").Data} Data
 * @typedef {(value: unknown) => HTMLElement | null} MakeCard
 */

const MOST = 12;
/** Cards for schemas that deserve their own; every other one gets the generic card (R09). @type {Map<string, MakeCard>} */
const CARDS = new Map();

/**
 * Register a card for a schema, as a product would: `make(value)` gives an element, or null for the generic card.
 * @param {string} schema
 * @param {MakeCard} make
 */
export function registerCard(schema, make) {
  CARDS.set(schema, make);
}

/** The data that a service reported, as far as this reader may see it. @returns {import("../dom.js").Part<Data | null>} */
export function dataCard() {
  const element = h("div", { class: "data" });
  let shown = "";

  /** @param {Data | null} data */
  function update(data) {
    const key = JSON.stringify(data ?? null);
    show(element, hasContent(data));
    if (key === shown) return;
    shown = key;
    element.replaceChildren(...(hasContent(data) ? [cardOf(data)] : []));
  }
  return { element, update };
}

/** @param {Data | null} data @returns {data is {schema: string, value: object}} */
function hasContent(data) {
  if (!data) return false;
  return typeof data.value === "object" && data.value !== null && Object.keys(data.value).length > 0;
}

/** @param {{schema: string, value: object}} data */
function cardOf({ schema, value }) {
  return CARDS.get(schema)?.(value) ?? generic(value);
}

/** Whatever it is: names and plain values, what is nested only as a hint. @param {object} value */
function generic(value) {
  const entries = Object.entries(value).slice(0, MOST);
  return h("dl", { class: "data-card" }, ...entries.map(([name, one]) => h("div", {}, h("dt", {}, spaced(name)), h("dd", {}, plain(one)))));
}

/** @param {unknown} value */
function plain(value) {
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? gettext("yes") : gettext("no");
  if (value === null) return "–";
  if (Array.isArray(value)) return value.filter((one) => typeof one !== "object").slice(0, 5).join(", ") || "…";
  return typeof value === "object" ? "…" : String(value);
}

/** pageCount becomes "Page count". @param {string} name */
function spaced(name) {
  return readable(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}
