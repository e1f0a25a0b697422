import { compareStamps } from "./versions.js";

/** @typedef {import("./versions.js").Stamp} Stamp */

/**
 * When a state was read from the database, and whether an answer brought it, not a push.
 * @typedef {{asOf: string, snapshot: boolean}} Reading
 */

/**
 * @template T
 * @typedef {{stamp: Stamp, value: Readonly<T> | null} & Reading} Entry
 */

/** @type {Reading} */
const UNREAD = { asOf: "", snapshot: false };

/**
 * The newest known state of each object of one kind.
 *
 * There is no way to write a state but `offer`, and `offer` lets only newer ones in: an answer that comes late, a
 * message sent twice and a page that was cached all end here, not in front of a reader.
 * @template T
 */
export class Gate {
  /** @type {Map<string, Entry<T>>} */
  #entries = new Map();

  /**
   * Take the state if it is newer than the one held; true if what `get` returns has changed.
   *
   * A snapshot of the very version held replaces it too, unless it was read earlier: it is the same state, with later
   * readings of the clock and in the reader's own language.
   * @param {string} key
   * @param {Stamp} stamp
   * @param {T} value
   * @param {Reading} [reading]
   */
  offer(key, stamp, value, { asOf, snapshot } = UNREAD) {
    const held = this.#entries.get(key);
    if (held && !isNews(held, stamp, asOf, snapshot)) return false;
    this.#entries.set(key, { stamp, value: deepFreeze(value), asOf, snapshot });
    return true;
  }

  /**
   * Take the object away as of this stamp; true if it was there. Its grave refuses older states that are still under
   * way and lets a newer one in, as after access was given again. Where an answer told of the absence, and so no
   * version names it, `asOf` is the answer's moment: what was read before is older.
   * @param {string} key
   * @param {Stamp} stamp
   * @param {string} [asOf]
   */
  bury(key, stamp, asOf = "") {
    const held = this.#entries.get(key);
    if (held && compareStamps(stamp, held.stamp) < 0) return false;
    this.#entries.set(key, { stamp, value: null, asOf, snapshot: true });
    return Boolean(held?.value);
  }

  /** @param {string} key @returns {Readonly<T> | null} */
  get(key) {
    return this.#entries.get(key)?.value ?? null;
  }

  /** The stamp of the state held, or of the grave. @param {string} key @returns {Stamp | null} */
  stampOf(key) {
    return this.#entries.get(key)?.stamp ?? null;
  }

  /** Whether an answer brought the state held, in its reader's language. @param {string} key */
  isAnswer(key) {
    return this.#entries.get(key)?.snapshot ?? false;
  }

  /** Every state held. @returns {Readonly<T>[]} */
  values() {
    return [...this.#entries.values()].flatMap((entry) => (entry.value === null ? [] : [entry.value]));
  }
}

/**
 * @param {Entry<unknown>} held
 * @param {Stamp} stamp
 * @param {string} asOf
 * @param {boolean} snapshot
 */
function isNews(held, stamp, asOf, snapshot) {
  const order = compareStamps(stamp, held.stamp);
  if (held.value === null) return order > 0 && (stamp.epoch > held.stamp.epoch || held.asOf === "" || asOf > held.asOf);
  return order > 0 || (order === 0 && snapshot && asOf >= held.asOf);
}

/**
 * @template V
 * @param {V} value
 * @returns {Readonly<V>}
 */
export function deepFreeze(value) {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
