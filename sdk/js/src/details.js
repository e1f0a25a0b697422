import { realTimers } from "./timers.js";

/**
 * @typedef {import("./snapshots.js").Merge} Merge
 *
 * How a connection is told whose details to bring; it brings them as messages.
 * @typedef {object} Watcher
 * @property {(taskId: string) => void} watch
 * @property {(taskId: string) => void} unwatch
 */

/** Push and summary of one change are sent apart; a detail that stays behind for longer will not come by itself. */
const HEAL_AFTER_MS = 600;

/**
 * The tasks whose details are open. Each is subscribed to, then read; and read again whenever its summary tells of a
 * newer state than its detail shows, whatever became of the subscription.
 */
export class Details {
  /** Oldest use first. @type {Set<string>} */ #open = new Set();
  /** @type {Map<string, unknown>} */ #healing = new Map();
  /** How many may be open; the service counts them too. */
  limit = 20;
  #parts;

  /** @param {{store: import("./store.js").Store, snapshots: import("./snapshots.js").Snapshots, watcher: Watcher, timers?: import("./timers.js").Timers}} parts */
  constructor(parts) {
    this.#parts = { timers: realTimers, ...parts };
    parts.store.subscribe((change) => {
      [...change.tasks, ...change.details].forEach((id) => this.#judge(id));
    });
  }

  /** The tasks that are open, least recently used first. */
  get ids() {
    return [...this.#open];
  }

  /** Open a task's detail; the least recently used one makes room. @param {string} id @returns {Promise<void>} when it was read; raises ApiError */
  async open(id) {
    const isNew = !this.#open.delete(id);
    this.#open.add(id);
    const [oldest] = this.#open;
    if (this.#open.size > this.limit && oldest !== undefined) this.close(oldest);
    if (isNew) this.#parts.watcher.watch(id);
    await this.read(id);
  }

  /** @param {string} id */
  close(id) {
    if (!this.#open.delete(id)) return;
    this.#parts.timers.clear(this.#healing.get(id));
    this.#healing.delete(id);
    this.#parts.watcher.unwatch(id);
  }

  /** Read a task's detail now; raises ApiError. @param {string} id */
  async read(id) {
    const merge = await this.#parts.snapshots.detail(id);
    merge();
  }

  /** Read all that are open. @returns {Promise<Merge>} */
  async readAll() {
    const merges = await Promise.all(this.ids.map((id) => this.#parts.snapshots.detail(id)));
    return () => merges.forEach((merge) => merge());
  }

  /** @param {string} id */
  #judge(id) {
    if (!this.#open.has(id) || this.#healing.has(id) || !this.#parts.store.isDetailBehind(id)) return;
    this.#healing.set(id, this.#parts.timers.set(() => this.#heal(id), HEAL_AFTER_MS));
  }

  /** @param {string} id */
  async #heal(id) {
    // A read that fails is made up for by the next change or check.
    if (this.#parts.store.isDetailBehind(id)) await this.read(id).catch(() => {});
    this.#healing.delete(id);
  }
}
