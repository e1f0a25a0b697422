import { h, KeyedList, setText, show } from "../dom.js";
import { fill, gettext } from "../words.js";
import { stepCard } from "./step.js";

/**
 * @typedef {import("../../sdk/wire.js").StepView} StepView
 * @typedef {import("../../sdk/wire.js").TaskDetail} TaskDetail
 */

/** The steps of a task, children under their parents, each with its current attempt. */
export class Steps {
  element;
  #list = h("ol", { class: "steps card" });
  #count = h("span", { class: "filter-count" });
  #rows;

  /** @param {import("../main.js").Context} context */
  constructor(context) {
    this.#rows = new KeyedList(this.#list, ({ step }) => step.stepId, () => stepCard(context));
    const head = h("div", { class: "section-head" }, h("h2", {}, gettext("Steps")), this.#count);
    this.element = h("section", { class: "section", "aria-label": gettext("Steps") }, head, this.#list);
  }

  /** Show the detail's steps; without a detail, nothing is said about them. @param {TaskDetail | null} detail */
  update(detail) {
    const steps = detail?.steps ?? [];
    show(this.element, steps.length > 0);
    if (detail === null || steps.length === 0) return;
    const done = steps.filter((step) => step.lifecycleStatus === "SUCCEEDED").length;
    setText(this.#count, fill(gettext("%(done)s of %(total)s done"), { done, total: steps.length }));
    this.#rows.show(inTree(steps).map((step) => ({ step, task: detail })));
  }
}

/** Each step followed by its children, all in the order of their creation. @param {StepView[]} steps */
export function inTree(steps) {
  /** @type {Map<string | null, StepView[]>} */
  const byParent = new Map();
  const known = new Set(steps.map((step) => step.executionId));
  for (const step of steps) {
    const parent = known.has(step.parentExecutionId) ? step.parentExecutionId : null;
    byParent.set(parent, [...(byParent.get(parent) ?? []), step]);
  }
  /** @type {(parent: string | null) => StepView[]} */
  const below = (parent) => (byParent.get(parent) ?? []).flatMap((step) => [step, ...(step.executionId ? below(step.executionId) : [])]);
  return below(null);
}
