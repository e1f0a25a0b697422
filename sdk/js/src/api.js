/**
 * @typedef {import("./wire.js").TaskPage} TaskPage
 * @typedef {import("./wire.js").TaskDetail} TaskDetail
 * @typedef {import("./wire.js").StepView} StepView
 *
 * What the service says about its realtime channels.
 * @typedef {object} RealtimeSession
 * @property {string} epoch
 * @property {"centrifugo" | "sse"} transport
 * @property {Record<string, string>} endpoints
 * @property {string | null} token
 * @property {{maxDetailSubscriptions: number, maxWatchedTasks: number}} limits
 *
 * Which tasks of a list; a list of values means any of them.
 * @typedef {Record<string, string | number | readonly string[] | null | undefined>} Query
 */

/** A refusal, or no answer at all (`status` 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {{detail?: string, retryAfterMs?: number, current?: Record<string, string>}} [more]
   */
  constructor(status, code, { detail = code, retryAfterMs = 0, current = {} } = {}) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.current = current;
  }

  /** What was caught, as a refusal. @param {unknown} caught */
  static of(caught) {
    return caught instanceof ApiError ? caught : new ApiError(0, "UNREADABLE");
  }

  /** Whether the reader has to log in again. */
  get isSignedOut() {
    return this.status === 401 || this.code === "PERMISSION_REQUIRED";
  }

  /** Whether the object is absent, or no longer shown to this reader. */
  get isAbsent() {
    return this.status === 404 || this.code === "TASK_ARCHIVED";
  }
}

/** The users' API (protocol 5). Every call has a deadline and raises ApiError. */
export class Api {
  #options;
  #isSignedIn = true;

  /** `onIdentity` hears when the login has ended, and when there is one again. @param {{base?: string, csrfToken?: string, fetch?: typeof fetch, timeoutMs?: number, onIdentity?: (isSignedIn: boolean) => void}} [options] */
  constructor({ base = "/api/v1", csrfToken = "", timeoutMs = 15_000, ...parts } = {}) {
    this.#options = { fetch: globalThis.fetch.bind(globalThis), onIdentity: () => {}, ...parts, base, csrfToken, timeoutMs };
  }

  /** A page of the reader's tasks. @param {Query} query @returns {Promise<TaskPage>} */
  tasks(query) {
    return this.#call("GET", `/me/tasks${asQuery(query)}`);
  }

  /** How many tasks are in which state. @returns {Promise<{lifecycleStatus: Record<string, number>, health: Record<string, number>, requiresAction: number}>} */
  counts() {
    return this.#call("GET", "/me/counts");
  }

  /** @param {string} id @returns {Promise<TaskDetail>} */
  task(id) {
    return this.#call("GET", `/tasks/${encodeURIComponent(id)}`);
  }

  /** @param {string} id @param {{afterTaskVersion: string, limit: number}} query @returns {Promise<import("./wire.js").TimelinePage>} */
  events(id, query) {
    return this.#call("GET", `/tasks/${encodeURIComponent(id)}/events${asQuery(query)}`);
  }

  /** @param {string} id @returns {Promise<{items: {taskAttempt: number, steps: StepView[]}[], epoch: string}>} */
  attempts(id) {
    return this.#call("GET", `/tasks/${encodeURIComponent(id)}/attempts`);
  }

  /**
   * Ask that a task be cancelled; asked again, the first answer. Blank reasons and characters that no text has are left out.
   * @param {string} id
   * @param {string} [reason]
   * @returns {Promise<{taskVersion: string, epoch: string, cancelRequestedAt: string}>}
   */
  requestCancel(id, reason = "") {
    const text = reason.replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, "").trim();
    return this.#call("POST", `/tasks/${encodeURIComponent(id)}:requestCancel`, text === "" ? {} : { reason: text });
  }

  /** @param {string} id @returns {Promise<import("./wire.js").WorkflowSummary>} */
  workflow(id) {
    return this.#call("GET", `/workflows/${encodeURIComponent(id)}`);
  }

  /** Those of up to 200 tasks that are newer than known. @param {{taskIds: string[], knownVersions?: Record<string, string>, epoch?: string}} question @returns {Promise<import("./wire.js").TaskBatch>} */
  batchGet(question) {
    return this.#call("POST", "/tasks/status:batchGet", question);
  }

  /** @returns {Promise<RealtimeSession>} */
  session() {
    return this.#call("GET", "/realtime/session");
  }

  /** Leave to hear of one task's details. @param {string} taskId @returns {Promise<{channel: string, token: string, lease: string}>} */
  subscriptionToken(taskId) {
    return this.#call("POST", "/realtime/subscription-token", { taskId });
  }

  /** Give that leave back. @param {string} lease @returns {Promise<void>} */
  release(lease) {
    return this.#call("DELETE", `/realtime/subscriptions/${encodeURIComponent(lease)}`);
  }

  /** The tasks whose details the native stream carries. @returns {Promise<{taskIds: string[], expiresAt: string}>} */
  watchSet() {
    return this.#call("GET", "/me/task-watch-set");
  }

  /** @param {string[]} taskIds @returns {Promise<{taskIds: string[], expiresAt: string}>} */
  setWatchSet(taskIds) {
    return this.#call("PUT", "/me/task-watch-set", { taskIds });
  }

  /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async #call(method, path, body) {
    const { base, csrfToken, fetch, timeoutMs } = this.#options;
    const headers = { Accept: "application/json", "X-CSRFToken": csrfToken, "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const options = { method, headers, signal, credentials: /** @type {const} */ ("same-origin") };
      const response = await fetch(base + path, { ...options, body: body === undefined ? null : JSON.stringify(body) });
      this.#identify(response.status !== 401);
      if (!response.ok) throw await refusal(response);
      return response.status === 204 ? undefined : await response.json();
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError(0, "UNREACHABLE", { detail: String(error) });
    }
  }

  /** @param {boolean} isSignedIn */
  #identify(isSignedIn) {
    if (this.#isSignedIn === isSignedIn) return;
    this.#isSignedIn = isSignedIn;
    this.#options.onIdentity(isSignedIn);
  }
}

/**
 * What a refused answer says; an answer that is no problem document comes from something in between.
 * @param {Response} response
 */
export async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  const retryAfterMs = 1000 * (Number.parseInt(response.headers.get("Retry-After") ?? "0", 10) || 0);
  return new ApiError(response.status, problem.code ?? `HTTP_${response.status}`, { ...problem, retryAfterMs });
}

/** @param {Query} query */
function asQuery(query) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
