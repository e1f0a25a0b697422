import { isEnded } from "./wire.js";

/**
 * @typedef {import("./wire.js").TaskSummary} TaskSummary
 * @typedef {import("./snapshots.js").Merge} Merge
 *
 * Which tasks are on a list.
 * @typedef {{lifecycles: readonly string[], q?: string, workflowId?: string | null}} Filter
 */

const STEP = 50;
const PAGE_LIMIT = 200;

/**
 * A window on the newest of the tasks that a filter lets through.
 *
 * The service's pages are cut by the moment of the last update. What lies within the pages read so far is known wholly,
 * and every later change moves a task to their front, so the window fills itself from the store; `read` and `more`
 * ask the service only for what the store can't know.
 */
export class TaskList {
  #filter;
  #parts;
  #wanted = STEP;
  /** @type {string | null} */ #cursor = null;
  /** Older updates than this one are not known yet. */
  #floor = "";
  #isRead = false;
  /** Of the pages asked for, and of those that were merged, the newest. */
  #asked = 0;
  #merged = 0;

  /**
   * @param {Filter} filter
   * @param {{store: import("./store.js").Store, snapshots: import("./snapshots.js").Snapshots}} parts
   */
  constructor(filter, parts) {
    this.#filter = filter;
    this.#parts = parts;
  }

  /** Whether the service was asked. */
  get isRead() {
    return this.#isRead;
  }

  /** Whether there is more than `rows` gives. */
  get hasMore() {
    return this.#cursor !== null || this.#known().length > this.#wanted;
  }

  /** The tasks of the list: those that run or wait first, by age, then what has ended, newest end first. */
  rows() {
    return this.#known().sort(inOrder).slice(0, this.#wanted);
  }

  /** Read as much as is wanted, from the top. Tasks that should have been in the answer and are not are asked for by name. @returns {Promise<Merge>} */
  async read() {
    const turn = ++this.#asked;
    const { page, merges, ids } = await this.#readPages(null, this.#wanted);
    const missing = this.#known(floorOf(page)).filter((task) => !ids.has(task.id));
    const check = await this.#parts.snapshots.check(missing.map((task) => task.id));
    return () => {
      [...merges, check].forEach((merge) => merge());
      this.#reach(page, turn);
    };
  }

  /** Show more rows, from the store or from the service. @returns {Promise<Merge>} */
  async more() {
    this.#wanted += STEP;
    if (this.#cursor === null || this.#known().length >= this.#wanted) return () => {};
    // What is on its way will move the end to which these pages would be joined.
    if (this.#asked !== this.#merged) return this.read();
    const turn = ++this.#asked;
    const { page, merges } = await this.#readPages(this.#cursor, STEP);
    return () => {
      merges.forEach((merge) => merge());
      this.#reach(page, turn);
    };
  }

  /** @param {string | null} cursor @param {number} wanted */
  async #readPages(cursor, wanted) {
    const { lifecycles, q, workflowId } = this.#filter;
    const [merges, ids] = [/** @type {Merge[]} */ ([]), new Set()];
    for (;;) {
      const limit = Math.min(PAGE_LIMIT, wanted - ids.size);
      const query = { lifecycleStatus: lifecycles, q: q ?? null, workflowId: workflowId ?? null, cursor, limit };
      const { page, merge } = await this.#parts.snapshots.page(query);
      merges.push(merge);
      page.items.forEach((task) => ids.add(task.id));
      cursor = page.nextCursor;
      if (cursor === null || ids.size >= wanted) return { page, merges, ids };
    }
  }

  /** What was asked earlier and arrives later knows less. @param {import("./wire.js").TaskPage} page @param {number} turn */
  #reach(page, turn) {
    if (turn < this.#merged) return;
    this.#merged = turn;
    this.#cursor = page.nextCursor;
    this.#floor = floorOf(page);
    this.#isRead = true;
  }

  #known(floor = this.#floor) {
    return this.#parts.store.tasks().filter((task) => task.updatedAt >= floor && lets(this.#filter, task));
  }
}

/** The oldest update that a page reaches down to; the empty text stands before all of them. @param {import("./wire.js").TaskPage} page */
function floorOf(page) {
  return page.nextCursor === null ? "" : (page.items.at(-1)?.updatedAt ?? "");
}

/** @param {Filter} filter @param {Readonly<TaskSummary>} task */
function lets({ lifecycles, q, workflowId }, task) {
  if (!lifecycles.includes(task.lifecycleStatus)) return false;
  if (workflowId && task.workflowId !== workflowId) return false;
  return !q || fold(task.title).includes(fold(q));
}

/** The text without the difference of case, as the service compares titles. @param {string} text */
function fold(text) {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** @param {Readonly<TaskSummary>} a @param {Readonly<TaskSummary>} b */
function inOrder(a, b) {
  return descending(rank(a), rank(b)) || descending(a.id, b.id);
}

/** @param {Readonly<TaskSummary>} task */
function rank(task) {
  if (isEnded(task)) return `0 ${task.finishedAt ?? task.updatedAt}`;
  return `${task.requiresAction ? 2 : 1} ${task.createdAt}`;
}

/** @param {string} a @param {string} b */
function descending(a, b) {
  return a < b ? 1 : a > b ? -1 : 0;
}
