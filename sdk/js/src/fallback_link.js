import { realTimers } from "./timers.js";

/** @typedef {import("./native_link.js").Link} Link */
/** @typedef {import("./native_link.js").LinkEvents} LinkEvents */

/** How long the first connection may be away before the second is asked for help. */
const GRACE_MS = 8000;
/** How long both run side by side, so that nothing falls between them. */
const OVERLAP_MS = 5000;

/**
 * Two connections that carry the same messages: the second steps in while the first can't be had (R10). Twice the same
 * message does no harm, so a change from one to the other needs no snapshot while the other still stands.
 * @implements {Link}
 */
export class FallbackLink {
  #first;
  #second;
  #isFirstUp = false;
  #isSecondUp = false;
  #isSecondOpen = false;
  /** @type {unknown} */ #timer = null;
  #on;
  #timers;

  /** @param {{first: (on: LinkEvents) => Link, second: (on: LinkEvents) => Link, on: LinkEvents, timers?: import("./timers.js").Timers}} parts */
  constructor({ first, second, on, timers = realTimers }) {
    this.#on = on;
    this.#timers = timers;
    const common = { message: on.message, signedOut: on.signedOut };
    this.#first = first({ ...common, up: (how) => this.#firstUp(how), down: () => this.#firstDown(), reset: on.reset });
    const reset = () => {
      if (!this.#isFirstUp) on.reset();
    };
    this.#second = second({ ...common, up: (how) => this.#secondUp(how), down: () => this.#secondDown(), reset });
  }

  open() {
    this.#first.open();
    this.#await();
  }

  close() {
    this.#timers.clear(this.#timer);
    this.#first.close();
    this.#second.close();
  }

  check() {
    this.#first.check();
    if (this.#isSecondOpen) this.#second.check();
  }

  /** @param {{recovered: boolean}} how */
  #firstUp(how) {
    this.#isFirstUp = true;
    this.#after(OVERLAP_MS, () => {
      this.#isSecondOpen = false;
      this.#second.close();
    });
    if (!this.#isSecondUp) this.#on.up(how);
  }

  #firstDown() {
    const wasUp = this.#isFirstUp;
    this.#isFirstUp = false;
    if (!wasUp) return;
    this.#await();
    if (!this.#isSecondUp) this.#on.down();
  }

  /** @param {{recovered: boolean}} how */
  #secondUp(how) {
    this.#isSecondUp = true;
    if (!this.#isFirstUp) this.#on.up(how);
  }

  #secondDown() {
    this.#isSecondUp = false;
    if (!this.#isFirstUp) this.#on.down();
  }

  #await() {
    this.#after(GRACE_MS, () => {
      this.#isSecondOpen = true;
      this.#second.open();
    });
  }

  /** @param {number} ms @param {() => void} work */
  #after(ms, work) {
    this.#timers.clear(this.#timer);
    this.#timer = this.#timers.set(work, ms);
  }
}
