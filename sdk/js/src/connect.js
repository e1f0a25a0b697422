import { CentrifugoLink } from "./centrifugo_link.js";
import { FallbackLink } from "./fallback_link.js";
import { NativeLink } from "./native_link.js";
import { WatchSet } from "./watch_set.js";

/**
 * @typedef {import("./native_link.js").Link} Link
 * @typedef {import("./native_link.js").LinkEvents} LinkEvents
 * @typedef {import("./api.js").RealtimeSession} RealtimeSession
 * @typedef {import("./details.js").Watcher} Watcher
 * @typedef {import("./centrifugo_link.js").CentrifugeModule} CentrifugeModule
 *
 * @typedef {object} ConnectParts
 * @property {import("./api.js").Api} api
 * @property {LinkEvents & {detailGap: (taskId: string) => void}} on
 * @property {(() => Promise<CentrifugeModule>) | null} loadCentrifuge
 * @property {(parts: {on: LinkEvents, url?: string}) => Link} [makeNative]
 */

/**
 * The connection that the service offers: Centrifugo with the native stream behind it, or the native stream alone.
 * Where Centrifugo can't even be asked for, the native stream has to do.
 * @param {ConnectParts} parts
 * @returns {Promise<{link: Link, watcher: Watcher, limit: number | undefined}>}
 */
export async function connect({ api, on, loadCentrifuge, makeNative = (parts) => new NativeLink(parts) }) {
  const session = await api.session().catch(() => null);
  const limits = session?.limits;
  const watchSet = new WatchSet({ api, ...(limits ? { limit: limits.maxWatchedTasks } : {}) });
  /** @param {LinkEvents} events */
  const native = (events) => {
    const url = session?.endpoints["stream"];
    return makeNative({ on: carrying(watchSet, events), ...(url ? { url } : {}) });
  };
  const module = session?.transport === "centrifugo" ? await (loadCentrifuge?.() ?? Promise.reject()).catch(() => null) : null;
  if (!session || !module) return { link: native(on), watcher: watchSet, limit: limits?.maxWatchedTasks };
  return withCentrifugo({ api, on, session, module, native, watchSet });
}

/**
 * @param {{api: import("./api.js").Api, on: ConnectParts["on"], session: RealtimeSession, module: CentrifugeModule, native: (on: LinkEvents) => Link, watchSet: WatchSet}} parts
 */
function withCentrifugo({ api, on, session, module, native, watchSet }) {
  /** @type {CentrifugoLink | null} */
  let centrifugo = null;
  const first = (/** @type {LinkEvents} */ events) =>
    (centrifugo = new CentrifugoLink({ module, session, api, on: { ...events, detailGap: on.detailGap } }));
  const link = new FallbackLink({ first, second: native, on });
  const watcher = {
    watch(/** @type {string} */ id) {
      watchSet.watch(id);
      void centrifugo?.watch(id);
    },
    unwatch(/** @type {string} */ id) {
      watchSet.unwatch(id);
      centrifugo?.unwatch(id);
    },
  };
  return { link, watcher, limit: session.limits.maxDetailSubscriptions };
}

/** The events of a native stream, and the watch set kept while it stands. @param {WatchSet} watchSet @param {LinkEvents} events @returns {LinkEvents} */
function carrying(watchSet, events) {
  return {
    ...events,
    up(how) {
      watchSet.resume();
      events.up(how);
    },
    down() {
      watchSet.pause();
      events.down();
    },
  };
}
