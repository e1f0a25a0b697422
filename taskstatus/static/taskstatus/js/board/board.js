import { h, icon, setAttributes, show } from "../dom.js";
import { empty } from "../states.js";
import { fill, gettext, ngettext } from "../words.js";
import { Counts } from "./counts.js";
import { filterAddress, filterBar, readFilter, sectionsOf } from "./filters.js";
import { Section } from "./section.js";

/** @typedef {import("./filters.js").BoardFilter} BoardFilter */

const TYPING_MS = 250;

/** The list of tasks. It lives as long as the page, so that going to a task and back loses neither place nor rows. */
export class Board {
  element = h("div");
  #context;
  #filter = readFilter(location.href);
  /** @type {Section[]} */ #sections = [];
  #counts;
  /** @type {Set<string>} */ #seen = new Set();
  #heading = h("h1", { tabindex: -1 }, gettext("Tasks"));
  #search = h("input", { type: "search", "aria-label": gettext("Search in titles"), placeholder: gettext("Search in titles") });
  #bar = filterBar((lifecycle) => this.#choose({ lifecycle }));
  #scope = h("p", { class: "list-note" });
  #holder = h("div");
  #nothing = h("div");

  /** @param {import("../main.js").Context} context */
  constructor(context) {
    this.#context = context;
    this.#counts = new Counts({ api: context.api, store: context.client.store, changed: () => this.update() });
    this.#search.value = this.#filter.q;
    this.#search.addEventListener("input", debounced(() => this.#choose({ q: this.#search.value.trim() })));
    const search = h("form", { class: "search", role: "search", submit: (event) => event.preventDefault() });
    search.append(icon("search"), this.#search);
    this.element.append(h("div", { class: "board-head" }, this.#heading, search), this.#bar.element);
    this.element.append(this.#scope, this.#holder, this.#nothing);
    this.#build();
  }

  /** What the browser calls the page. */
  get title() {
    const needed = this.#counts.current?.requiresAction ?? 0;
    const words = ngettext("%(n)s task needs you", "%(n)s tasks need you", needed);
    return needed > 0 ? `${fill(words, { n: needed })} · ${gettext("Tasks")}` : gettext("Tasks");
  }

  get heading() {
    return this.#heading;
  }

  /** Show what is known now. */
  update() {
    // A task that goes from one list to the other is no new one.
    const arrived = this.#sections.flatMap((section) => section.update()).filter((id) => !this.#seen.has(id)).length;
    this.#sections.forEach((section) => section.ids.forEach((id) => this.#seen.add(id)));
    this.#bar.update(this.#filter.lifecycle, this.#counts.current);
    const isEmpty = this.#sections.every((section) => section.isEmpty);
    show(this.#holder, !isEmpty);
    this.#nothing.replaceChildren(...(isEmpty ? [this.#reason()] : []));
    this.#showScope();
    if (arrived > 0) this.#context.announce(fill(ngettext("%(n)s new task", "%(n)s new tasks", arrived), { n: arrived }));
  }

  /** The address may name another filter now. */
  followAddress() {
    const filter = readFilter(location.href);
    if (filterAddress(filter) === filterAddress(this.#filter)) return;
    this.#filter = filter;
    this.#search.value = filter.q;
    this.#build();
    void this.read();
  }

  /** Ask the service for the lists; what fails is said, and asked for again. */
  async read() {
    const sections = this.#sections;
    try {
      await this.#context.client.read(this.#context.client.lists);
    } catch {
      sections.forEach((section) => section.fail(() => void this.read()));
    }
    this.update();
  }

  /** @param {Partial<BoardFilter>} change */
  #choose(change) {
    this.#filter = { ...this.#filter, ...change };
    history.replaceState(history.state, "", filterAddress(this.#filter));
    this.#build();
    void this.read();
  }

  #build() {
    const sections = sectionsOf(this.#filter);
    const lists = this.#context.client.show(sections.map(({ filter }) => filter));
    this.#sections = lists.map((list, index) => new Section(sections[index]?.title ?? "", list, this.#context));
    this.#holder.replaceChildren(...this.#sections.map((section) => section.element));
    this.#counts.ask();
    this.update();
  }

  #showScope() {
    const { workflowId } = this.#filter;
    show(this.#scope, Boolean(workflowId));
    if (!workflowId) return;
    const name = this.#context.client.store.workflow(workflowId)?.title ?? workflowId;
    if (this.#scope.dataset.name === name) return;
    setAttributes(this.#scope, { "data-name": name });
    const all = h("button", { type: "button", class: "quiet", click: () => this.#choose({ workflowId: null }) }, gettext("Show all tasks"));
    this.#scope.replaceChildren(fill(gettext("Only tasks of “%(name)s”."), { name }), " ", all);
  }

  #reason() {
    const { lifecycle, q, workflowId } = this.#filter;
    if (!lifecycle && !q && !workflowId) {
      const text = gettext("When something is started for you, it appears here by itself, and you can watch it being done.");
      return empty({ title: gettext("No tasks yet"), text });
    }
    const clear = () => {
      this.#search.value = "";
      this.#choose({ lifecycle: null, q: "", workflowId: null });
      this.#search.focus();
    };
    const button = h("button", { type: "button", click: clear }, gettext("Show all tasks"));
    return empty({ title: gettext("No task matches"), text: gettext("Nothing fits what you are looking for."), symbol: "search", action: button });
  }
}

/** @param {() => void} work */
function debounced(work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, TYPING_MS);
  };
}
