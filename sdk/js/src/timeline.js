import { readDecimal, readStamp } from "./versions.js";

/**
 * @typedef {import("./wire.js").TimelineEvent} TimelineEvent
 * @typedef {import("./versions.js").Stamp} Stamp
 */

const PAGE = 100;
const MAX_PAGES = 5;

/**
 * What happened in one task, newest first.
 *
 * State and history heal apart (source design 3.8): a state may jump from version 9 to 12 and lack nothing, while the
 * timeline then asks for what lies between. A task's versions have no gaps, so what is missing is known exactly.
 */
export class Timeline {
  /** @type {Map<bigint, Readonly<TimelineEvent>>} */ #events = new Map();
  /** The oldest version that was asked for; null before the first reading. @type {bigint | null} */ #from = null;
  /** The oldest that the service still keeps. */
  #oldestKept = 1n;
  #epoch = 0n;
  #parts;

  /** @param {{id: string, api: import("./api.js").Api}} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** The events known, newest first. */
  get events() {
    return [...this.#events].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, event]) => event);
  }

  /** Whether older ones can be read. */
  get hasEarlier() {
    return this.#from !== null && this.#from > this.#oldestKept;
  }

  /** Whether the oldest ones are no longer kept by the service. */
  get isPurged() {
    return this.#oldestKept > 1n;
  }

  /** An event that came with a push. @param {TimelineEvent} event @param {string} epoch */
  add(event, epoch) {
    const stamp = readStamp(epoch, event.taskVersion);
    if (stamp && this.#enter(stamp.epoch) && this.#from !== null) this.#events.set(stamp.version, event);
  }

  /** Read what is missing up to this state; raises ApiError. @param {Stamp} upTo */
  async fill(upTo) {
    if (!this.#enter(upTo.epoch)) return;
    this.#from ??= firstOfPage(upTo.version);
    await this.#readMissing(this.#from, upTo.version);
  }

  /** Read a page of older events; raises ApiError. */
  async earlier() {
    if (this.#from === null || !this.hasEarlier) return;
    const [epoch, upTo] = [this.#epoch, this.#from - 1n];
    await this.#readMissing(firstOfPage(upTo), upTo);
    if (epoch === this.#epoch) this.#from = firstOfPage(upTo);
  }

  /** @param {bigint} from @param {bigint} to */
  async #readMissing(from, to) {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const missing = this.#firstMissing(from, to);
      if (missing === null || !(await this.#read(missing))) return;
    }
  }

  /** Begin anew with a newer epoch; false for an older one. @param {bigint} epoch */
  #enter(epoch) {
    if (epoch > this.#epoch) {
      this.#epoch = epoch;
      this.#events.clear();
      this.#from = null;
      this.#oldestKept = 1n;
    }
    return epoch === this.#epoch;
  }

  /** @param {bigint} from @param {bigint} to */
  #firstMissing(from, to) {
    for (let version = from > this.#oldestKept ? from : this.#oldestKept; version <= to; version += 1n) {
      if (!this.#events.has(version)) return version;
    }
    return null;
  }

  /** Read a page that begins with this version; false if it brought nothing. @param {bigint} first */
  async #read(first) {
    const { api, id } = this.#parts;
    const page = await this.#pageFrom(() => api.events(id, { afterTaskVersion: String(first - 1n), limit: PAGE }));
    const stamps = page.items.map((event) => ({ event, stamp: readStamp(page.epoch, event.taskVersion) }));
    const current = stamps.filter(({ stamp }) => stamp && this.#enter(stamp.epoch));
    current.forEach(({ event, stamp }) => this.#events.set(/** @type {Stamp} */ (stamp).version, event));
    return current.length > 0 || page.items.length === 0 && this.#oldestKept > first;
  }

  /** @param {() => Promise<import("./wire.js").TimelinePage>} ask */
  async #pageFrom(ask) {
    try {
      return await ask();
    } catch (error) {
      const oldest = readDecimal(/** @type {any} */ (error).current?.oldestTaskVersion);
      if (/** @type {any} */ (error).code !== "TIMELINE_PURGED" || oldest === null) throw error;
      this.#oldestKept = oldest;
      return { items: [], nextAfterTaskVersion: null, oldestTaskVersion: String(oldest), epoch: String(this.#epoch) };
    }
  }
}

/** Where the page begins that ends with this version. @param {bigint} last */
function firstOfPage(last) {
  return last > BigInt(PAGE) ? last - BigInt(PAGE) + 1n : 1n;
}
