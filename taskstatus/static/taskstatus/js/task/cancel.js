import { ApiError, isEnded } from "../../sdk/index.js";
import { cancelText, isCancelAwaited, passedText, refusalText } from "../cancel_words.js";
import { h, icon, setAttributes, setText, show } from "../dom.js";
import { gettext } from "../words.js";

/**
 * @typedef {import("../../sdk/wire.js").TaskSummary} TaskSummary
 * @typedef {import("../../sdk/wire.js").TaskDetail} TaskDetail
 */

const MAX_REASON = 2000;
/** After these there is nothing more to ask for. */
const FINAL = new Set(["TERMINAL_STATE", "TASK_NOT_FOUND"]);

/** Asking for a task's cancellation: a button for who may, while there is something to cancel, and the question behind it. */
export class CancelRequest {
  element = h("div", { class: "task-actions" });
  #id;
  #context;
  #elsewhere;
  #reason = h("textarea", { id: "cancel-reason", rows: 3, maxlength: MAX_REASON, "aria-describedby": "cancel-hint" });
  #error = h("p", { class: "dialog-error", role: "alert" });
  #send = h("button", { type: "submit", class: "danger" });
  #dialog = this.#build();
  #isOffered = false;
  #isAsking = false;

  /**
   * `elsewhere` gets the focus where the button that had it is gone.
   * @param {string} id
   * @param {import("../main.js").Context} context
   * @param {HTMLElement} elsewhere
   */
  constructor(id, context, elsewhere) {
    this.#id = id;
    this.#context = context;
    this.#elsewhere = elsewhere;
    const button = h("button", { type: "button", "aria-haspopup": "dialog", click: () => this.#open() }, icon("slash"), gettext("Cancel…"));
    this.element.append(button, this.#dialog);
  }

  /** Offer it or not; the task is null where there is none to show. @param {TaskSummary | null} task @param {TaskDetail | null} detail */
  update(task, detail) {
    const isOver = task === null || isEnded(task) || isCancelAwaited(task);
    this.#isOffered = !isOver && mayAsk(detail);
    if (isOver && this.#dialog.open && !this.#isAsking) this.#leave(passedText(task));
    // What a modal dialog stands in has to be shown for as long as it is open.
    show(this.element, this.#isOffered || this.#dialog.open);
  }

  #build() {
    const title = h("h2", { id: "cancel-title" }, gettext("Cancel this task?"));
    const text = h("p", { id: "cancel-text" }, gettext("Those who work on it are told, and stop as soon as they can. Until then the task goes on."));
    const label = h("label", { for: "cancel-reason" }, gettext("Reason (not required)"));
    const hint = h("p", { id: "cancel-hint", class: "hint" }, gettext("It is kept for those who look after this service, and is not shown here."));
    const keep = h("button", { type: "button", click: () => this.#dialog.close() }, gettext("Don't cancel"));
    const form = h("form", { submit: (event) => void this.#ask(event) }, title, text, label, this.#reason, hint, this.#error);
    form.append(h("div", { class: "dialog-buttons" }, keep, this.#send));
    const names = { "aria-labelledby": "cancel-title", "aria-describedby": "cancel-text" };
    return h("dialog", { class: "dialog", ...names, close: () => this.#closed() }, form);
  }

  #open() {
    this.#complain("");
    this.#become(this.#isAsking);
    this.#dialog.showModal();
    this.#reason.focus();
  }

  /** @param {Event} event */
  async #ask(event) {
    event.preventDefault();
    if (this.#isAsking) return;
    this.#complain("");
    this.#become(true);
    const { api, client } = this.#context;
    const answer = await api.requestCancel(this.#id, this.#reason.value).catch(ApiError.of);
    // The push of it may be late or lost, and what the reader may do only an answer knows.
    await client.details.read(this.#id).catch(() => {});
    this.#become(false);
    if (answer instanceof ApiError) this.#refused(answer);
    else this.#leave(cancelText(answer));
  }

  /** @param {ApiError} error */
  #refused(error) {
    const words = refusalText(error, mayAsk(this.#context.client.store.detail(this.#id)));
    if (FINAL.has(error.code)) this.#leave(words);
    else if (this.#dialog.open) this.#complain(words);
    else this.#context.announce(words);
  }

  /** @param {boolean} isAsking */
  #become(isAsking) {
    this.#isAsking = isAsking;
    setText(this.#send, isAsking ? gettext("Asking…") : gettext("Ask to cancel"));
    // Disabled, it would lose the focus.
    setAttributes(this.#send, { "aria-disabled": isAsking ? "true" : null });
    this.#reason.readOnly = isAsking;
  }

  /** @param {string} words */
  #complain(words) {
    setText(this.#error, words);
    show(this.#error, words !== "");
  }

  /** There is nothing more to ask for; what is said within an open dialog's page is not read out. @param {string} words */
  #leave(words) {
    this.#isOffered = false;
    this.#reason.value = "";
    this.#dialog.close();
    this.#context.announce(words);
  }

  #closed() {
    show(this.element, this.#isOffered);
    if (!this.#isOffered && this.#elsewhere.isConnected) this.#elsewhere.focus({ preventScroll: true });
  }
}

/** @param {TaskDetail | null} detail */
function mayAsk(detail) {
  return (detail?.permissions ?? []).includes("OPERATE");
}
