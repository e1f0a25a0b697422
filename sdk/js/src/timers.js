/** Timers that tests can replace. */

/**
 * @typedef {object} Timers
 * @property {(work: () => void, ms: number) => unknown} set
 * @property {(timer: any) => void} clear
 * @property {() => number} now milliseconds that only grow
 */

/** @type {Timers} */
export const realTimers = {
  set: (work, ms) => setTimeout(work, ms),
  clear: (timer) => clearTimeout(timer),
  now: () => performance.now(),
};

/**
 * Wait; ends early, without an error, when the signal is aborted.
 * @param {number} ms
 * @param {Timers} timers
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function sleep(ms, timers, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      timers.clear(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = timers.set(end, ms);
    signal?.addEventListener("abort", end);
  });
}
