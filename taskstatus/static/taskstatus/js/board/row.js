import { isEnded } from "../../sdk/index.js";
import { cancelText, isCancelAwaited } from "../cancel_words.js";
import { h, icon, said, setAttributes, setIcon, setText, show } from "../dom.js";
import { progressBar } from "../progress.js";
import { tag } from "../tag.js";
import { iconOf, toneOf } from "../tones.js";
import { fill, gettext, healthIcon, statusName, stepName } from "../words.js";

/**
 * @typedef {import("../../sdk/wire.js").TaskSummary} TaskSummary
 * @typedef {import("../main.js").Context} Context
 * @typedef {import("../words.js").Names} Names
 */

/** @param {import("../elapsed.js").Clocks} clocks */
function partsOf(clocks) {
  return {
    symbol: icon("clock"),
    title: h("a", { class: "row-title" }),
    status: h("span", { class: "status" }),
    step: h("span"),
    failure: h("span", { class: "row-failure" }),
    needed: tag("hand", "warning"),
    health: tag("question", "warning"),
    cancel: tag("slash", "neutral"),
    attempt: h("span"),
    progress: progressBar(),
    running: clocks.running(),
    since: clocks.since("%(ago)s"),
  };
}

/**
 * One task of the list. Whatever its type, operation or product, this card can show it (R09).
 * @param {Context} context
 * @returns {import("../dom.js").Part<TaskSummary>}
 */
export function taskRow({ client, clocks, unconfirmed }) {
  const parts = partsOf(clocks);
  const tags = [parts.needed, parts.health, parts.cancel].map(({ element }) => element);
  const row = h(
    "article",
    { class: "row" },
    h("span", { class: "badge-icon" }, parts.symbol),
    h(
      "div",
      {},
      parts.title,
      h("div", { class: "row-meta" }, parts.status, parts.step, parts.failure, parts.attempt, ...tags),
    ),
    h("div", { class: "row-progress" }, parts.progress.element),
    h("div", { class: "row-time" }, h("div", {}, parts.running.element), h("div", {}, parts.since.element)),
  );
  const element = h("li", {}, row);
  return { element, update: (task) => draw({ row, ...parts }, task, client.names, unconfirmed) };
}

/**
 * @param {ReturnType<typeof partsOf> & {row: HTMLElement}} parts
 * @param {TaskSummary} task
 * @param {Names} names
 * @param {Context["unconfirmed"]} unconfirmed
 */
function draw(parts, task, names, unconfirmed) {
  const ended = isEnded(task);
  const status = statusName(task, names);
  setAttributes(parts.row, { "data-tone": toneOf(task), "data-task": task.id, "data-version": task.version });
  setIcon(parts.symbol, iconOf(task));
  setText(parts.title, task.title);
  setAttributes(parts.title, { href: `/tasks/${encodeURIComponent(task.id)}` });
  setText(parts.status, status);
  said(parts.step, ended ? "" : whereabouts(task, names));
  said(parts.failure, task.failure?.message ?? "");
  setAttributes(parts.failure, { "data-tone": task.lifecycleStatus === "FAILED" ? "danger" : "warning" });
  said(parts.attempt, task.attempt > 1 ? fill(gettext("attempt %(n)s"), { n: task.attempt }) : "");
  // A status that says so itself needs no second word.
  show(parts.needed.element, task.requiresAction && !ended && task.businessStatus !== "WAITING_USER_ACTION");
  setText(parts.needed.text, gettext("Needs you"));
  show(parts.health.element, task.health !== "HEALTHY" && !ended);
  setIcon(parts.health.symbol, healthIcon(task.healthReason, task.health));
  setText(parts.health.text, unconfirmed.name(task));
  show(parts.cancel.element, isCancelAwaited(task));
  setText(parts.cancel.text, isCancelAwaited(task) ? cancelText(task) : "");
  parts.progress.update(ended ? null : task.progress, false);
  parts.running.update(task);
  parts.since.update(ended ? (task.finishedAt ?? task.updatedAt) : task.startedAt === null ? task.createdAt : null);
}

/** Where a task stands: its step and, within it, the phase. @param {TaskSummary} task @param {Names} names */
function whereabouts(task, names) {
  const step = task.currentStep ? stepName(task.currentStep, task.id, names) : "";
  return [step, task.phaseLabel ?? ""].filter(Boolean).join(": ");
}
