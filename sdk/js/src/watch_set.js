import { ApiError } from "./api.js";
import { realTimers } from "./timers.js";

/** Well within the ten minutes after which the service forgets the set. */
const RENEW_MS = 4 * 60_000;

/**
 * The tasks whose details the native stream brings (protocol 5).
 *
 * The set belongs to the login session, and so to all its tabs: a tab adds what it needs and takes away only its own.
 * @implements {Pick<import("./details.js").Watcher, "watch" | "unwatch">}
 */
export class WatchSet {
  /** @type {Set<string>} */ #own = new Set();
  /** @type {Set<string>} */ #dropped = new Set();
  #isActive = false;
  /** @type {unknown} */ #timer = null;
  #parts;
  #last = Promise.resolve();

  /** @param {{api: import("./api.js").Api, limit?: number, timers?: import("./timers.js").Timers}} parts */
  constructor(parts) {
    this.#parts = { limit: 20, timers: realTimers, ...parts };
  }

  /** @param {string} id */
  watch(id) {
    this.#own.add(id);
    this.#dropped.delete(id);
    this.#sync();
  }

  /** @param {string} id */
  unwatch(id) {
    this.#own.delete(id);
    this.#dropped.add(id);
    this.#sync();
  }

  /** The stream stands. */
  resume() {
    this.#isActive = true;
    if (this.#own.size > 0) this.#sync();
  }

  /** The stream is gone, and the service is left alone. */
  pause() {
    this.#isActive = false;
    this.#parts.timers.clear(this.#timer);
  }

  #sync() {
    if (!this.#isActive) return;
    // One after the other, so that the last word is the last wish. What fails is healed by reading the detail.
    this.#last = this.#last.then(() => this.#put()).catch(() => {});
    this.#parts.timers.clear(this.#timer);
    if (this.#own.size > 0) this.#timer = this.#parts.timers.set(() => this.#sync(), RENEW_MS);
  }

  async #put() {
    const { api, limit } = this.#parts;
    const { taskIds } = await api.watchSet();
    const others = taskIds.filter((id) => !this.#own.has(id) && !this.#dropped.has(id));
    const room = Math.max(0, limit - this.#own.size);
    try {
      await api.setWatchSet([...(room > 0 ? others.slice(-room) : []), ...this.#own]);
    } catch (error) {
      // Another tab's task may be gone; it must not keep this one's out.
      if (error instanceof ApiError && error.isAbsent) await api.setWatchSet([...this.#own]);
    }
    this.#dropped.clear();
  }
}
