import { ServiceClock } from "./clock.js";
import { connect } from "./connect.js";
import { Details } from "./details.js";
import { Feed } from "./feed.js";
import { Names } from "./names.js";
import { Snapshots } from "./snapshots.js";
import { Store } from "./store.js";
import { TaskList } from "./task_list.js";
import { Verifier } from "./verifier.js";

/**
 * @typedef {import("./native_link.js").Link} Link
 * @typedef {import("./details.js").Watcher} Watcher
 * @typedef {import("./task_list.js").Filter} Filter
 *
 * @typedef {object} ClientParts
 * @property {import("./api.js").Api} api
 * @property {import("./notices.js").NoticeGate} [notices]
 * @property {(() => Promise<import("./centrifugo_link.js").CentrifugeModule>) | null} [loadCentrifuge]
 * @property {() => boolean} [isVisible]
 * @property {(state: import("./feed.js").FeedState) => void} [onState]
 * @property {() => void} [onSignedOut]
 * @property {typeof connect} [connect]
 */

/** A reader's tasks, kept true: one connection, one store, the lists and details that are on the screen. */
export class Client {
  names = new Names();
  clock = new ServiceClock();
  store;
  details;
  feed;
  #snapshots;
  #verifier;
  /** @type {TaskList[]} */ #lists = [];
  /** @type {Link | null} */ #link = null;
  /** @type {Watcher | null} */ #watcher = null;
  #parts;

  /** @param {ClientParts} parts */
  constructor(parts) {
    const { api, notices } = parts;
    this.#parts = parts;
    this.store = new Store(notices ? { notices } : {});
    this.#snapshots = new Snapshots({ api, store: this.store, clock: this.clock, names: this.names });
    const watcher = {
      watch: (/** @type {string} */ id) => this.#watcher?.watch(id),
      unwatch: (/** @type {string} */ id) => this.#watcher?.unwatch(id),
    };
    this.details = new Details({ store: this.store, snapshots: this.#snapshots, watcher });
    this.feed = new Feed({
      load: () => this.#readAll(),
      apply: (message) => this.#apply(message),
      batch: (work) => this.store.batch(work),
      ...(parts.onState ? { onState: parts.onState } : {}),
      ...(parts.onSignedOut ? { onSignedOut: parts.onSignedOut } : {}),
    });
    this.#verifier = new Verifier({ check: () => this.#verify(), ...(parts.isVisible ? { isVisible: parts.isVisible } : {}) });
    this.store.subscribe((change) => {
      // A restored database: nothing that was shown may be relied on.
      if (change.epochRaised) this.feed.reset();
    });
  }

  /** Connect, and stay connected. */
  async start() {
    const { api, loadCentrifuge = null, onSignedOut = () => {} } = this.#parts;
    const detailGap = (/** @type {string} */ id) => void this.details.read(id).catch(() => {});
    const { feed } = this;
    const on = {
      up: (/** @type {{recovered: boolean}} */ how) => feed.up(how),
      down: () => feed.down(),
      message: (/** @type {any} */ message) => feed.message(message),
      reset: () => feed.reset(),
      signedOut: onSignedOut,
      detailGap,
    };
    const { link, watcher, limit } = await (this.#parts.connect ?? connect)({ api, on, loadCentrifuge });
    [this.#link, this.#watcher] = [link, watcher];
    if (limit !== undefined) this.details.limit = limit;
    this.details.ids.forEach((id) => watcher.watch(id));
    link.open();
    this.#verifier.start();
  }

  /** Give up for good. */
  stop() {
    this.feed.stop();
    this.#verifier.stop();
    this.#link?.close();
  }

  /** The page came to the front, or the network is back. */
  wake() {
    this.#link?.check();
    void this.#verifier.now();
  }

  /** Replace the lists that are on the screen. @param {Filter[]} filters @returns {TaskList[]} */
  show(filters) {
    this.#lists = filters.map((filter) => new TaskList(filter, { store: this.store, snapshots: this.#snapshots }));
    return this.#lists;
  }

  /** The lists that are on the screen. */
  get lists() {
    return this.#lists;
  }

  /** Read lists now, and show what they bring at once; raises ApiError. @param {readonly TaskList[]} lists */
  async read(lists) {
    const merges = await Promise.all(lists.map((list) => list.read()));
    this.store.batch(() => merges.forEach((merge) => merge()));
  }

  /** Show more of a list; raises ApiError. @param {TaskList} list */
  async more(list) {
    const merge = await list.more();
    this.store.batch(merge);
  }

  /** Read these tasks anew, in the reader's own words. @param {readonly string[]} ids */
  async reword(ids) {
    const merge = await this.#snapshots.check(ids, { inFull: true });
    this.store.batch(merge);
  }

  async #readAll() {
    const merges = await Promise.all([...this.#lists.map((list) => list.read()), this.details.readAll()]);
    return () => merges.forEach((merge) => merge());
  }

  /** While live, ask about what is shown and has not ended; else read all anew, for nothing new arrives by itself. */
  async #verify() {
    const merge = this.feed.state === "LIVE" ? await this.#checkUnfinished() : await this.#readAll();
    this.store.batch(merge);
    this.feed.confirm();
  }

  async #checkUnfinished() {
    const shown = new Set(this.#lists.flatMap((list) => list.rows()).filter((task) => task.finishedAt === null).map((task) => task.id));
    const merges = await Promise.all([this.#snapshots.check([...shown]), this.details.readAll()]);
    return () => merges.forEach((merge) => merge());
  }

  /** @param {import("./wire.js").Message} message */
  #apply(message) {
    const asOf = message["task"]?.asOf ?? message["state"]?.asOf;
    if (typeof asOf === "string") this.clock.observe(asOf);
    this.store.accept(message);
  }
}
