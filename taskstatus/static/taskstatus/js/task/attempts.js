import { h, show } from "../dom.js";
import { duration, fullMoment, moment } from "../format.js";
import { fill, gettext, lifecycleName, stepName } from "../words.js";
import { lifecycleLook } from "../tones.js";
import { errorWords } from "./step.js";

/**
 * @typedef {import("../../sdk/wire.js").StepView} StepView
 * @typedef {{taskAttempt: number, step: StepView, isTaskOver: boolean}} Attempt
 */

/** Earlier attempts, of steps and of the whole task: the first failure stays readable after the second success. */
export class Attempts {
  element = h("section", { class: "section", "aria-label": gettext("Earlier attempts") });
  #id;
  #context;
  #list = h("ol", { class: "card rows attempts" });
  /** @type {Attempt[]} */ #earlier = [];
  #seen = "";

  /** @param {string} id @param {import("../main.js").Context} context */
  constructor(id, context) {
    this.#id = id;
    this.#context = context;
    this.element.append(h("div", { class: "section-head" }, h("h2", {}, gettext("Earlier attempts"))), this.#list);
    show(this.element, false);
  }

  /** The detail changed: ask again if an attempt was added. */
  look() {
    const detail = this.#context.client.store.detail(this.#id);
    const key = detail ? [detail.attempt, ...detail.steps.map((step) => `${step.stepId}:${step.attempt}`)].join(" ") : "";
    const isAny = detail && (detail.attempt > 1 || detail.steps.some((step) => step.attempt > 1));
    if (key === this.#seen) return;
    this.#seen = key;
    if (isAny) void this.#read();
  }

  /** Show what is known. */
  update() {
    if (this.#seen === "") this.look();
    show(this.element, this.#earlier.length > 0);
  }

  async #read() {
    try {
      const { items } = await this.#context.api.attempts(this.#id);
      this.#earlier = earlier(items);
      this.#list.replaceChildren(...this.#earlier.map((one) => this.#row(one)));
      this.update();
    } catch {
      this.#seen = "";
    }
  }

  /** @param {Attempt} attempt */
  #row({ taskAttempt, step, isTaskOver }) {
    const look = lifecycleLook(step);
    const name = stepName(step, this.#id, this.#context.client.names);
    const which = isTaskOver
      ? fill(gettext("task attempt %(task)s, step attempt %(step)s"), { task: taskAttempt, step: step.attempt })
      : fill(gettext("attempt %(n)s"), { n: step.attempt });
    const when = step.finishedAt ?? step.updatedAt;
    const time = h("time", { datetime: when, title: fullMoment(when) }, moment(when));
    const meta = h("p", { class: "row-meta" }, h("span", { class: "status" }, lifecycleName(step.lifecycleStatus)), h("span", {}, which), time);
    if (step.durationMs !== null) meta.append(h("span", {}, duration(step.durationMs)));
    return h("li", { class: "attempt", "data-tone": look.tone }, h("h3", {}, name), meta, ...(step.error ? errorWords(step.error) : []));
  }
}

/**
 * Every attempt that another one has followed, newest first.
 * @param {{taskAttempt: number, steps: StepView[]}[]} items
 * @returns {Attempt[]}
 */
function earlier(items) {
  const newest = Math.max(...items.map((item) => item.taskAttempt));
  const all = items.flatMap(({ taskAttempt, steps }) => {
    const last = /** @type {Map<string, number>} */ (new Map());
    steps.forEach((step) => last.set(step.stepId, Math.max(last.get(step.stepId) ?? 0, step.attempt)));
    const isTaskOver = taskAttempt < newest;
    const over = steps.filter((step) => step.executionId !== null && (isTaskOver || step.attempt < (last.get(step.stepId) ?? 0)));
    return over.map((step) => ({ taskAttempt, step, isTaskOver }));
  });
  return all.reverse();
}
