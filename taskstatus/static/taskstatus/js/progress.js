import { h, setAttributes, setText, show } from "./dom.js";
import { number } from "./format.js";
import { amount, fill, gettext } from "./words.js";

/** @typedef {import("../sdk/wire.js").Progress} Progress */

/** A bar that shows how far something has come; one without a known end only shows that it moves. */
export function progressBar() {
  const fillElement = h("div", { class: "progress-fill" });
  const bar = h("div", { class: "progress-bar", role: "progressbar", "aria-label": gettext("Progress") }, fillElement);
  const text = h("span", { class: "progress-text" });
  const element = h("div", { class: "progress" }, bar, text);
  /** @param {Progress | null} progress @param {boolean} isRunning */
  const update = (progress, isRunning) => draw({ element, bar, fillElement, text }, progress, isRunning);
  return { element, update };
}

/**
 * @param {Record<"element" | "bar" | "fillElement" | "text", HTMLElement>} parts
 * @param {Progress | null} progress
 * @param {boolean} isRunning
 */
function draw({ element, bar, fillElement, text }, progress, isRunning) {
  show(element, Boolean(progress) || isRunning);
  const share = shareOf(progress);
  setAttributes(element, { "data-open": String(share === null && isRunning) });
  setAttributes(bar, { "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": share === null ? null : Math.floor(share * 100) });
  setAttributes(bar, { "aria-valuetext": progress ? words(progress) : null });
  // Set by the object model, which a policy against written styles allows.
  fillElement.style.width = share === null ? "" : `${share * 100}%`;
  setText(text, progress ? words(progress) : "");
}

/** @param {Progress | null} progress */
function shareOf(progress) {
  if (!progress || progress.total === null || progress.total === undefined) return null;
  return progress.total === 0 ? 1 : Math.min(1, progress.current / progress.total);
}

/** @param {Progress} progress */
function words({ current, total, unit }) {
  if (total === null || total === undefined) return amount(number(current), current, unit);
  const text = fill(gettext("%(done)s of %(total)s"), { done: number(current), total: number(total) });
  return amount(text, total, unit);
}
