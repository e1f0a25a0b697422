/** @typedef {import("../sdk/wire.js").TaskSummary} TaskSummary */

const TONES = new Set(["neutral", "info", "success", "warning", "danger", "violet"]);
/** @type {Record<string, string>} */
const ALIASES = {
  error: "danger", red: "danger", green: "success", ok: "success", blue: "info", primary: "info", running: "info",
  progress: "info", amber: "warning", yellow: "warning", orange: "warning", attention: "warning", purple: "violet",
  accent: "violet", review: "violet", grey: "neutral", gray: "neutral", muted: "neutral", default: "neutral",
};
/** @type {Record<string, string>} */
const BY_SEVERITY = { INFO: "info", SUCCESS: "success", WARNING: "warning", ERROR: "danger" };
/** @type {Record<string, {tone: string, icon: string}>} */
const BY_LIFECYCLE = {
  PENDING: { tone: "neutral", icon: "clock" },
  RUNNING: { tone: "info", icon: "play" },
  SUCCEEDED: { tone: "success", icon: "check" },
  FAILED: { tone: "danger", icon: "cross" },
  CANCELLED: { tone: "neutral", icon: "slash" },
};
const GENERIC = { tone: "neutral", icon: "question" };

/** The tone of a task: the registry's colour, else its severity's. @param {TaskSummary} task */
export function toneOf(task) {
  const token = task.statusDisplay?.colorToken ?? "";
  if (TONES.has(token)) return token;
  return ALIASES[token] ?? (token === "" ? lifecycleLook(task).tone : (BY_SEVERITY[task.statusDisplay?.severity] ?? "neutral"));
}

/** The icon of a task: the registry's, if this page has drawn it, else its lifecycle's. @param {TaskSummary} task */
export function iconOf(task) {
  const key = task.statusDisplay?.iconKey;
  return key && document.getElementById(`i-${key}`) ? key : lifecycleLook(task).icon;
}

/** Tone and icon of a lifecycle; a word that is not known here gets the generic ones (R09). @param {{lifecycleStatus: string}} state */
export function lifecycleLook({ lifecycleStatus }) {
  return BY_LIFECYCLE[lifecycleStatus] ?? GENERIC;
}
