import { isEnded } from "../../sdk/index.js";
import { h, icon, said, setAttributes, setIcon, setText, show } from "../dom.js";
import { progressBar } from "../progress.js";
import { lifecycleLook } from "../tones.js";
import { actionText, fill, gettext, healthText, lifecycleName, stepName } from "../words.js";
import { dataCard } from "./data_card.js";

/**
 * @typedef {import("../../sdk/wire.js").StepView} StepView
 * @typedef {import("../../sdk/wire.js").StepError} StepError
 * @typedef {import("../../sdk/wire.js").TaskDetail} TaskDetail
 * @typedef {import("../words.js").Names} Names
 * @typedef {{step: StepView, task: TaskDetail}} StepOfTask
 */

const DEEPEST = 4;

/** @param {import("../elapsed.js").Clocks} clocks */
function partsOf(clocks) {
  return {
    symbol: icon("clock"),
    name: h("h3"),
    status: h("span", { class: "status" }),
    service: h("span"),
    attempt: h("span"),
    after: h("span"),
    phase: h("p", { class: "step-phase" }),
    progress: progressBar(),
    moved: clocks.since(gettext("last progress %(ago)s")),
    beat: clocks.since(gettext("last sign of life %(ago)s")),
    health: h("p", { class: "step-health" }),
    error: h("div", { class: "step-error" }),
    data: dataCard(),
    running: clocks.running(),
    estimate: h("span", { class: "step-estimate" }, gettext("estimated")),
  };
}

/**
 * One step: state, progress and its age, time, sign of life, and what went wrong.
 * @param {import("../main.js").Context} context
 * @returns {import("../dom.js").Part<StepOfTask>}
 */
export function stepCard({ client, clocks }) {
  const parts = partsOf(clocks);
  const meta = h("p", { class: "row-meta" }, parts.status, parts.service, parts.attempt, parts.after);
  const ages = h("p", { class: "step-ages" }, parts.moved.element, parts.beat.element);
  const body = h("div", { class: "step-body" }, parts.name, meta, parts.phase, parts.progress.element, ages, parts.health, parts.error, parts.data.element);
  const time = h("div", { class: "step-time" }, parts.running.element, parts.estimate);
  const element = h("li", { class: "step" }, h("span", { class: "badge-icon badge-small" }, parts.symbol), body, time);
  return { element, update: ({ step, task }) => draw({ element, ...parts }, step, task, client.names) };
}

/**
 * @param {ReturnType<typeof partsOf> & {element: HTMLElement}} parts
 * @param {StepView} step
 * @param {TaskDetail} task
 * @param {Names} names
 */
function draw(parts, step, task, names) {
  const look = lifecycleLook(step);
  const ended = isEnded(step);
  const attributes = { "data-tone": look.tone, "data-step": step.stepId, "data-lifecycle": step.lifecycleStatus };
  setAttributes(parts.element, { ...attributes, "data-depth": Math.min(step.depth ?? 0, DEEPEST) });
  setIcon(parts.symbol, look.icon);
  setText(parts.name, stepName(step, task.id, names));
  setText(parts.status, lifecycleName(step.lifecycleStatus));
  said(parts.service, step.serviceName ?? "");
  said(parts.attempt, step.attempt > 1 ? fill(gettext("attempt %(n)s"), { n: step.attempt }) : "");
  said(parts.after, waitsFor(step, task, names));
  said(parts.phase, ended ? "" : (step.phaseLabel ?? ""));
  const isRunning = step.lifecycleStatus === "RUNNING" && !isEnded(task);
  parts.progress.update(ended && step.lifecycleStatus === "SUCCEEDED" ? null : step.progress, isRunning);
  parts.moved.update(isRunning ? step.progressUpdatedAt : null);
  parts.beat.update(isRunning ? step.lastHeartbeatAt : null);
  said(parts.health, isRunning && step.health !== "HEALTHY" ? healthText(step.healthReason, step.health) : "");
  drawError(parts.error, step.error, task.failure?.failedStepId !== step.stepId);
  parts.data.update(step.data);
  parts.running.update(step);
  show(parts.estimate, step.durationSource === "WALL_CLOCK_ESTIMATE");
}

/** @param {StepView} step @param {TaskDetail} task @param {Names} names */
function waitsFor(step, task, names) {
  if (step.lifecycleStatus !== "PENDING" || (step.dependsOn ?? []).length === 0) return "";
  const before = task.steps.filter((one) => step.dependsOn.includes(one.stepId)).map((one) => stepName(one, task.id, names));
  return fill(gettext("after: %(steps)s"), { steps: before.join(", ") });
}

/**
 * What can be done is said once: for the failure of the task, at the top of the page.
 * @param {HTMLElement} element
 * @param {StepError | null} error
 * @param {boolean} withActions
 */
function drawError(element, error, withActions) {
  const key = JSON.stringify([error ?? null, withActions]);
  show(element, Boolean(error));
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  element.replaceChildren(...(error ? errorWords(withActions ? error : { ...error, actions: [] }) : []));
}

/** What went wrong in words for readers, and what they can do about it. @param {StepError} error */
export function errorWords({ userMessage, code, retryable, actions }) {
  const more = [h("code", {}, code), retryable ? gettext("this can be tried again") : ""].filter(Boolean);
  /** @type {HTMLElement[]} */
  const words = [h("p", {}, userMessage ?? gettext("Something went wrong.")), h("p", { class: "message-more" }, ...separated(more))];
  const open = (actions ?? []).filter((action) => action !== "VIEW_DETAILS");
  if (open.length > 0) words.push(h("ul", { class: "actions" }, ...open.map((action) => h("li", {}, actionText(action)))));
  return words;
}

/** @param {(HTMLElement | string)[]} parts */
function separated(parts) {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [" · ", part]));
}
