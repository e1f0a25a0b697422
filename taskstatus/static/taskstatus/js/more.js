import { h, said, show } from "./dom.js";
import { gettext } from "./words.js";

/** The button at the end of a list that fetches more of it, and says so where that fails. */
export class More {
  element;
  #button;
  #problem = h("p", { role: "alert", hidden: true });
  #load;

  /** @param {string} label @param {() => Promise<void>} load may fail; the list is the caller's to update */
  constructor(label, load) {
    this.#load = load;
    this.#button = h("button", { type: "button", click: () => void this.#press() }, label);
    this.element = h("div", { class: "more" }, this.#button, this.#problem);
  }

  /** Whether there is more to be had. @param {boolean} isMore */
  update(isMore) {
    show(this.element, isMore);
  }

  async #press() {
    this.#button.disabled = true;
    const problem = await this.#load().then(() => "", () => gettext("This could not be loaded"));
    this.#button.disabled = false;
    said(this.#problem, problem);
    if (problem) this.#button.focus();
  }
}
