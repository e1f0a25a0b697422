import { h, setAttributes, setText, show } from "../dom.js";
import { Soon } from "../soon.js";
import { fill, gettext } from "../words.js";

/** The tones of a bar's shares, by what they count; in their order. */
const TONES = Object.entries({ SUCCEEDED: "success", FAILED: "danger", RUNNING: "info", CANCELLED: "neutral" });

/** The workflow that a task belongs to, if the reader may see it, and how its tasks are doing. */
export class WorkflowStrip {
  #context;
  /** @type {string | null} */ #asked = null;
  #soon = new Soon(() => void this.#read());
  #title = h("a", {});
  #text = h("p", { class: "message-more" });
  #shares = TONES.map(([state, tone]) => ({ state, part: h("div", { "data-tone": tone }) }));
  element = h("section", { class: "card side-card", "aria-label": gettext("Belongs to") });

  /** @param {import("../main.js").Context} context */
  constructor(context) {
    this.#context = context;
    const bar = h("div", { class: "share-bar", "aria-hidden": "true" }, ...this.#shares.map(({ part }) => part));
    this.element.append(h("p", { class: "side-label" }, gettext("Belongs to")), this.#title, bar, this.#text);
    show(this.element, false);
  }

  /** Show the workflow with this id. @param {string} id */
  update(id) {
    const { store } = this.#context.client;
    if (this.#asked !== id) {
      this.#asked = id;
      void this.#read();
    }
    const workflow = store.workflow(id);
    show(this.element, workflow !== null && workflow.taskCount > 1);
    if (workflow === null) return;
    const counts = workflow.counts.lifecycleStatus;
    setText(this.#title, workflow.title);
    setAttributes(this.#title, { href: `/?workflow=${encodeURIComponent(id)}` });
    setText(this.#text, fill(gettext("%(done)s of %(total)s tasks done"), { done: counts.SUCCEEDED ?? 0, total: workflow.taskCount }));
    this.#drawBar(counts, workflow.taskCount);
  }

  /**
   * Tasks have moved; those of this workflow change its counts, which no version names and nobody pushes.
   * @param {import("../../sdk/changes.js").Change} change
   */
  hear(change) {
    const { store } = this.#context.client;
    if ([...change.tasks].some((id) => store.task(id)?.workflowId === this.#asked)) this.#soon.ask();
  }

  /** @param {Record<string, number>} counts @param {number} total */
  #drawBar(counts, total) {
    for (const { state, part } of this.#shares) part.style.width = `${(100 * (counts[state] ?? 0)) / Math.max(1, total)}%`;
  }

  async #read() {
    const id = this.#asked;
    if (id === null) return;
    const { api, client } = this.#context;
    try {
      client.store.acceptWorkflow(await api.workflow(id));
    } catch {
      // Not shared with this reader, or out of reach: the task is shown without it.
    }
  }
}
