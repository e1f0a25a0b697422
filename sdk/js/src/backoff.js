/**
 * How long to wait before trying again, in milliseconds: any time up to a limit that doubles with each failure, so that
 * thousands of pages that lost one server don't come back in step (A10).
 */
export class Backoff {
  #failures = 0;
  #options;

  /** @param {{baseMs?: number, capMs?: number, random?: () => number}} [options] */
  constructor({ baseMs = 1000, capMs = 20_000, random = Math.random } = {}) {
    this.#options = { baseMs, capMs, random };
  }

  /** The next wait; `atLeastMs` is what the service asked for. */
  next(atLeastMs = 0) {
    const { baseMs, capMs, random } = this.#options;
    const limit = Math.min(capMs, baseMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.round(atLeastMs + random() * limit);
  }

  /** Begin anew after a success. */
  reset() {
    this.#failures = 0;
  }
}
