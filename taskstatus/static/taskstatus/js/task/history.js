import { h, icon, KeyedList, setAttributes, setText, show } from "../dom.js";
import { eventIcon, eventSentence } from "../event_words.js";
import { duration, fullMoment, moment } from "../format.js";
import { More } from "../more.js";
import { fill, gettext, ngettext, readable, stepName } from "../words.js";
import { rowsOf } from "./history_rows.js";

/**
 * @typedef {import("../../sdk/wire.js").TaskDetail} TaskDetail
 * @typedef {import("../../sdk/wire.js").TimelineEvent} TimelineEvent
 * @typedef {import("../../sdk/versions.js").Stamp} Stamp
 * @typedef {import("./history_rows.js").HistoryRow} HistoryRow
 */

const SOON_MS = 800;

/** What happened in a task, newest first. It grows by what is pushed; what was missed, it asks for. */
export class History {
  element;
  #timeline;
  #context;
  #list = h("ol", { class: "timeline" });
  #rows;
  #more;
  #purged = h("p", { class: "list-note" }, gettext("What happened before is no longer kept."));
  /** @type {TaskDetail | null} */ #detail = null;
  /** @type {number | undefined} */ #timer;

  /** @param {import("../../sdk/index.js").Timeline} timeline @param {import("../main.js").Context} context */
  constructor(timeline, context) {
    this.#timeline = timeline;
    this.#context = context;
    this.#rows = new KeyedList(this.#list, ({ key }) => key, () => this.#row());
    this.#more = new More(gettext("Show what came before"), () => this.#readEarlier());
    const head = h("div", { class: "section-head" }, h("h2", {}, gettext("What happened")));
    this.element = h(
      "section",
      { class: "section", "aria-label": gettext("What happened") },
      head,
      this.#list,
      this.#purged,
      this.#more.element,
    );
  }

  /** Take pushed events. @param {{event: TimelineEvent, epoch: string}[]} events */
  add(events) {
    events.forEach(({ event, epoch }) => this.#timeline.add(event, epoch));
  }

  /** Ask for what is missing up to this state; what can't be had now is asked for with the next change. @param {Stamp | null} stamp */
  fill(stamp) {
    clearTimeout(this.#timer);
    if (stamp === null) return;
    this.#timeline.fill(stamp).then(() => this.update(this.#detail), () => {});
  }

  /** The same, once what is under way had its time to arrive: the event of a change follows its summary. @param {Stamp | null} stamp */
  fillSoon(stamp) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fill(stamp), SOON_MS);
  }

  /** Show what is known. @param {TaskDetail | null} detail */
  update(detail) {
    this.#detail = detail ?? this.#detail;
    const { events } = this.#timeline;
    show(this.element, events.length > 0);
    this.#rows.show(rowsOf(events));
    this.#more.update(this.#timeline.hasEarlier);
    show(this.#purged, this.#timeline.isPurged && !this.#timeline.hasEarlier);
  }

  async #readEarlier() {
    await this.#timeline.earlier();
    this.update(this.#detail);
  }

  /** @returns {import("../dom.js").Part<HistoryRow>} */
  #row() {
    const symbol = h("span", { class: "timeline-dot" });
    const sentence = h("p", { class: "timeline-words" });
    const time = h("time");
    const more = h("span");
    const element = h("li", {}, symbol, h("div", {}, sentence, h("p", { class: "row-meta" }, time, more)));
    return { element, update: (row) => this.#draw({ element, symbol, sentence, time, more }, row) };
  }

  /** @param {Record<"element" | "symbol" | "sentence" | "time" | "more", HTMLElement>} parts @param {HistoryRow} row */
  #draw(parts, { event, times }) {
    const [symbol, tone] = eventIcon(event);
    setAttributes(parts.element, { "data-tone": tone, "data-version": event.taskVersion });
    if (parts.symbol.dataset.icon !== symbol) parts.symbol.replaceChildren(icon(symbol));
    parts.symbol.dataset.icon = symbol;
    setText(parts.sentence, eventSentence(event, this.#nameOf(event)));
    setText(parts.time, moment(event.committedAt));
    setAttributes(parts.time, { datetime: event.committedAt, title: fullMoment(event.committedAt) });
    setText(parts.more, particulars(event, times, this.#errorOf(event)));
    show(parts.more, parts.more.textContent !== "");
  }

  /** What went wrong, in the words that the task has for it now: those of the log are the sender's. @param {TimelineEvent} event */
  #errorOf({ error }) {
    if (!error) return "";
    const failure = this.#detail?.failure;
    const known = this.#detail?.steps.find((step) => step.error?.code === error.code)?.error?.userMessage;
    return known ?? (failure?.code === error.code ? failure.message : null) ?? error.userMessage ?? "";
  }

  /** @param {TimelineEvent} event */
  #nameOf(event) {
    const detail = this.#detail;
    const step = detail?.steps.find((one) => one.stepId === event.stepId);
    if (detail && step) return stepName(step, detail.id, this.#context.client.names);
    return event.operationCode ? readable(event.operationCode) : event.stepId;
  }
}

/** @param {TimelineEvent} event @param {number} times @param {string} error */
function particulars({ stepAttempt, durationMs }, times, error) {
  const parts = [
    times > 1 ? fill(ngettext("%(n)s report", "%(n)s reports", times), { n: times }) : "",
    stepAttempt !== null && stepAttempt > 1 ? fill(gettext("attempt %(n)s"), { n: stepAttempt }) : "",
    durationMs === null || durationMs === undefined ? "" : duration(durationMs),
    error,
  ];
  return parts.filter(Boolean).join(" · ");
}
