import { Changes } from "./changes.js";
import { Gate } from "./gate.js";
import { NoticeGate } from "./notices.js";
import { compareStamps, readStamp } from "./versions.js";
import { SCHEMA_VERSION, summaryOf } from "./wire.js";

/**
 * @typedef {import("./versions.js").Stamp} Stamp
 * @typedef {import("./wire.js").TaskSummary} TaskSummary
 * @typedef {import("./wire.js").TaskDetail} TaskDetail
 * @typedef {import("./wire.js").WorkflowSummary} WorkflowSummary
 * @typedef {import("./wire.js").Message} Message
 */

const SNAPSHOT = true;
const PUSH = false;

/**
 * The one place where pushes and answers meet. A state gets in by its stamp alone, so the order, the number of copies
 * and the way by which states arrive don't matter; summaries, details and workflows have a gate each.
 */
export class Store {
  /** @type {Gate<TaskSummary>} */ #tasks = new Gate();
  /** @type {Gate<TaskDetail>} */ #details = new Gate();
  /** @type {Gate<WorkflowSummary>} */ #workflows = new Gate();
  #broadcasts = new Set();
  /** @type {bigint | null} */ #epoch = null;
  #changes = new Changes();
  #notices;

  /** @param {{notices?: NoticeGate}} [parts] */
  constructor({ notices = new NoticeGate() } = {}) {
    this.#notices = notices;
  }

  /** The newest data epoch heard of, as it travels; null before the first word. */
  get epoch() {
    return this.#epoch?.toString() ?? null;
  }

  /** Every task held, in no order. */
  tasks() {
    return this.#tasks.values();
  }

  /** @param {string} id */
  task = (id) => this.#tasks.get(id);

  /** @param {string} id */
  detail = (id) => this.#details.get(id);

  /** Whether an answer brought the summary that is held, and not a push. @param {string} id */
  isAnswer = (id) => this.#tasks.isAnswer(id);

  /** Whether an answer brought the detail that is held, and not a push. @param {string} id */
  isDetailAnswer = (id) => this.#details.isAnswer(id);

  /** @param {string} id */
  workflow = (id) => this.#workflows.get(id);

  /** The stamp of a task's newest summary, or of its removal. @param {string} id */
  stampOf(id) {
    return this.#tasks.stampOf(id);
  }

