/** @typedef {import("./wire.js").Notice} Notice */

const REMEMBERED = 1000;

/**
 * Which notices were told already: each is told once, by its own id, whatever happens to the state that it rode on
 * (source design 8.5). The oldest ids are forgotten beyond a thousand.
 */
export class NoticeGate {
  /** @type {Set<string>} */
  #told;

  /** @param {Iterable<string>} [told] ids told earlier, as by this page before a reload */
  constructor(told = []) {
    this.#told = new Set(told);
  }

  /** True the first time that this notice is offered. @param {Notice} notice */
  offer(notice) {
    if (typeof notice.id !== "string" || this.#told.has(notice.id)) return false;
    this.#told.add(notice.id);
    for (const oldest of this.#told) {
      if (this.#told.size <= REMEMBERED) break;
      this.#told.delete(oldest);
    }
    return true;
  }

  /** The ids told, oldest first. */
  get told() {
    return [...this.#told];
  }
}
