import { isProven, runningMs } from "../sdk/index.js";
import { h, setAttributes, setText } from "./dom.js";
import { ago, duration, fullMoment } from "./format.js";
import { fill, gettext } from "./words.js";

/** @typedef {import("../sdk/wire.js").TaskSummary | import("../sdk/wire.js").StepView} Running */

const TICK_MS = 1000;

/**
 * The clocks of the page, moved by one timer. It costs neither a request nor a message, and stands still while nobody
 * looks.
 */
export class Clocks {
  #client;
  /** @type {Map<HTMLElement, () => void>} */ #shown = new Map();

  /** @param {import("../sdk/index.js").Client} client */
  constructor(client) {
    this.#client = client;
    setInterval(() => document.visibilityState === "visible" && this.refresh(), TICK_MS);
  }

  /** A clock that shows how long a state has been running. @returns {import("./dom.js").Part<Running>} */
  running() {
    const [time, doubt] = [h("span", {}), h("span", { class: "visually-hidden" })];
    const element = h("span", { class: "elapsed" }, time, doubt);
    return { element, update: (state) => this.#keep(element, () => this.#drawRunning({ element, time, doubt }, state)) };
  }

  /**
   * A text that tells how long ago a moment was; `words` says of what.
   * @param {string} words
   * @returns {import("./dom.js").Part<string | null>}
   */
  since(words) {
    const element = h("time", {});
    return { element, update: (iso) => this.#keep(element, () => this.#drawSince(element, iso, words)) };
  }

  /** Draw all of them anew, and forget those that have left the page. */
  refresh() {
    for (const [element, draw] of this.#shown) {
      if (element.isConnected) draw();
      else this.#shown.delete(element);
    }
  }

  /** @param {HTMLElement} element @param {() => void} draw */
  #keep(element, draw) {
    this.#shown.set(element, draw);
    draw();
  }

  /** @param {{element: HTMLElement, time: HTMLElement, doubt: HTMLElement}} parts @param {Running} state */
  #drawRunning({ element, time, doubt }, state) {
    const ms = runningMs(state, this.#client.clock);
    const isLive = this.#client.feed.state === "LIVE";
    const reason = ms === null || isProven(state, isLive) ? null : doubtOf(isLive);
    element.hidden = ms === null;
    setText(time, ms === null ? "" : duration(ms));
    setText(doubt, reason ?? "");
    setAttributes(element, { "data-proven": String(reason === null), title: reason });
  }

  /** @param {HTMLElement} element @param {string | null} iso @param {string} words */
  #drawSince(element, iso, words) {
    const ms = this.#client.clock.since(iso);
    element.hidden = ms === null;
    if (ms === null || iso === null) return;
    setText(element, fill(words, { ago: ago(ms) }));
    setAttributes(element, { datetime: iso, title: fullMoment(iso) });
  }
}

/** Why a running clock may be wrong: nothing arrives here, or nothing arrives there. @param {boolean} isLive */
function doubtOf(isLive) {
  return isLive
    ? gettext("This time goes on by itself; what runs here is not heard of at the moment.")
    : gettext("This time goes on by itself; live updates don't arrive at the moment.");
}
