/**
 * Words in the reader's language: the catalogue of `django.po` for scripts, in the functions that it is made from.
 * The page has loaded it before any module runs.
 *
 * @typedef {import("../sdk/names.js").Names} Names
 * @typedef {Record<string, string | number>} Values
 *
 * @typedef {object} Catalogue
 * @property {(text: string) => string} gettext
 * @property {(one: string, many: string, count: number) => string} ngettext
 * @property {(context: string, text: string) => string} pgettext
 * @property {(text: string, values: Values, isNamed: true) => string} interpolate
 */
const { gettext, ngettext, pgettext, interpolate } = /** @type {typeof globalThis & Catalogue} */ (globalThis);

export { gettext, ngettext, pgettext };

/**
 * A text with its named places filled: `fill(gettext("%(done)s of %(total)s"), {done, total})`.
 * @param {string} text
 * @param {Values} values
 */
export function fill(text, values) {
  return interpolate(text, values, true);
}

/** What a lifecycle is called; a word that is not known here is shown as it came. @param {string} word */
export function lifecycleName(word) {
  /** @type {Record<string, string>} */
  const names = {
    PENDING: pgettext("state", "Waiting"),
    RUNNING: pgettext("state", "Running"),
    SUCCEEDED: pgettext("state", "Done"),
    FAILED: pgettext("state", "Failed"),
    CANCELLED: pgettext("state", "Cancelled"),
  };
  return names[word] ?? readable(word);
}

/** @type {Record<string, string>} */
const BUILT_IN = {
  PENDING: "Pending",
  RUNNING: "Running",
  SUCCEEDED: "Succeeded",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
  RETRY_WAIT: "Waiting for a retry",
  WAITING_USER_ACTION: "Waiting for you",
};

/**
 * What a task's status is called: the registry's word, or this page's for a status that nobody gave a name.
 * @param {import("../sdk/wire.js").TaskSummary} task
 * @param {Names} names
 */
export function statusName(task, names) {
  const name = names.status(task);
  const code = task.businessStatus ?? task.lifecycleStatus;
  if (name !== BUILT_IN[code]) return name;
  /** @type {Record<string, string>} */
  const waits = { RETRY_WAIT: gettext("Waiting for a retry"), WAITING_USER_ACTION: gettext("Waiting for you") };
  return waits[code] ?? lifecycleName(code);
}

/**
 * What a step is called; one without a name is called by its operation.
 * @param {Parameters<Names["step"]>[1]} step
 * @param {string} taskId
 * @param {Names} names
 */
export function stepName(step, taskId, names) {
  const name = names.step(taskId, step);
  return name === step.operationCode ? readable(name) : name;
}

/** Why somebody may have to look after a task or step. @param {string | null} reason @param {string} health */
export function healthText(reason, health) {
  /** @type {Record<string, string>} */
  const texts = {
    NO_HEARTBEAT: gettext("No sign of life from the service that does this. It may still be working."),
    NO_PROGRESS: gettext("It is alive, but has not moved for a while."),
    NOT_STARTED: gettext("It was handed over, but has not begun yet."),
    OVER_TIME: gettext("It takes longer than expected."),
    OPTIONAL_STEP_FAILED: gettext("A part that is not essential failed; the rest goes on."),
  };
  return texts[reason ?? ""] ?? (health === "STALE" ? gettext("Its state can't be confirmed right now.") : gettext("It needs attention."));
}

/** The same in two words. @param {string | null} reason @param {string} health */
export function healthName(reason, health) {
  /** @type {Record<string, string>} */
  const names = {
    NO_HEARTBEAT: gettext("Not confirmed"),
    NO_PROGRESS: gettext("Not moving"),
    NOT_STARTED: gettext("Not started"),
    OVER_TIME: gettext("Overdue"),
    OPTIONAL_STEP_FAILED: gettext("Partly failed"),
  };
  return names[reason ?? ""] ?? (health === "STALE" ? gettext("Not confirmed") : gettext("Needs attention"));
}

/** Its icon: nobody has to tell by the colour. @param {string | null} reason @param {string} health */
export function healthIcon(reason, health) {
  /** @type {Record<string, string>} */
  const icons = { NO_PROGRESS: "pulse", NOT_STARTED: "clock", OVER_TIME: "clock", OPTIONAL_STEP_FAILED: "warning" };
  return icons[reason ?? ""] ?? (health === "STALE" ? "question" : "pulse");
}

/** What the reader can do about a failure, by the code of the action. @param {string} code */
export function actionText(code) {
  /** @type {Record<string, string>} */
  const texts = {
    REUPLOAD_FILE: gettext("Upload the file again, in a format that is supported."),
    UPLOAD_FILE: gettext("Upload the missing file."),
    RETRY: gettext("Start it again where you started it."),
    REVIEW: gettext("Look it over and decide."),
    APPROVE: gettext("Approve it, or turn it down."),
    CONTACT_SUPPORT: gettext("Ask the people who run this service; give them the code above."),
    VIEW_DETAILS: gettext("See the steps below for what happened."),
    CHECK_INPUT: gettext("Check what you handed in, and hand it in again."),
  };
  return texts[code] ?? readable(code);
}

/** A code as words: DOCUMENT.PARSE_PAGES becomes "Document: parse pages". @param {string} code */
export function readable(code) {
  const text = String(code ?? "").toLowerCase().replaceAll(".", ": ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A number of things, as `text` spells it; a unit that is not known here stands as the service named it.
 * @param {string} text
 * @param {number} count
 * @param {string | null} unit
 */
export function amount(text, count, unit) {
  /** @type {Record<string, string | null>} */
  const units = {
    // A service's own unit may be any word, "constructor" too.
    __proto__: null,
    page: ngettext("%(n)s page", "%(n)s pages", count),
    file: ngettext("%(n)s file", "%(n)s files", count),
    row: ngettext("%(n)s row", "%(n)s rows", count),
    item: ngettext("%(n)s item", "%(n)s items", count),
    percent: gettext("%(n)s percent"),
  };
  if (unit === null || unit === undefined) return text;
  const words = units[unit.toLowerCase().replace(/s$/, "")];
  return words ? fill(words, { n: text }) : `${text} ${unit}`;
}
