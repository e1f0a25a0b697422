import { isEnded } from "../sdk/index.js";
import { moment } from "./format.js";
import { fill, gettext } from "./words.js";

/** @typedef {import("../sdk/wire.js").TaskSummary} TaskSummary */

/**
 * Whether a task waits for its end because somebody asked for it.
 * @param {TaskSummary} task
 * @returns {task is TaskSummary & {cancelRequestedAt: string}}
 */
export function isCancelAwaited(task) {
  return !isEnded(task) && typeof task.cancelRequestedAt === "string";
}

/** That somebody asked to cancel it, and when. @param {{cancelRequestedAt: string}} asked */
export function cancelText({ cancelRequestedAt }) {
  return fill(gettext("Cancelling was asked for (%(time)s)"), { time: moment(cancelRequestedAt) });
}

/** Why there is nothing left to ask for; a task that is gone is null. @param {TaskSummary | null} task */
export function passedText(task) {
  if (task === null) return gettext("There is no such task");
  return isCancelAwaited(task) ? cancelText(task) : gettext("The task has ended; there is nothing left to cancel.");
}

/**
 * Why a wish to cancel was not taken; `mayAsk` says whether its reader may have one.
 * @param {import("../sdk/index.js").ApiError} error
 * @param {boolean} mayAsk
 */
export function refusalText(error, mayAsk) {
  /** @type {Record<string, string>} */
  const texts = {
    TERMINAL_STATE: gettext("The task has ended; there is nothing left to cancel."),
    TASK_NOT_FOUND: gettext("There is no such task"),
    INVALID_FIELD: gettext("The reason can't be taken as it is. Shorten it, or leave it out."),
    PERMISSION_REQUIRED: mayAsk
      ? gettext("This page is too old to ask. Load it again, then ask once more.")
      : gettext("You may look at this task, but not cancel it."),
  };
  if (error.status === 401) return gettext("You are not logged in any more. Log in again, then ask once more.");
  return texts[error.code] ?? gettext("The service could not take it right now. Asking again does no harm.");
}
