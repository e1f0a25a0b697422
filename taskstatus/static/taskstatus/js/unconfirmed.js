import { minute } from "./format.js";
import { fill, gettext, healthName, statusName } from "./words.js";

/** @typedef {import("../sdk/wire.js").TaskSummary} TaskSummary */

/** Tells since when tasks that are STALE are not confirmed, as far as this page knows. */
export class Unconfirmed {
  #store;
  /** The earliest moment known, by task: a summary tells only of its own version's. @type {Map<string, string>} */
  #since = new Map();

  /** @param {import("../sdk/index.js").Store} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * The moment (as it travels) since when nothing was heard of the task, or was known not to be; null while it is.
   * @param {TaskSummary} task
   */
  since(task) {
    if (task.health !== "STALE") {
      this.#since.delete(task.id);
      return null;
    }
    const steps = this.#store.detail(task.id)?.steps ?? [];
    const heard = steps.filter((step) => step.health === "STALE").map((step) => step.lastHeartbeatAt ?? step.staleSince);
    const moments = [this.#since.get(task.id), task.updatedAt, ...heard].filter((one) => one !== null && one !== undefined);
    const earliest = moments.reduce((one, other) => (other < one ? other : one));
    this.#since.set(task.id, earliest);
    return earliest;
  }

  /** How the task is, in a few words: "Not moving", or "Not confirmed since 12:30". @param {TaskSummary} task */
  name(task) {
    const since = this.since(task);
    if (since === null) return healthName(task.healthReason, task.health);
    return fill(gettext("Not confirmed since %(time)s"), { time: minute(since) });
  }

  /**
   * The same as a sentence that leaves the task its state: "Running, not confirmed since 12:30".
   * @param {TaskSummary} task
   * @param {import("./words.js").Names} names
   */
  sentence(task, names) {
    const since = this.since(task) ?? task.updatedAt;
    return fill(gettext("%(status)s, not confirmed since %(time)s"), { status: statusName(task, names), time: minute(since) });
  }
}
