import { h, KeyedList, setText, show } from "../dom.js";
import { More } from "../more.js";
import { failed, loading } from "../states.js";
import { gettext } from "../words.js";
import { taskRow } from "./row.js";

/**
 * @typedef {import("../../sdk/index.js").TaskList} TaskList
 * @typedef {import("../main.js").Context} Context
 */

/** One list of tasks with its heading; it fills itself. */
export class Section {
  element;
  #list;
  #context;
  #rows;
  #count = h("span", { class: "filter-count" });
  #waiting = loading();
  #holder = h("ul", { class: "card rows" });
  #note = h("p", { class: "card list-note" });
  #more;
  #problem = h("div");
  #isFirst = true;

  /** @param {string} title @param {TaskList} list @param {Context} context */
  constructor(title, list, context) {
    this.#list = list;
    this.#context = context;
    this.#rows = new KeyedList(this.#holder, (task) => task.id, () => taskRow(context));
    this.#more = new More(gettext("Show more"), () => this.#loadMore());
    this.element = h(
      "section",
      { class: "section", "aria-label": title },
      h("div", { class: "section-head" }, h("h2", {}, title), this.#count),
      this.#problem,
      this.#waiting,
      this.#holder,
      this.#note,
      this.#more.element,
    );
  }

  /** Whether the service has answered, and with nothing. */
  get isEmpty() {
    return this.#list.isRead && this.#list.rows().length === 0;
  }

  /** Whether the service has answered. */
  get isRead() {
    return this.#list.isRead;
  }

  /** The tasks on the list. */
  get ids() {
    return this.#list.rows().map((task) => task.id);
  }

  /** Show what is known now; returns the tasks that have come to this list since it was first shown. */
  update() {
    // Before the service has answered, what the page happens to know is better than nothing.
    const tasks = this.#list.rows();
    const fresh = this.#rows.show(tasks);
    const arrived = this.#isFirst ? [] : fresh;
    if (this.#list.isRead) this.#isFirst = false;
    this.#mark(arrived);
    show(this.#waiting, !this.#list.isRead && tasks.length === 0 && this.#problem.childElementCount === 0);
    show(this.#holder, tasks.length > 0);
    show(this.#note, this.isEmpty);
    this.#more.update(this.#list.hasMore);
    setText(this.#note, gettext("Nothing here right now."));
    setText(this.#count, this.#list.hasMore ? `${tasks.length}+` : String(tasks.length));
    show(this.#count, tasks.length > 0);
    if (this.#list.isRead) this.#problem.replaceChildren();
    return arrived;
  }

  /** Say that it could not be read. @param {() => void} retry */
  fail(retry) {
    if (!this.#list.isRead) this.#problem.replaceChildren(failed(retry));
    this.update();
  }

  /** @param {string[]} ids */
  #mark(ids) {
    for (const id of ids) {
      const row = this.#holder.querySelector(`[data-task="${CSS.escape(id)}"]`);
      row?.setAttribute("data-fresh", "true");
    }
  }

  async #loadMore() {
    const last = this.#holder.lastElementChild;
    await this.#context.client.more(this.#list);
    this.update();
    // Who pressed the button goes on reading where the new rows begin.
    last?.nextElementSibling?.querySelector("a")?.focus();
  }
}
