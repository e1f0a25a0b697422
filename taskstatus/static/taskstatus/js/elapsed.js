import { isProven, runningMs } from "../sdk/index.js";
import { h, setAttributes, setText } from "./dom.js";
import { ago, duration, fullMoment } from "./format.js";
import { fill, gettext } from "./words.js";

const TICK_MS = 1000;

/**
 * The clocks of the page, moved by one timer. It costs neither a request nor a message, and stands still while nobody
 * looks.
 */
export class Clocks {
  #client;
  #shown = new Map();

  constructor(client) {
    this.#client = client;
    setInterval(() => document.visibilityState === "visible" && this.refresh(), TICK_MS);
  }

  /** A clock that shows how long a state has been running. */
  running() {
    const [time, doubt] = [h("span", {}), h("span", { class: "visually-hidden" })];
    const element = h("span", { class: "elapsed" }, time, doubt);
    return { element, update: (state) => this.#keep(element, () => this.#drawRunning(element, state)) };
  }

  /** A text that tells how long ago a moment was; `words` says of what. */
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

  #keep(element, draw) {
    this.#shown.set(element, draw);
    draw();
  }

  #drawRunning(element, state) {
    const ms = runningMs(state, this.#client.clock);
    const isLive = this.#client.feed.state === "LIVE";
    const doubt = ms === null || isProven(state, isLive) ? null : doubtOf(isLive);
    element.hidden = ms === null;
    setText(element.firstElementChild, ms === null ? "" : duration(ms));
    setText(element.lastElementChild, doubt ?? "");
    setAttributes(element, { "data-proven": String(doubt === null), title: doubt });
  }

  #drawSince(element, iso, words) {
    const ms = this.#client.clock.since(iso);
    element.hidden = ms === null;
    if (ms === null) return;
    setText(element, fill(words, { ago: ago(ms) }));
    setAttributes(element, { datetime: iso, title: fullMoment(iso) });
  }
}

/** Why a running clock may be wrong: nothing arrives here, or nothing arrives there. */
function doubtOf(isLive) {
  return isLive
    ? gettext("This time goes on by itself; what runs here is not heard of at the moment.")
    : gettext("This time goes on by itself; live updates don't arrive at the moment.");
}