  /** Whether a newer summary tells that the detail held is no longer the task's state. @param {string} id */
  isDetailBehind(id) {
    const [summary, detail] = [this.#tasks.stampOf(id), this.#details.stampOf(id)];
    return summary !== null && detail !== null && compareStamps(summary, detail) > 0;
  }

  /**
   * Call the listener after every batch that changed something.
   * @param {(change: import("./changes.js").Change) => void} listener
   * @returns {() => void} how to stop
   */
  subscribe(listener) {
    return this.#changes.subscribe(listener);
  }

  /** Tell listeners once about all that happens within. @param {() => void} work */
  batch(work) {
    this.#changes.batch(work);
  }

  /** A pushed message; one of an unknown kind or format changes nothing. @param {Message} message */
  accept(message) {
    if (message?.schemaVersion !== SCHEMA_VERSION) return;
    this.batch(() => {
      if (message.kind === "task.summary") this.#acceptSummaryMessage(message);
      if (message.kind === "task.detail") this.#acceptDetailMessage(message);
      if (message.kind === "task.removed") this.#remove(message.taskId, readStamp(message.epoch, message.taskVersion));
      if (message.kind === "workflow.summary") this.#offerWorkflow(message.workflow, message.epoch, PUSH);
      if (message.kind === "system.notice") this.#announce(message);
    });
  }

  /** A page of a list. @param {import("./wire.js").TaskPage} page */
  acceptPage(page) {
    this.batch(() => {
      this.#current(readStamp(page.epoch, "0"));
      page.items.forEach((task) => this.#offerTask(task, page.epoch, SNAPSHOT));
    });
  }

  /**
   * The answer of batchGet to a question about these states.
   * @param {import("./wire.js").TaskBatch} answer
   * @param {Map<string, Stamp | null>} asked
   */
  acceptBatch(answer, asked) {
    this.batch(() => {
      this.#current(readStamp(answer.epoch, "0"));
      answer.items.forEach(({ task }) => this.#offerTask(task, answer.epoch, SNAPSHOT));
      answer.removed.forEach((id) => this.acceptAbsence(id, asked.get(id) ?? null, answer.asOf));
    });
  }

  /** A task's detail. @param {TaskDetail} detail */
  acceptDetail(detail) {
    this.batch(() => this.#offerDetail(detail, detail.epoch, SNAPSHOT));
  }

  /** A workflow's summary, with counts as they were when it was read. @param {WorkflowSummary} workflow */
  acceptWorkflow(workflow) {
    this.batch(() => this.#offerWorkflow(workflow, workflow.epoch, SNAPSHOT));
  }

  /**
   * The service shows no such task. It is taken away only while the state held is the one that was asked about: what
   * came in between is newer than the answer.
   * @param {string} id
   * @param {Stamp | null} asked
   * @param {string} [asOf] the answer's moment, where it names one
   */
  acceptAbsence(id, asked, asOf) {
    if (asked !== this.#tasks.stampOf(id)) return;
    const oldest = { epoch: this.#epoch ?? 0n, version: 0n };
    this.batch(() => this.#remove(id, asked && asked.epoch >= oldest.epoch ? asked : oldest, asOf));
  }

  /** @param {Message} message */
  #acceptSummaryMessage(message) {
    // A project's crop of a task names the same version as the whole: it must not stand in front of it.
    if (typeof message.task?.ownerId !== "string") return;
    this.#offerTask(message.task, message.epoch, PUSH);
    if (message.notice && this.#notices.offer(message.notice)) {
      this.#changes.current.notices.push({ taskId: message.taskId, notice: message.notice });
    }
  }

  /** @param {Message} message */
  #acceptDetailMessage(message) {
    if (message.state) this.#offerDetail(this.#withPermissions(message.state), message.epoch, PUSH);
    if (message.triggerEvent) {
      this.#changes.current.events.push({ taskId: message.taskId, epoch: message.epoch, event: message.triggerEvent });
    }
  }

  /** A push names no reader's permissions: they stay what the last answer said. @param {TaskDetail} detail @returns {TaskDetail} */
  #withPermissions(detail) {
    return { ...detail, permissions: detail.permissions ?? this.detail(detail.id)?.permissions ?? null };
  }

  /** @param {TaskSummary} task @param {string} epoch @param {boolean} snapshot */
  #offerTask(task, epoch, snapshot) {
    const stamp = this.#current(readStamp(epoch, task.version));
    const taken = stamp && this.#tasks.offer(task.id, stamp, task, { asOf: task.asOf, snapshot });
    if (taken) this.#changes.current.tasks.add(task.id);
  }

  /** @param {TaskDetail} detail @param {string} epoch @param {boolean} snapshot */
  #offerDetail(detail, epoch, snapshot) {
    const stamp = this.#current(readStamp(epoch, detail.version));
    const taken = stamp && this.#details.offer(detail.id, stamp, detail, { asOf: detail.asOf, snapshot });
    if (taken) this.#changes.current.details.add(detail.id);
    this.#offerTask(summaryOf(detail), epoch, snapshot);
  }

  /** @param {WorkflowSummary} workflow @param {string} epoch @param {boolean} snapshot */
  #offerWorkflow(workflow, epoch, snapshot) {
    const stamp = this.#current(readStamp(epoch, workflow?.version));
    const taken = stamp && this.#workflows.offer(workflow.id, stamp, workflow, { asOf: "", snapshot });
    if (taken) this.#changes.current.workflows.add(workflow.id);
  }

  /** @param {string} id @param {Stamp | null} stamp @param {string} [asOf] */
  #remove(id, stamp, asOf) {
    if (stamp === null || !this.#current(stamp)) return;
    if (this.#tasks.bury(id, stamp, asOf)) this.#changes.current.tasks.add(id);
    if (this.#details.bury(id, stamp, asOf)) this.#changes.current.details.add(id);
  }

  /** @param {Message} message */
  #announce(message) {
    if (typeof message.broadcastId !== "string" || this.#broadcasts.has(message.broadcastId)) return;
    this.#broadcasts.add(message.broadcastId);
    this.#changes.current.broadcasts.push(/** @type {import("./wire.js").Broadcast} */ (message));
  }

  /** The stamp, unless a restore left its epoch behind. @param {Stamp | null} stamp */
  #current(stamp) {
    if (stamp === null) return null;
    if (this.#epoch === null || stamp.epoch > this.#epoch) {
      this.#changes.current.epochRaised ||= this.#epoch !== null;
      this.#epoch = stamp.epoch;
    }
    return stamp.epoch < this.#epoch ? null : stamp;
  }
}
