import { realTimers } from "./timers.js";

const SHORTEST_MS = 30_000;
const LONGEST_MS = 60_000;

/**
 * Checks now and then, while the page is visible, that what it shows is still so (source design 13.2, R16). The pauses
 * differ, so that pages don't ask in step.
 */
export class Verifier {
  /** @type {unknown} */ #timer = null;
  #parts;

  /** @param {{check: () => Promise<void>, isVisible?: () => boolean, timers?: import("./timers.js").Timers, random?: () => number}} parts */
  constructor(parts) {
    this.#parts = { isVisible: () => true, timers: realTimers, random: Math.random, ...parts };
  }

  start() {
    const { timers, random } = this.#parts;
    timers.clear(this.#timer);
    const pauseMs = SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS);
    this.#timer = timers.set(() => void this.now(), pauseMs);
  }

  stop() {
    this.#parts.timers.clear(this.#timer);
    this.#timer = null;
  }

  /** Check at once, and then after a full pause; a check that fails is made up for by the next. */
  async now() {
    this.stop();
    if (this.#parts.isVisible()) await this.#parts.check().catch(() => {});
    this.start();
  }
}
