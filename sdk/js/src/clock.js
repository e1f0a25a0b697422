import { isEnded } from "./wire.js";

/**
 * The service's time, told by a clock of this machine that nobody sets.
 *
 * Every state names the moment at which it was read (`asOf`). A message may have been under way for long, never the
 * other way round, so the latest moment heard of, carried on by the monotonic clock, is the best guess of the time
 * there. The wall clock of this machine plays no part.
 */
export class ServiceClock {
  #offset = Number.NEGATIVE_INFINITY;
  #monotonic;

  /** @param {() => number} [monotonic] milliseconds that only grow */
  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Learn from a moment that the service named. @param {string} asOf */
  observe(asOf) {
    const moment = Date.parse(asOf);
    if (!Number.isNaN(moment)) this.#offset = Math.max(this.#offset, moment - this.#monotonic());
  }

  /** The service's time in milliseconds since 1970; null while nothing is known. */
  now() {
    return this.#offset === Number.NEGATIVE_INFINITY ? null : this.#monotonic() + this.#offset;
  }

  /** Milliseconds since a moment of the service, never negative; null for null or while nothing is known. @param {string | null} moment */
  since(moment) {
    const now = this.now();
    return moment === null || now === null ? null : Math.max(0, now - Date.parse(moment));
  }
}

/**
 * How long a task or step has been running, in milliseconds: it grows with the clock and needs no network; at the end
 * it is what the service says. Null before the start.
 * @param {{lifecycleStatus: string, startedAt: string | null, elapsedMs: number | null, durationMs: number | null, asOf: string}} state
 * @param {ServiceClock} clock
 */
export function runningMs(state, clock) {
  if (isEnded(state)) return state.durationMs ?? state.elapsedMs;
  if (state.startedAt === null || state.elapsedMs === null) return null;
  return state.elapsedMs + (clock.since(state.asOf) ?? 0);
}

/**
 * Whether a running clock tells the truth: not while nothing could arrive, and not while nobody has heard of the
 * executor. What has ended needs no proof.
 * @param {{lifecycleStatus: string, health: string}} state
 * @param {boolean} isLive
 */
export function isProven(state, isLive) {
  return isEnded(state) || (isLive && state.health !== "STALE");
}
