import { isEnded } from "../sdk/index.js";
import { moment } from "./format.js";
import { fill, gettext } from "./words.js";

/** Whether a task waits for its end because somebody asked for it. */
export function isCancelAwaited(task) {
  return !isEnded(task) && typeof task.cancelRequestedAt === "string";
}

/** That somebody asked to cancel it, and when. */
export function cancelText({ cancelRequestedAt }) {
  return fill(gettext("Cancelling was asked for (%(time)s)"), { time: moment(cancelRequestedAt) });
}

/** Why there is nothing left to ask for; a task that is gone is null. */
export function passedText(task) {
  if (task === null) return gettext("There is no such task");
  return isEnded(task) ? gettext("The task has ended; there is nothing left to cancel.") : cancelText(task);
}

/** Why a wish to cancel was not taken; `mayAsk` says whether its reader may have one. */
export function refusalText(error, mayAsk) {
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
