import { ApiError, refusal } from "./api.js";
import { Backoff } from "./backoff.js";
import { EventStreamReader } from "./event_stream.js";
import { realTimers, sleep } from "./timers.js";

/**
 * What a connection tells the feed.
 * @typedef {object} LinkEvents
 * @property {(how: {recovered: boolean}) => void} up
 * @property {() => void} down
 * @property {(message: import("./wire.js").Message) => void} message
 * @property {() => void} reset
 * @property {() => void} signedOut
 *
 * A connection that makes itself anew until it is closed.
 * @typedef {object} Link
 * @property {() => void} open
 * @property {() => void} close
 * @property {() => void} check the page woke up, or the network is back: find out now what would be found out later
 */

/** The service sends a comment every 15 s: after two and a half of them the stream is dead, whatever TCP thinks. */
const QUIET_MS = 40_000;

/**
 * The service's own stream of server-sent events (protocol 6).
 * @implements {Link}
 */
export class NativeLink {
  /** The id of the last frame seen, from which a new connection goes on. @type {string | null} */ #cursor = null;
  /** @type {AbortController | null} */ #life = null;
  /** @type {AbortController | null} */ #connection = null;
  /** @type {AbortController | null} */ #pause = null;
  /** @type {unknown} */ #watchdog = null;
  #heardAt = 0;
  #isSignedOut = false;
  #backoff;
  #parts;

  /** @param {{on: LinkEvents, url?: string, fetch?: typeof fetch, timers?: import("./timers.js").Timers, backoff?: Backoff, wallNow?: () => number}} parts */
  constructor({ backoff = new Backoff(), ...parts }) {
    const defaults = { url: "/api/v1/me/task-stream", timers: realTimers, wallNow: Date.now };
    this.#parts = { ...defaults, fetch: globalThis.fetch.bind(globalThis), ...parts };
    this.#backoff = backoff;
  }

  open() {
    if (this.#life !== null) return;
    this.#life = new AbortController();
    this.#isSignedOut = false;
    void this.#run(this.#life.signal);
  }

  close() {
    this.#life?.abort();
    this.#life = null;
    this.#connection?.abort();
  }

  check() {
    if (this.#isSignedOut) this.open();
    this.#pause?.abort();
    // The wall clock also counts the time that this machine slept.
    if (this.#parts.wallNow() - this.#heardAt > QUIET_MS) this.#connection?.abort();
  }

  /** @param {AbortSignal} life */
  async #run(life) {
    while (!life.aborted) {
      const waitMs = await this.#connect();
      if (waitMs === null) {
        this.#isSignedOut = true;
        return this.close();
      }
      this.#pause = new AbortController();
      life.addEventListener("abort", () => this.#pause?.abort(), { once: true });
      if (!life.aborted) await sleep(this.#backoff.next(waitMs), this.#parts.timers, this.#pause.signal);
    }
  }

  /** One connection, from its start to its end; what to wait at least, or null if there is no sense in another one. */
  async #connect() {
    const { on } = this.#parts;
    this.#connection = new AbortController();
    let isUp = false;
    try {
      const response = await this.#request(this.#connection.signal);
      isUp = true;
      on.up({ recovered: this.#cursor !== null });
      await this.#read(response);
    } catch (error) {
      if (error instanceof ApiError && error.isSignedOut) {
        on.signedOut();
        return null;
      }
      return error instanceof ApiError ? error.retryAfterMs : 0;
    } finally {
      this.#parts.timers.clear(this.#watchdog);
      if (isUp) on.down();
    }
    return 0;
  }

  /** @param {AbortSignal} signal */
  async #request(signal) {
    this.#heard();
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (this.#cursor !== null) headers["Last-Event-ID"] = this.#cursor;
    const options = { headers, signal, cache: /** @type {const} */ ("no-store"), credentials: /** @type {const} */ ("same-origin") };
    const response = await this.#parts.fetch(this.#parts.url, options);
    if (!response.ok) throw await refusal(response);
    return response;
  }

  /** @param {Response} response */
  async #read(response) {
    if (!response.body) return;
    const frames = new EventStreamReader();
    const text = new TextDecoder();
    const pieces = response.body.getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      this.#heard();
      this.#backoff.reset();
      frames.read(text.decode(piece.value, { stream: true })).forEach((frame) => this.#take(frame));
      this.#cursor = frames.lastId ?? this.#cursor;
    }
  }

  /** @param {import("./event_stream.js").Frame} frame */
  #take(frame) {
    if (frame.event === "reset") this.#parts.on.reset();
    if (frame.event !== "message") return;
    try {
      this.#parts.on.message(JSON.parse(frame.data));
    } catch {
      // What it said is lost, and must not be asked for again and again.
      this.#parts.on.reset();
    }
  }

  #heard() {
    const { timers, wallNow } = this.#parts;
    this.#heardAt = wallNow();
    timers.clear(this.#watchdog);
    this.#watchdog = timers.set(() => this.#connection?.abort(), QUIET_MS);
  }
}
