import { ApiError } from "./api.js";
import { Backoff } from "./backoff.js";
import { realTimers, sleep } from "./timers.js";

/** @typedef {import("./wire.js").Message} Message */
/** @typedef {"LIVE" | "RECOVERING" | "STALE"} FeedState */

const BUFFER_LIMIT = 5000;

/**
 * @typedef {object} FeedParts
 * @property {() => Promise<() => void>} load reads snapshots, and returns how to merge them
 * @property {(message: Message) => void} apply
 * @property {(work: () => void) => void} [batch]
 * @property {(state: FeedState) => void} [onState]
 * @property {() => void} [onSignedOut]
 * @property {import("./timers.js").Timers} [timers]
 * @property {Backoff} [backoff]
 * @property {number} [patienceMs] how long RECOVERING may last before it is called STALE
 */

/**
 * Keeps what is shown true: it hears of the connection, and decides when a snapshot is needed and what may be claimed.
 *
 * LIVE: every change arrives. RECOVERING: some may be missing, and are being fetched. STALE: that has lasted too long.
 * What was shown stays on the screen in all three. After a gap there are two ways back: the connection recovered its
 * history, and nothing was lost; or a snapshot is loaded while pushes wait in a buffer, and both are merged at once.
 */
export class Feed {
  /** @type {FeedState} */ #state = "RECOVERING";
  #isUp = false;
  /** Whether, but for the time of a broken connection, nothing is missing. */
  #isWhole = false;
  /** @type {Message[] | null} */ #buffer = [];
  #round = 0;
  /** @type {unknown} */ #patience = null;
  /** @type {number | null} */ #confirmedAt = null;
  #parts;

  /** @param {FeedParts} parts */
  constructor(parts) {
    const defaults = { timers: realTimers, backoff: new Backoff(), patienceMs: 15_000 };
    this.#parts = { batch: (/** @type {() => void} */ work) => work(), onState: () => {}, onSignedOut: () => {}, ...defaults, ...parts };
    this.#wait();
  }

  get state() {
    return this.#state;
  }

  /** The moment of this machine (`Date.now()`) at which what is shown was last known to be true; null before that. */
  get confirmedAt() {
    return this.#state === "LIVE" ? Date.now() : this.#confirmedAt;
  }

  /** The connection stands; `recovered` tells that it brings all that was missed since it last stood. @param {{recovered: boolean}} how */
  up({ recovered }) {
    this.#isUp = true;
    if (recovered && this.#isWhole) this.#become("LIVE");
    else void this.resync();
  }

  /** The connection is gone, and is being made anew. */
  down() {
    this.#isUp = false;
    if (this.#state === "LIVE") this.#become("RECOVERING");
  }

  /** The connection can't tell what was missed. */
  reset() {
    void this.resync();
  }

  /** A push arrived. @param {Message} message */
  message(message) {
    if (this.#buffer === null) this.#parts.apply(message);
    else if (this.#buffer.push(message) > BUFFER_LIMIT) this.#flush();
  }

  /** Load snapshots until it succeeds; a later call takes over from an earlier one. */
  async resync() {
    const round = ++this.#round;
    this.#isWhole = false;
    this.#buffer ??= [];
    this.#become("RECOVERING");
    while (round === this.#round && !(await this.#tryLoad(round))) {
      await sleep(this.#parts.backoff.next(), this.#parts.timers);
    }
  }

  /** What is shown was found to be true, whatever the connection is worth. */
  confirm() {
    this.#confirmedAt = Date.now();
  }

  /** Give up for good. */
  stop() {
    this.#round += 1;
    this.#parts.timers.clear(this.#patience);
  }

  /** True when there is nothing more to try. @param {number} round */
  async #tryLoad(round) {
    try {
      const merge = await this.#parts.load();
      this.#merge(merge, round);
      return true;
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.isSignedOut;
      if (isSignedOut) this.#parts.onSignedOut();
      return isSignedOut;
    }
  }

  /** @param {() => void} merge @param {number} round */
  #merge(merge, round) {
    const isCurrent = round === this.#round;
    this.#parts.batch(() => {
      merge();
      if (isCurrent) this.#flush();
    });
    if (!isCurrent) return;
    this.#isWhole = true;
    this.#confirmedAt = Date.now();
    this.#parts.backoff.reset();
    if (this.#isUp) this.#become("LIVE");
  }

  #flush() {
    const waiting = this.#buffer ?? [];
    this.#buffer = null;
    this.#parts.batch(() => waiting.forEach((message) => this.#parts.apply(message)));
  }

  /** @param {FeedState} state */
  #become(state) {
    if (this.#state === state) return;
    if (this.#state === "LIVE") this.#confirmedAt = Date.now();
    this.#state = state;
    this.#parts.timers.clear(this.#patience);
    if (state === "RECOVERING") this.#wait();
    this.#parts.onState(state);
  }

  #wait() {
    const { timers, patienceMs } = this.#parts;
    this.#patience = timers.set(() => {
      // Pushes are newer than what is shown: better unproven than held back for a snapshot that doesn't come.
      this.#flush();
      this.#become("STALE");
    }, patienceMs);
  }
}
