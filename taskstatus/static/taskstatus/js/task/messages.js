import { isEnded } from "../../sdk/index.js";
import { cancelText, isCancelAwaited } from "../cancel_words.js";
import { h, icon } from "../dom.js";
import { actionText, fill, gettext, healthIcon, healthText } from "../words.js";

/**
 * @typedef {import("../../sdk/wire.js").TaskSummary} TaskSummary
 * @typedef {import("../../sdk/wire.js").TaskDetail} TaskDetail
 * @typedef {import("../main.js").Context} Context
 * @typedef {import("../words.js").Names} Names
 * @typedef {{tone: string, symbol: string, title: string, more: string, actions: string[]}} Message
 */

/** What the reader should know before anything else: what failed, what they can do, and what is not sure. @param {Context} context */
export function taskMessages({ client, unconfirmed }) {
  const element = h("div", { class: "task-messages" });
  let shown = "";

  /** @param {TaskSummary} task @param {TaskDetail | null} detail */
  function update(task, detail) {
    const messages = messagesOf(task, detail, unconfirmed, client.names);
    const key = JSON.stringify(messages);
    if (key === shown) return;
    shown = key;
    element.replaceChildren(...messages.map(message));
  }
  return { element, update };
}

/** @param {TaskSummary} task @param {TaskDetail | null} detail @param {Context["unconfirmed"]} unconfirmed @param {Names} names */
function messagesOf(task, detail, unconfirmed, names) {
  const ended = isEnded(task);
  const actions = (task.actions ?? []).filter((code) => code !== "VIEW_DETAILS");
  const messages = /** @type {Message[]} */ ([]);
  if (task.failure) messages.push(failure(task.failure, task, detail, actions));
  else if (task.requiresAction && !ended) messages.push(needed(actions));
  if (!ended && task.health !== "HEALTHY") {
    messages.push(unwell(task, unconfirmed, names));
  }
  if (isCancelAwaited(task)) {
    const more = gettext("The task goes on until those who work on it have stopped.");
    messages.push({ tone: "neutral", symbol: "slash", title: cancelText(task), more, actions: [] });
  }
  return messages;
}

/**
 * Silence leaves the task its state: it is told as running, and as not confirmed (source design 4.3).
 * @param {TaskSummary} task
 * @param {Context["unconfirmed"]} unconfirmed
 * @param {Names} names
 * @returns {Message}
 */
function unwell(task, unconfirmed, names) {
  const { healthReason, health } = task;
  const look = { tone: "warning", symbol: healthIcon(healthReason, health), actions: [] };
  const text = healthText(healthReason, health);
  return health === "STALE" ? { ...look, title: unconfirmed.sentence(task, names), more: text } : { ...look, title: text, more: "" };
}

/**
 * @param {NonNullable<TaskSummary["failure"]>} failed
 * @param {TaskSummary} task
 * @param {TaskDetail | null} detail
 * @param {string[]} actions
 * @returns {Message}
 */
function failure({ code, message: text, failedStepId }, task, detail, actions) {
  const error = detail?.steps.find((step) => step.stepId === failedStepId)?.error ?? null;
  const all = [...new Set([...actions, ...(error?.actions ?? [])])].filter((action) => action !== "VIEW_DETAILS");
  const isOver = task.lifecycleStatus === "FAILED";
  return {
    tone: isOver ? "danger" : "warning",
    symbol: isOver ? "cross" : "warning",
    title: text ?? gettext("Something went wrong."),
    more: [task.businessStatus === "RETRY_WAIT" ? gettext("Another attempt follows by itself.") : "", fill(gettext("Error code: %(code)s"), { code })]
      .filter(Boolean)
      .join(" "),
    actions: all,
  };
}

/** @param {string[]} actions @returns {Message} */
function needed(actions) {
  return { tone: "warning", symbol: "hand", title: gettext("This task waits for you."), more: "", actions };
}

/** @param {Message} message */
function message({ tone, symbol, title, more, actions }) {
  const words = h("div", {}, h("p", { class: "message-title" }, title));
  if (actions.length > 0) {
    words.append(h("p", {}, gettext("What you can do:")), h("ul", { class: "actions" }, ...actions.map((code) => h("li", { "data-action": code }, actionText(code)))));
  }
  if (more) words.append(h("p", { class: "message-more" }, more));
  return h("div", { class: "message", "data-tone": tone }, icon(symbol), words);
}
