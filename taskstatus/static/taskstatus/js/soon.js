/** What is asked for is done soon, but not more often than this. */
const SOON_MS = 300;
const PAUSE_MS = 3000;

/** Does some work soon after it was asked for, once for all who asked meanwhile. */
export class Soon {
  #work;
  /** @type {number | null} */ #timer = null;
  #doneAt = Number.NEGATIVE_INFINITY;

  /** @param {() => void} work */
  constructor(work) {
    this.#work = work;
  }

  /** Ask for it. */
  ask() {
    if (this.#timer !== null) return;
    const wait = Math.max(SOON_MS, this.#doneAt + PAUSE_MS - performance.now());
    this.#timer = setTimeout(() => this.#do(), wait);
  }

  #do() {
    this.#doneAt = performance.now();
    this.#timer = null;
    this.#work();
  }
}
