import { fill, gettext, healthName, readable } from "./words.js";

/** @typedef {import("../sdk/wire.js").TimelineEvent} TimelineEvent */

/**
 * What happened, as one sentence; `name` is the step's, where the event is about one.
 * @param {TimelineEvent} event
 * @param {string | null} name
 */
export function eventSentence(event, name) {
  /** @type {Record<string, string>} */
  const texts = {
    TASK_CREATED: gettext("The task was created"),
    STEP_REGISTERED: gettext("%(step)s was added"),
    STEP_ACTIVATED: gettext("%(step)s was handed over"),
    STEP_SUPERSEDED: gettext("%(step)s was taken back, to be started anew"),
    STEP_STARTED: gettext("%(step)s began"),
    STEP_PROGRESS: gettext("%(step)s moved on"),
    STEP_COMPLETED: gettext("%(step)s is done"),
    STEP_FAILED: gettext("%(step)s failed"),
    STEP_CANCELLED: gettext("%(step)s was cancelled"),
    TASK_STATUS_CHANGED: gettext("The task's status changed"),
    TASK_COMPLETED: gettext("The task is done"),
    TASK_FAILED: gettext("The task failed"),
    TASK_CANCELLED: gettext("The task was cancelled"),
    TASK_CLASSIFIED: gettext("The task was given its kind"),
    TASK_METADATA_UPDATED: gettext("The task's particulars changed"),
    TASK_RETRIED: gettext("The task was started again"),
    TASK_CANCEL_REQUESTED: gettext("%(who)s asked that the task be cancelled"),
    TASK_CORRECTED: gettext("An operator corrected the task's state"),
    TASK_ACCESS_CHANGED: gettext("It changed who may see the task"),
    STEP_HEALTH_CHANGED: event.health === "HEALTHY" ? gettext("%(step)s is well again") : gettext("%(step)s was checked; the task is now: %(state)s"),
  };
  const values = { step: name ?? gettext("A step"), who: event.producerId ?? "", state: healthName(event.healthReason, event.health) };
  return fill(texts[event.eventType] ?? readable(event.eventType), values);
}

/** The icon and the tone of what happened. @param {TimelineEvent} event @returns {[symbol: string, tone: string]} */
export function eventIcon(event) {
  /** @type {Record<string, [symbol: string, tone: string]>} */
  const icons = {
    TASK_CREATED: ["flag", "neutral"],
    STEP_COMPLETED: ["check", "success"],
    TASK_COMPLETED: ["check", "success"],
    STEP_FAILED: ["cross", "danger"],
    TASK_FAILED: ["cross", "danger"],
    STEP_CANCELLED: ["slash", "neutral"],
    TASK_CANCELLED: ["slash", "neutral"],
    TASK_CANCEL_REQUESTED: ["slash", "neutral"],
    TASK_RETRIED: ["retry", "info"],
    STEP_SUPERSEDED: ["retry", "neutral"],
    STEP_HEALTH_CHANGED: event.health === "HEALTHY" ? ["pulse", "success"] : ["pulse", "warning"],
    STEP_STARTED: ["play", "info"],
  };
  return icons[event.eventType] ?? ["info", "neutral"];
}
