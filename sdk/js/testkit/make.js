/** Messages and answers as the service makes them, with what a test cares about. */

/** A TaskSummary of this version. */
export function task(id, version, members = {}) {
  return {
    id,
    workflowId: "wfl_1",
    ownerId: "alice",
    title: `Task ${id}`,
    taskType: null,
    productId: null,
    attempt: 1,
    lifecycleStatus: "RUNNING",
    businessStatus: "RUNNING",
    statusDisplay: { name: "Running", severity: "INFO", colorToken: "info", iconKey: "play" },
    health: "HEALTHY",
    healthReason: null,
    progress: null,
    currentStep: null,
    failure: null,
    requiresAction: false,
    actions: null,
    version: String(version),
    createdAt: "2026-01-01T00:00:00.000Z",
    startedAt: "2026-01-01T00:00:01.000Z",
    finishedAt: null,
    updatedAt: `2026-01-01T00:00:${String(Math.min(Number(version), 59)).padStart(2, "0")}.000Z`,
    elapsedMs: 1000,
    asOf: "2026-01-01T00:00:02.000Z",
    durationMs: null,
    queueDurationMs: 1000,
    totalDurationMs: null,
    summaryData: null,
    ...members,
  };
}

/** A TaskDetail of this version. */
export function detail(id, version, members = {}) {
  const { epoch = "1", steps = [], permissions = null, ...summary } = members;
  return { ...task(id, version, summary), steps, permissions, statusDefinitionVersion: null, epoch };
}

/** A workflow's summary of this version. */
export function workflow(id, version, members = {}) {
  return { id, title: "Papers", version: String(version), epoch: "1", taskCount: 1, ...members };
}

/** The push of a summary. */
export function summaryMessage(id, version, { epoch = "1", notice, ...members } = {}) {
  const body = { kind: "task.summary", schemaVersion: 1, epoch, workflowId: "wfl_1", taskId: id };
  return { ...body, taskVersion: String(version), task: task(id, version, members), ...(notice ? { notice } : {}) };
}

/** The push of a detail. */
export function detailMessage(id, version, { epoch = "1", triggerEvent = null, ...members } = {}) {
  const body = { kind: "task.detail", schemaVersion: 1, epoch, workflowId: "wfl_1", taskId: id, truncated: false };
  return { ...body, taskVersion: String(version), triggerEvent, state: detail(id, version, { epoch, ...members }) };
}

/** The push of a removal. */
export function removedMessage(id, version, epoch = "1") {
  return { kind: "task.removed", schemaVersion: 1, epoch, taskId: id, taskVersion: String(version), reason: "REVOKED" };
}

/** The push of a workflow. */
export function workflowMessage(id, version, epoch = "1") {
  const body = { kind: "workflow.summary", schemaVersion: 1, epoch, workflowId: id, workflowVersion: String(version) };
  return { ...body, workflow: workflow(id, version, { epoch }) };
}

/** A page of a list. */
export function page(items, { epoch = "1", nextCursor = null } = {}) {
  return { items, nextCursor, epoch, asOf: "2026-01-01T00:01:00.000Z" };
}

/** An answer of batchGet. */
export function batch(items, removed = [], epoch = "1") {
  const entry = (item) => ({ workflowId: item.workflowId, taskId: item.id, taskVersion: item.version, task: item });
  return { kind: "task.summary.batch", schemaVersion: 1, items: items.map(entry), removed, epoch, asOf: "2026-01-01T00:01:00.000Z" };
}

/** A notice of a task's version. */
export function notice(taskId, version, members = {}) {
  const told = { type: "STEP_FAILED", level: "ERROR", title: "A step failed", message: "It broke." };
  return { id: `${taskId}:${version}`, ...told, requiresAction: false, actions: [], ...members };
}

/** A repeatable source of numbers in [0, 1), for tests that shuffle. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
