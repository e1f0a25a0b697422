import { ApiError } from "./api.js";

const BATCH_LIMIT = 200;

/**
 * Reads states from the service. Nothing is written on arrival: each read returns how to merge what it brought, so that
 * several of them can be shown as one.
 *
 * @typedef {() => void} Merge
 */
export class Snapshots {
  #parts;

  /** @param {{api: import("./api.js").Api, store: import("./store.js").Store, clock: import("./clock.js").ServiceClock, names: import("./names.js").Names}} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** A page of a list, and how to merge it. @param {import("./api.js").Query} query */
  async page(query) {
    const { api, store, clock, names } = this.#parts;
    const page = await api.tasks(query);
    const merge = () => {
      clock.observe(page.asOf);
      page.items.forEach((task) => names.learn(task));
      store.acceptPage(page);
    };
    return { page, merge };
  }

  /**
   * What became of these tasks: only what is newer, or, with `inFull`, all of it, as for words in the reader's language.
   * @param {readonly string[]} ids
   * @param {{inFull?: boolean}} [how]
   * @returns {Promise<Merge>}
   */
  async check(ids, { inFull = false } = {}) {
    const merges = await Promise.all(chunks(ids, BATCH_LIMIT).map((part) => this.#checkSome(part, inFull)));
    return () => merges.forEach((merge) => merge());
  }

  /** A task's detail; a task that is absent, or no longer shown to this reader, is taken away by the merge. @param {string} id @returns {Promise<Merge>} */
  async detail(id) {
    const { api, store, clock, names } = this.#parts;
    const asked = store.stampOf(id);
    try {
      const detail = await api.task(id);
      return () => {
        clock.observe(detail.asOf);
        names.learn(detail);
        store.acceptDetail(detail);
      };
    } catch (error) {
      if (error instanceof ApiError && error.isAbsent) return () => store.acceptAbsence(id, asked);
      throw error;
    }
  }

  /** @param {readonly string[]} ids @param {boolean} inFull @returns {Promise<Merge>} */
  async #checkSome(ids, inFull) {
    const { api, store, clock, names } = this.#parts;
    const asked = new Map(ids.map((id) => [id, store.stampOf(id)]));
    const answer = await api.batchGet({ taskIds: [...ids], ...(inFull ? {} : known(asked, store.epoch)) });
    return () => {
      clock.observe(answer.asOf);
      answer.items.forEach(({ task }) => names.learn(task));
      store.acceptBatch(answer, asked);
    };
  }
}

/** The versions of this epoch; what is known of an older one is worth nothing. @param {Map<string, import("./versions.js").Stamp | null>} asked @param {string | null} epoch */
function known(asked, epoch) {
  if (epoch === null) return {};
  const current = [...asked].filter(([, stamp]) => stamp?.epoch === BigInt(epoch));
  return { epoch, knownVersions: Object.fromEntries(current.map(([id, stamp]) => [id, String(stamp?.version)])) };
}

/** @param {readonly string[]} items @param {number} size */
function chunks(items, size) {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
