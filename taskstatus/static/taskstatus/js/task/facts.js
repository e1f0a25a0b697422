import { isEnded } from "../../sdk/index.js";
import { h, setText, show } from "../dom.js";
import { duration, fullMoment, moment } from "../format.js";
import { gettext, readable } from "../words.js";

/** @typedef {import("../../sdk/wire.js").TaskSummary} TaskSummary */

/**
 * The particulars of a task: its times, each counted as its name says, and what it belongs to.
 * @param {import("../main.js").Context} context
 * @returns {import("../dom.js").Part<TaskSummary>}
 */
export function facts({ clocks }) {
  const running = clocks.running();
  const waited = row(gettext("Waited"), (task) => span(task.queueDurationMs));
  const ran = row(gettext("Running time"), () => null, running.element);
  const rows = [
    waited,
    ran,
    row(gettext("From creation to end"), (task) => span(task.totalDurationMs)),
    row(gettext("Created"), (task) => task.createdAt, h("time")),
    row(gettext("Begun"), (task) => task.startedAt, h("time")),
    row(gettext("Ended"), (task) => task.finishedAt, h("time")),
    row(gettext("Kind"), (task) => (task.taskType ? readable(task.taskType) : null)),
    row(gettext("Product"), (task) => task.productId),
    row(gettext("Batch"), (task) => task.batchId),
    row(gettext("Number"), (task) => task.id, h("code")),
  ];
  const list = h("dl", { class: "facts" }, ...rows.map(({ element }) => element));
  const element = h("section", { class: "card side-card", "aria-label": gettext("Times and origin") }, list);

  /** @param {TaskSummary} task */
  function update(task) {
    rows.forEach((one) => one.update(task));
    running.update(task);
    show(ran.element, task.startedAt !== null || isEnded(task));
  }
  return { element, update };
}

/** @param {string} name @param {(task: TaskSummary) => string | null} read @param {HTMLElement} value */
function row(name, read, value = h("span")) {
  const element = h("div", {}, h("dt", {}, name), h("dd", {}, value));
  /** @param {TaskSummary} task */
  function update(task) {
    const text = read(task);
    show(element, text !== null && text !== undefined);
    if (text === null || text === undefined) return;
    if (value instanceof HTMLTimeElement) {
      value.dateTime = text;
      value.title = fullMoment(text);
      setText(value, moment(text));
    } else setText(value, text);
  }
  return { element, update };
}

/** @param {number | null} ms */
function span(ms) {
  return ms === null ? null : duration(ms);
}
