import { minute } from "./format.js";
import { fill, gettext, statusName } from "./words.js";

/**
 * @typedef {import("../sdk/wire.js").Notice} Notice
 * @typedef {import("../sdk/wire.js").TaskSummary} TaskSummary
 * @typedef {import("./unconfirmed.js").Unconfirmed} Unconfirmed
 *
 * What the words about a notice are taken from.
 * @typedef {{names: import("./words.js").Names, unconfirmed: Unconfirmed}} Sources
 */

const ALARM = "ERROR";

/**
 * What a notice is about, in the reader's language; one of a type that is not known here keeps the service's title.
 * @param {Notice} notice
 */
export function noticeTitle(notice) {
  /** @type {Record<string, string>} */
  const titles = {
    STEP_FAILED: notice.level === ALARM ? gettext("A step failed") : gettext("A part that is not essential failed"),
    STEP_RETRYING: gettext("A step failed and will be tried again"),
    TASK_FAILED: gettext("The task failed"),
    TASK_SUCCEEDED: gettext("The task is done"),
    TASK_CANCELLED: gettext("The task was cancelled"),
    TASK_STALE: notice.level === ALARM ? gettext("The task has not been heard of for a long time") : gettext("The task's state can't be confirmed right now"),
    TASK_RECOVERED: gettext("The task is heard of again"),
    ACTION_REQUIRED: gettext("Your help is needed"),
    TASK_CORRECTED: gettext("The task's state was corrected"),
  };
  return titles[notice.type] ?? notice.title;
}

/**
 * What there is to say about it. Pushes go to all readers of a channel and are in English; in another language the
 * page says what it knows by the notice's type, until an answer brings the words for a failure.
 * @param {Notice} notice
 * @param {TaskSummary | null} task
 * @param {Sources} sources
 */
export function noticeText(notice, task, { names, unconfirmed }) {
  if (!task) return notice.message;
  if (notice.type === "TASK_STALE") return about(task, silence(task, unconfirmed));
  if (document.documentElement.lang === "en") return notice.message;
  /** @type {Record<string, string>} */
  const texts = {
    STEP_RETRYING: gettext("Another attempt follows by itself."),
    TASK_RECOVERED: gettext("Its state is confirmed again."),
    TASK_CORRECTED: fill(gettext("An operator corrected its state; it is now: %(status)s."), { status: statusName(task, names) }),
  };
  return about(task, texts[notice.type]);
}

/**
 * Said by this page's clock in every language: a notice tells the time as it is in Greenwich.
 * @param {TaskSummary} task
 * @param {Unconfirmed} unconfirmed
 */
function silence(task, unconfirmed) {
  const since = unconfirmed.since(task) ?? task.updatedAt;
  return fill(gettext("It is still running as far as we know, but not confirmed since %(time)s."), { time: minute(since) });
}

/** A text about a task, which it names. @param {TaskSummary} task @param {string | undefined} text */
export function about(task, text) {
  return text ? `${task.title}: ${text}` : task.title;
}

/**
 * How a notice looks: silence is no failure, and never looks like one, however long it lasts.
 * @param {{level: Notice["level"], type?: string}} notice
 * @returns {[tone: string, symbol: string]}
 */
export function noticeLook(notice) {
  if (notice.type === "TASK_STALE") return ["warning", "question"];
  /** @type {Record<Notice["level"], [tone: string, symbol: string]>} */
  const looks = { INFO: ["info", "info"], WARNING: ["warning", "warning"], ERROR: ["danger", "cross"] };
  return looks[notice.level] ?? looks.INFO;
}
