import { h, setAttributes, setText } from "../dom.js";
import { number } from "../format.js";
import { gettext, lifecycleName } from "../words.js";

const UNFINISHED = ["PENDING", "RUNNING"];
const FINISHED = ["SUCCEEDED", "FAILED", "CANCELLED"];

/** What the page can be asked to show, as the address spells it. */
export function readFilter(address) {
  const parameters = new URL(address).searchParams;
  const word = (parameters.get("show") ?? "").toUpperCase();
  const lifecycle = [...UNFINISHED, ...FINISHED].includes(word) ? word : null;
  return { lifecycle, q: parameters.get("q") ?? "", workflowId: parameters.get("workflow") };
}

/** The address of a filter. */
export function filterAddress({ lifecycle, q, workflowId }) {
  const parameters = new URLSearchParams();
  if (lifecycle) parameters.set("show", lifecycle.toLowerCase());
  if (q) parameters.set("q", q);
  if (workflowId) parameters.set("workflow", workflowId);
  const text = parameters.toString();
  return text ? `/?${text}` : "/";
}

/** The sections that a filter shows: titles, and which tasks are under them. */
export function sectionsOf({ lifecycle, q, workflowId }) {
  const rest = { q, workflowId };
  if (lifecycle) return [{ title: lifecycleName(lifecycle), filter: { lifecycles: [lifecycle], ...rest } }];
  return [
    { title: gettext("In progress"), filter: { lifecycles: UNFINISHED, ...rest } },
    { title: gettext("Finished"), filter: { lifecycles: FINISHED, ...rest } },
  ];
}

/** The buttons that choose a lifecycle, each with its number. */
export function filterBar(choose) {
  const buttons = new Map([null, ...UNFINISHED, ...FINISHED].map((lifecycle) => [lifecycle, filterButton(lifecycle, choose)]));
  const element = h("div", { class: "filters", role: "group", "aria-label": gettext("Show") });
  element.append(...[...buttons.values()].map(({ button }) => button));
  return {
    element,
    update(chosen, counts) {
      for (const [lifecycle, { button, count }] of buttons) {
        setAttributes(button, { "aria-pressed": String(lifecycle === chosen) });
        setText(count, counts ? number(numberOf(lifecycle, counts)) : "");
      }
    },
  };
}

function filterButton(lifecycle, choose) {
  const count = h("span", { class: "filter-count" });
  const name = lifecycle ? lifecycleName(lifecycle) : gettext("All");
  const attributes = { type: "button", class: "filter", "data-filter": lifecycle ?? "ALL", click: () => choose(lifecycle) };
  return { button: h("button", attributes, h("span", {}, name), count), count };
}

function numberOf(lifecycle, counts) {
  const numbers = counts.lifecycleStatus;
  return lifecycle ? numbers[lifecycle] : Object.values(numbers).reduce((sum, one) => sum + one, 0);
}
