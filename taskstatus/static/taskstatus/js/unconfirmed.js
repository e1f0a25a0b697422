import { minute } from "./format.js";
import { fill, gettext, healthName, statusName } from "./words.js";

/** Tells since when tasks that are STALE are not confirmed, as far as this page knows. */
export class Unconfirmed {
  #store;
  /** The earliest moment known, by task: a summary tells only of its own version's. */
  #since = new Map();

  constructor(store) {
    this.#store = store;
  }

  /** The moment (as it travels) since when nothing was heard of the task, or was known not to be; null while it is. */
  since(task) {
    if (task.health !== "STALE") {
      this.#since.delete(task.id);
      return null;
    }
    const steps = this.#store.detail(task.id)?.steps ?? [];
    const heard = steps.filter((step) => step.health === "STALE").map((step) => step.lastHeartbeatAt ?? step.staleSince);
    const moments = [this.#since.get(task.id), task.updatedAt, ...heard].filter(Boolean);
    const earliest = moments.reduce((one, other) => (other < one ? other : one));
    this.#since.set(task.id, earliest);
    return earliest;
  }

  /** How the task is, in a few words: "Not moving", or "Not confirmed since 12:30". */
  name(task) {
    const since = this.since(task);
    if (since === null) return healthName(task.healthReason, task.health);
    return fill(gettext("Not confirmed since %(time)s"), { time: minute(since) });
  }

  /** The same as a sentence that leaves the task its state: "Running, not confirmed since 12:30". */
  sentence(task, names) {
    return fill(gettext("%(status)s, not confirmed since %(time)s"), { status: statusName(task, names), time: minute(this.since(task)) });
  }
}
