import { ApiError } from "../src/api.js";
import { batch, detail, page } from "./make.js";

/**
 * The users' API over tasks that the test sets. Calls are kept in `calls`; a call can be made to wait, or to fail.
 */
export class FakeService {
  calls = [];
  epoch = "1";
  tasks = new Map();
  watched = [];
  refusal = null;
  #gate = Promise.resolve();

  /** Set what is true now. */
  set(...tasks) {
    for (const task of tasks) this.tasks.set(task.id, task);
  }

  /** Let every answer from now on wait until the returned function is called; what it says was read before. */
  hold() {
    let release;
    this.#gate = new Promise((resolve) => (release = resolve));
    return release;
  }

  count(name) {
    return this.calls.filter(([called]) => called === name).length;
  }

  async #answer(name, question, make) {
    this.calls.push([name, question]);
    if (this.refusal) throw this.refusal;
    const answer = make();
    await this.#gate;
    if (answer instanceof Error) throw answer;
    return structuredClone(answer);
  }

  tasksPage(query) {
    const kept = [...this.tasks.values()]
      .filter((task) => query.lifecycleStatus.includes(task.lifecycleStatus))
      .filter((task) => !query.q || task.title.toLowerCase().includes(query.q.toLowerCase()))
      .sort((a, b) => (place(a) < place(b) ? 1 : -1))
      .filter((task) => !query.cursor || place(task) < query.cursor);
    const items = kept.slice(0, query.limit);
    const nextCursor = items.length < kept.length ? place(items.at(-1)) : null;
    return page(items, { epoch: this.epoch, nextCursor });
  }

  api = {
    tasks: (query) => this.#answer("tasks", query, () => this.tasksPage(query)),
    task: (id) => this.#answer("task", id, () => this.#detail(id)),
    batchGet: (question) => this.#answer("batchGet", question, () => this.#batch(question)),
    watchSet: () => this.#answer("watchSet", null, () => ({ taskIds: this.watched })),
    setWatchSet: (ids) => this.#answer("setWatchSet", ids, () => ({ taskIds: (this.watched = ids) })),
    session: () => this.#answer("session", null, () => new ApiError(503, "DATABASE_BUSY")),
  };

  #detail(id) {
    const task = this.tasks.get(id);
    return task ? detail(id, task.version, { ...task, epoch: this.epoch }) : new ApiError(404, "TASK_NOT_FOUND");
  }

  #batch({ taskIds, knownVersions = {}, epoch }) {
    const found = taskIds.filter((id) => this.tasks.has(id)).map((id) => this.tasks.get(id));
    const known = epoch === this.epoch ? knownVersions : {};
    const newer = found.filter((task) => !(task.id in known) || BigInt(task.version) > BigInt(known[task.id]));
    return batch(newer, taskIds.filter((id) => !this.tasks.has(id)), this.epoch);
  }
}

/** Where a task stands on a list: the later the update, the further in front. */
function place(task) {
  return `${task.updatedAt} ${task.id}`;
}
