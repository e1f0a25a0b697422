import { ApiError } from "./api.js";
import { Backoff } from "./backoff.js";
import { realTimers } from "./timers.js";

/**
 * @typedef {import("./native_link.js").Link} Link
 * @typedef {import("./native_link.js").LinkEvents} LinkEvents
 * @typedef {import("./api.js").RealtimeSession} RealtimeSession
 *
 * What is used of centrifuge-js, which is loaded only where it is needed.
 * @typedef {{Centrifuge: new (transports: object[], options: object) => any, UnauthorizedError: new (message: string) => Error}} CentrifugeModule
 */

/**
 * A connection to Centrifugo: WebSocket, else a streamed HTTP response, else server-sent events, as centrifuge-js finds.
 * @implements {Link}
 */
export class CentrifugoLink {
  /** @type {any} */ #client = null;
  /** @type {Map<string, {subscription: any, lease: string} | null>} */ #details = new Map();
  #areRecovered = true;
  /** @type {unknown} */ #retry = null;
  #backoff = new Backoff({ baseMs: 30_000, capMs: 300_000 });
  #parts;

  /** @param {{module: CentrifugeModule, session: RealtimeSession, api: import("./api.js").Api, on: LinkEvents & {detailGap: (taskId: string) => void}, timers?: import("./timers.js").Timers}} parts */
  constructor(parts) {
    this.#parts = { timers: realTimers, ...parts };
  }

  open() {
    const { module, session, on } = this.#parts;
    const options = { token: session.token, getToken: () => this.#token(), emulationEndpoint: session.endpoints["emulation"] };
    const backoff = { minReconnectDelay: 500, maxReconnectDelay: 20_000, timeout: 5000 };
    this.#client = new module.Centrifuge(transports(session.endpoints), { ...options, ...backoff });
    this.#client.on("connected", () => this.#connected());
    this.#client.on("connecting", () => on.down());
    this.#client.on("disconnected", (/** @type {{code: number}} */ { code }) => this.#disconnected(code));
    this.#client.on("subscribed", (/** @type {any} */ context) => (this.#areRecovered &&= isRecovered(context)));
    this.#client.on("publication", (/** @type {any} */ context) => on.message(context.data));
    this.#client.connect();
  }

  close() {
    const client = this.#client;
    this.#client = null;
    this.#parts.timers.clear(this.#retry);
    client?.disconnect();
  }

  check() {
    if (this.#client?.state !== "disconnected") return;
    // The token that it holds may be the reason.
    this.#client.setToken("");
    this.#client.connect();
  }

  /** Subscribe to a task's details. @param {string} taskId */
  async watch(taskId) {
    if (this.#details.has(taskId) || this.#client === null) return;
    this.#details.set(taskId, null);
    try {
      const { channel, token, lease } = await this.#parts.api.subscriptionToken(taskId);
      if (this.#details.has(taskId)) this.#subscribe(taskId, { channel, token, lease });
    } catch {
      // Without leave, or over the limit, the detail is read whenever its summary moves.
      this.#details.delete(taskId);
    }
  }

  /** End that subscription, and none other. @param {string} taskId */
  unwatch(taskId) {
    const held = this.#details.get(taskId);
    this.#details.delete(taskId);
    if (!held) return;
    held.subscription.unsubscribe();
    this.#client?.removeSubscription(held.subscription);
    this.#parts.api.release(held.lease).catch(() => {});
  }

  /** @param {string} taskId @param {{channel: string, token: string, lease: string}} leave */
  #subscribe(taskId, { channel, token, lease }) {
    const { api, on } = this.#parts;
    const getToken = async () => this.#orUnauthorized(async () => (await api.subscriptionToken(taskId)).token);
    const subscription = this.#client.newSubscription(channel, { token, getToken });
    subscription.on("publication", (/** @type {any} */ context) => on.message(context.data));
    subscription.on("subscribed", (/** @type {any} */ context) => {
      if (!isRecovered(context)) on.detailGap(taskId);
    });
    subscription.on("unsubscribed", () => {
      // Not by this page, then: the right to it may be gone.
      if (this.#details.has(taskId)) on.detailGap(taskId);
    });
    this.#details.set(taskId, { subscription, lease });
    subscription.subscribe();
  }

  #connected() {
    this.#areRecovered = true;
    this.#backoff.reset();
    // The subscriptions of the connection follow within the same turn; only then is it known what they recovered.
    queueMicrotask(() => this.#parts.on.up({ recovered: this.#areRecovered }));
  }

  /** @param {number} code */
  #disconnected(code) {
    const { on, timers } = this.#parts;
    on.down();
    if (code === UNAUTHORIZED) on.signedOut();
    // Centrifuge-js tries no more after such an end; what caused it may pass all the same.
    else if (this.#client !== null) this.#retry = timers.set(() => this.check(), this.#backoff.next());
  }

  #token() {
    return this.#orUnauthorized(async () => (await this.#parts.api.session()).token ?? "");
  }

  /** @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
  async #orUnauthorized(ask) {
    try {
      return await ask();
    } catch (error) {
      const isFinal = error instanceof ApiError && (error.isSignedOut || error.isAbsent);
      throw isFinal ? new this.#parts.module.UnauthorizedError(error.message) : error;
    }
  }
}

/** The code with which centrifuge-js gives up when there is no token to be had. */
const UNAUTHORIZED = 1;

/** @param {Record<string, string>} endpoints */
function transports({ websocket, httpStream, sse }) {
  return [
    { transport: "websocket", endpoint: websocket },
    { transport: "http_stream", endpoint: httpStream },
    { transport: "sse", endpoint: sse },
  ].filter(({ endpoint }) => endpoint);
}

/** @param {{wasRecovering: boolean, recovered: boolean}} context */
function isRecovered({ wasRecovering, recovered }) {
  return wasRecovering && recovered;
}
