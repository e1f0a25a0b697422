import { ApiError, Timeline } from "../../sdk/index.js";
import { h, icon, show } from "../dom.js";
import { empty, failed, loading } from "../states.js";
import { gettext, statusName } from "../words.js";
import { Attempts } from "./attempts.js";
import { CancelRequest } from "./cancel.js";
import { dataCard } from "./data_card.js";
import { facts } from "./facts.js";
import { taskHead } from "./head.js";
import { History } from "./history.js";
import { taskMessages } from "./messages.js";
import { Steps } from "./steps.js";
import { WorkflowStrip } from "./workflow.js";

/**
 * @typedef {import("../../sdk/wire.js").TaskSummary} TaskSummary
 * @typedef {import("../../sdk/changes.js").Change} Change
 */

/** One task: where it stands, its steps, what went wrong, and what happened. Subscribed to while it is open. */
export class TaskPage {
  id;
  element = h("div", { class: "task" });
  #context;
  #head;
  #messages;
  #facts;
  #data = dataCard();
  #steps;
  #attempts;
  #history;
  #workflow;
  #cancel;
  #body = h("div", { class: "task-body" });
  #state = h("div");
  /** @type {ApiError | null} */ #problem = null;

  /** @param {string} id @param {import("../main.js").Context} context */
  constructor(id, context) {
    this.id = id;
    this.#context = context;
    this.#head = taskHead(context);
    this.#messages = taskMessages(context);
    this.#facts = facts(context);
    this.#steps = new Steps(context);
    this.#attempts = new Attempts(id, context);
    this.#history = new History(new Timeline({ id, api: context.api }), context);
    this.#workflow = new WorkflowStrip(context);
    this.#cancel = new CancelRequest(id, context, this.#head.heading);
    this.#build();
    void this.#open();
  }

  get heading() {
    return this.#head.heading;
  }

  /** What the browser calls the page. */
  get title() {
    const task = this.#context.client.store.task(this.id);
    return task ? `${statusName(task, this.#context.client.names)} · ${task.title}` : gettext("Task");
  }

  /** End the subscription to it; the list's goes on. */
  close() {
    this.#context.client.details.close(this.id);
  }

  /** Something changed: the timeline grows by what came, and asks for what did not. @param {Change} change */
  hear(change) {
    const own = change.events.filter(({ taskId }) => taskId === this.id);
    this.#history.add(own);
    if (change.details.has(this.id)) this.#attempts.look();
    this.#workflow.hear(change);
    if (!change.tasks.has(this.id)) return;
    const { store, details } = this.#context.client;
    if (store.task(this.id) === null) return;
    this.#history.fillSoon(store.stampOf(this.id));
    // It was taken away, and is there again.
    if (!details.ids.includes(this.id)) void this.#open();
  }

  /** Show what is known now. */
  update() {
    const { store } = this.#context.client;
    const task = store.task(this.id);
    const detail = store.detail(this.id);
    const isGone = task === null && store.stampOf(this.id) !== null;
    this.#cancel.update(task, detail);
    show(this.#body, task !== null);
    this.#showState(task, isGone);
    if (task === null) return;
    this.#head.update(task);
    this.#messages.update(task, detail);
    this.#facts.update(task);
    this.#data.update(task.summaryData);
    this.#steps.update(detail);
    this.#workflow.update(task.workflowId);
    this.#attempts.update();
    this.#history.update(detail);
  }

  #build() {
    const side = h("aside", { class: "task-side", "aria-label": gettext("Particulars") }, this.#facts.element, this.#workflow.element);
    const main = h("div", { class: "task-main" }, this.#messages.element, this.#data.element, this.#steps.element, this.#attempts.element, this.#history.element);
    this.#head.element.append(this.#cancel.element);
    this.#body.append(this.#head.element, h("div", { class: "task-columns" }, main, side));
    const back = h("a", { class: "back", href: "/" }, icon("back"), gettext("All tasks"));
    this.element.append(h("nav", { "aria-label": gettext("Way back") }, back), this.#state, this.#body);
  }

  async #open() {
    const { client } = this.#context;
    this.#problem = null;
    try {
      await client.details.open(this.id);
      this.#history.fill(client.store.stampOf(this.id));
      if (client.store.task(this.id) === null) this.close();
    } catch (error) {
      this.#problem = ApiError.of(error);
    }
    this.update();
  }

  /** @param {TaskSummary | null} task @param {boolean} isGone */
  #showState(task, isGone) {
    if (task !== null) this.#state.replaceChildren();
    else if (isGone) this.#state.replaceChildren(gone());
    else if (this.#problem) this.#state.replaceChildren(failed(() => void this.#open()));
    else if (this.#state.childElementCount === 0) this.#state.replaceChildren(loading());
  }
}

/** Absent, deleted, or no longer shared: the service doesn't tell these apart, and neither does the page. */
function gone() {
  const text = gettext("Either it does not exist, or it is not shared with you any more.");
  return empty({ title: gettext("There is no such task"), text, symbol: "lock", action: h("a", { class: "button", href: "/" }, gettext("Go to your tasks")) });
}
