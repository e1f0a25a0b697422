import { h, setAttributes, setText } from "../dom.js";
import { number } from "../format.js";
import { gettext, lifecycleName } from "../words.js";

/**
 * @typedef {import("../../sdk/wire.js").Lifecycle} Lifecycle
 * @typedef {import("./counts.js").Numbers} Numbers
 *
 * What the list is to show; null stands for all.
 * @typedef {{lifecycle: Lifecycle | null, q: string, workflowId: string | null}} BoardFilter
 */

/** @type {Lifecycle[]} */
const UNFINISHED = ["PENDING", "RUNNING"];
/** @type {Lifecycle[]} */
const FINISHED = ["SUCCEEDED", "FAILED", "CANCELLED"];

/** What the page can be asked to show, as the address spells it. @param {string} address @returns {BoardFilter} */
export function readFilter(address) {
  const parameters = new URL(address).searchParams;
  const word = (parameters.get("show") ?? "").toUpperCase();
  const lifecycle = [...UNFINISHED, ...FINISHED].find((one) => one === word) ?? null;
  return { lifecycle, q: parameters.get("q") ?? "", workflowId: parameters.get("workflow") };
}

/** The address of a filter. @param {BoardFilter} filter */
export function filterAddress({ lifecycle, q, workflowId }) {
  const parameters = new URLSearchParams();
  if (lifecycle) parameters.set("show", lifecycle.toLowerCase());
  if (q) parameters.set("q", q);
  if (workflowId) parameters.set("workflow", workflowId);
  const text = parameters.toString();
  return text ? `/?${text}` : "/";
}

/** The sections that a filter shows: titles, and which tasks are under them. @param {BoardFilter} filter */
export function sectionsOf({ lifecycle, q, workflowId }) {
  const rest = { q, workflowId };
  if (lifecycle) return [{ title: lifecycleName(lifecycle), filter: { lifecycles: [lifecycle], ...rest } }];
  return [
    { title: gettext("In progress"), filter: { lifecycles: UNFINISHED, ...rest } },
    { title: gettext("Finished"), filter: { lifecycles: FINISHED, ...rest } },
  ];
}

/** The buttons that choose a lifecycle, each with its number. @param {(lifecycle: Lifecycle | null) => void} choose */
export function filterBar(choose) {
  const buttons = new Map([null, ...UNFINISHED, ...FINISHED].map((lifecycle) => [lifecycle, filterButton(lifecycle, choose)]));
  const element = h("div", { class: "filters", role: "group", "aria-label": gettext("Show") });
  element.append(...[...buttons.values()].map(({ button }) => button));
  return {
    element,
    /** @param {Lifecycle | null} chosen @param {Numbers | null} counts */
    update(chosen, counts) {
      for (const [lifecycle, { button, count }] of buttons) {
        setAttributes(button, { "aria-pressed": String(lifecycle === chosen) });
        setText(count, counts ? number(numberOf(lifecycle, counts)) : "");
      }
    },
  };
}

/** @param {Lifecycle | null} lifecycle @param {(lifecycle: Lifecycle | null) => void} choose */
function filterButton(lifecycle, choose) {
  const count = h("span", { class: "filter-count" });
  const name = lifecycle ? lifecycleName(lifecycle) : gettext("All");
  const attributes = { type: "button", class: "filter", "data-filter": lifecycle ?? "ALL", click: () => choose(lifecycle) };
  return { button: h("button", attributes, h("span", {}, name), count), count };
}

/** @param {Lifecycle | null} lifecycle @param {Numbers} counts */
function numberOf(lifecycle, counts) {
  const numbers = counts.lifecycleStatus;
  return lifecycle ? (numbers[lifecycle] ?? 0) : Object.values(numbers).reduce((sum, one) => sum + one, 0);
}
