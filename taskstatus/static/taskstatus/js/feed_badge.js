import { h, icon, inShell, setAttributes, setText, show } from "./dom.js";
import { moment } from "./format.js";
import { fill, gettext } from "./words.js";

/** @typedef {import("../sdk/feed.js").FeedState} FeedState */

/** A connection that is back within this time was hardly gone: saying so would only flicker. */
const PATIENCE_MS = 700;
const TONES = { LIVE: "success", RECOVERING: "warning", STALE: "danger" };

/**
 * Tells how the page stands with the service: LIVE, RECOVERING or STALE (source design 13.1). It never takes anything
 * away: what was confirmed last stays, and says since when.
 */
export class FeedBadge {
  #badge = inShell("#feed");
  #word = inShell("#feed .feed-word");
  #banner = inShell("#feed-banner");
  #feed;
  #announce;
  /** @type {number | undefined} */ #timer;
  #isSignedOut = false;
  /** The state that was said last; nothing is said before the page was live for the first time. @type {FeedState | null} */
  #told = null;

  /** @param {import("../sdk/feed.js").Feed} feed @param {import("./main.js").Announce} announce */
  constructor(feed, announce) {
    this.#feed = feed;
    this.#announce = announce;
    ["online", "offline"].forEach((name) => addEventListener(name, () => this.#draw()));
    setInterval(() => this.#draw(), 5000);
    this.#draw();
  }

  /** The state changed. */
  changed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw(), this.#feed.state === "RECOVERING" ? PATIENCE_MS : 0);
  }

  /** The login has ended, or there is one again. @param {boolean} isSignedIn */
  identify(isSignedIn) {
    this.#isSignedOut = !isSignedIn;
    this.#draw();
  }

  #draw() {
    const { state } = this.#feed;
    const words = { LIVE: gettext("Live"), RECOVERING: gettext("Catching up"), STALE: gettext("No live updates") };
    show(this.#badge, true);
    setAttributes(this.#badge, { "data-state": state, "data-tone": TONES[state] });
    setText(this.#word, words[state]);
    setAttributes(document.documentElement, { "data-feed": state });
    this.#drawBanner(state);
    if (this.#told !== null && this.#told !== state) this.#announce(announcement(state));
    if (this.#told !== null || state === "LIVE") this.#told = state;
  }

  /** @param {FeedState} state */
  #drawBanner(state) {
    const text = this.#reason(state);
    show(this.#banner, text !== null);
    if (text === null) return;
    setAttributes(this.#banner, { "data-tone": TONES[state] === "success" ? "warning" : TONES[state] });
    const login = h("a", { href: `/login?next=${encodeURIComponent(location.pathname + location.search)}` }, gettext("Log in again"));
    this.#banner.replaceChildren(h("div", { class: "feed-banner-inner" }, icon("cloud-off"), h("span", {}, text), this.#isSignedOut ? login : null));
  }

  /** @param {FeedState} state */
  #reason(state) {
    if (this.#isSignedOut) return gettext("Your login has ended.");
    if (state === "LIVE") return null;
    const at = this.#feed.confirmedAt;
    const time = at === null ? null : moment(at);
    if (!navigator.onLine) return withTime(gettext("You are offline."), time);
    return state === "STALE" ? withTime(gettext("Live updates don't arrive at the moment."), time) : null;
  }
}

/** @param {string} text @param {string | null} time */
function withTime(text, time) {
  return time === null ? text : `${text} ${fill(gettext("You see what was confirmed last, at %(time)s."), { time })}`;
}

/** @param {FeedState} state */
function announcement(state) {
  const words = {
    LIVE: gettext("Live updates arrive again."),
    RECOVERING: gettext("Live updates are being restored."),
    STALE: gettext("Live updates don't arrive at the moment; what you see is what was confirmed last."),
  };
  return words[state];
}
