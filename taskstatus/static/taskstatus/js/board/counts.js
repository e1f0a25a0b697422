/** After a change the numbers are asked for soon, but not more often than this. */
const SOON_MS = 300;
const PAUSE_MS = 3000;

/** How many tasks are in which state, as the service counts them; asked again when something has moved. */
export class Counts {
  current = null;
  #timer = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #states = new Map();
  #parts;

  /** `changed` is called with new numbers. */
  constructor({ api, store, changed }) {
    this.#parts = { api, changed };
    store.subscribe(({ tasks }) => {
      const moved = [...tasks].filter((id) => this.#moved(id, store.task(id)));
      if (moved.length > 0) this.ask();
    });
  }

  /** Ask soon. */
  ask() {
    if (this.#timer !== null) return;
    const wait = Math.max(SOON_MS, this.#askedAt + PAUSE_MS - performance.now());
    this.#timer = setTimeout(() => void this.#read(), wait);
  }

  async #read() {
    this.#askedAt = performance.now();
    this.#timer = null;
    try {
      this.current = await this.#parts.api.counts();
      this.#parts.changed();
    } catch {
      // The numbers stay as they were; the next change asks again.
    }
  }

  #moved(id, task) {
    const state = task ? `${task.lifecycleStatus} ${task.requiresAction}` : null;
    const isNews = this.#states.get(id) !== state;
    this.#states.set(id, state);
    return isNews;
  }
}
