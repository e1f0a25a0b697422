import { Soon } from "../soon.js";

/**
 * @typedef {import("../../sdk/index.js").Api} Api
 * @typedef {import("../../sdk/index.js").Store} Store
 * @typedef {Awaited<ReturnType<Api["counts"]>>} Numbers
 */

/** How many tasks are in which state, as the service counts them; asked again when something has moved. */
export class Counts {
  /** @type {Numbers | null} */ current = null;
  #soon = new Soon(() => void this.#read());
  /** @type {Map<string, string | null>} */ #states = new Map();
  #parts;

  /** `changed` is called with new numbers. @param {{api: Api, store: Store, changed: () => void}} parts */
  constructor({ api, store, changed }) {
    this.#parts = { api, changed };
    store.subscribe(({ tasks }) => {
      const moved = [...tasks].filter((id) => this.#moved(id, store.task(id)));
      if (moved.length > 0) this.ask();
    });
  }

  /** Ask soon. */
  ask() {
    this.#soon.ask();
  }

  async #read() {
    try {
      this.current = await this.#parts.api.counts();
      this.#parts.changed();
    } catch {
      // The numbers stay as they were; the next change asks again.
    }
  }

  /** @param {string} id @param {import("../../sdk/wire.js").TaskSummary | null} task */
  #moved(id, task) {
    const state = task ? `${task.lifecycleStatus} ${task.requiresAction}` : null;
    const isNews = this.#states.get(id) !== state;
    this.#states.set(id, state);
    return isNews;
  }
}
