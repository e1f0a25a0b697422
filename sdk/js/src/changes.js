/**
 * What one batch of messages and answers changed: ids, and what is told once.
 * @typedef {object} Change
 * @property {Set<string>} tasks
 * @property {Set<string>} details
 * @property {Set<string>} workflows
 * @property {{taskId: string, notice: import("./wire.js").Notice}[]} notices
 * @property {{taskId: string, epoch: string, event: import("./wire.js").TimelineEvent}[]} events
 * @property {import("./wire.js").Broadcast[]} broadcasts
 * @property {boolean} epochRaised
 */

/** Gathers what changes during a batch, however deeply batches are nested, and tells listeners once at its end. */
export class Changes {
  /** @type {Set<(change: Change) => void>} */
  #listeners = new Set();
  #depth = 0;

  /** What changed since listeners were last told. */
  current = emptyChange();

  /** @param {(change: Change) => void} listener @returns {() => void} how to stop */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {() => void} work */
  batch(work) {
    this.#depth += 1;
    try {
      work();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#tell();
    }
  }

  #tell() {
    const change = this.current;
    if (isEmpty(change)) return;
    this.current = emptyChange();
    this.#listeners.forEach((listener) => listener(change));
  }
}

/** @returns {Change} */
function emptyChange() {
  return {
    tasks: new Set(),
    details: new Set(),
    workflows: new Set(),
    notices: [],
    events: [],
    broadcasts: [],
    epochRaised: false,
  };
}

/** @param {Change} change */
function isEmpty({ tasks, details, workflows, notices, events, broadcasts, epochRaised }) {
  const sets = tasks.size + details.size + workflows.size;
  return !epochRaised && sets + notices.length + events.length + broadcasts.length === 0;
}
