import { h, setAttributes, setText, show } from "../dom.js";
import { Soon } from "../soon.js";
import { fill, gettext } from "../words.js";

/** The workflow that a task belongs to, if the reader may see it, and how its tasks are doing. */
export class WorkflowStrip {
  #context;
  #asked = null;
  #soon = new Soon(() => void this.#read(this.#asked));
  #title = h("a", {});
  #text = h("p", { class: "message-more" });
  #bar = h("div", { class: "share-bar", "aria-hidden": true });
  element = h("section", { class: "card side-card", "aria-label": gettext("Belongs to") });

  constructor(context) {
    this.#context = context;
    this.element.append(h("p", { class: "side-label" }, gettext("Belongs to")), this.#title, this.#bar, this.#text);
    show(this.element, false);
  }

  /** Show the workflow with this id. */
  update(id) {
    const { store } = this.#context.client;
    if (this.#asked !== id) void this.#read(id);
    const workflow = store.workflow(id);
    show(this.element, workflow !== null && workflow.taskCount > 1);
    if (workflow === null) return;
    const counts = workflow.counts.lifecycleStatus;
    setText(this.#title, workflow.title);
    setAttributes(this.#title, { href: `/?workflow=${encodeURIComponent(id)}` });
    setText(this.#text, fill(gettext("%(done)s of %(total)s tasks done"), { done: counts.SUCCEEDED, total: workflow.taskCount }));
    this.#drawBar(counts, workflow.taskCount);
  }

  /** Tasks have moved; those of this workflow change its counts, which no version names and nobody pushes. */
  hear(change) {
    const { store } = this.#context.client;
    if ([...change.tasks].some((id) => store.task(id)?.workflowId === this.#asked)) this.#soon.ask();
  }

  #drawBar(counts, total) {
    const shares = [["success", counts.SUCCEEDED], ["danger", counts.FAILED], ["info", counts.RUNNING], ["neutral", counts.CANCELLED]];
    while (this.#bar.childElementCount < shares.length) this.#bar.append(h("div"));
    shares.forEach(([tone, count], index) => {
      const part = this.#bar.children[index];
      setAttributes(part, { "data-tone": tone });
      part.style.width = `${(100 * count) / Math.max(1, total)}%`;
    });
  }

  async #read(id) {
    this.#asked = id;
    const { api, client } = this.#context;
    try {
      client.store.acceptWorkflow(await api.workflow(id));
    } catch {
      // Not shared with this reader, or out of reach: the task is shown without it.
    }
  }
}
