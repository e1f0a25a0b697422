/**
 * What the service sends (protocol 6), as far as this client reads it.
 *
 * @typedef {"PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED"} Lifecycle
 * @typedef {"HEALTHY" | "DEGRADED" | "STALE"} Health
 * @typedef {{current: number, total: number | null, unit: string | null}} Progress
 * @typedef {{schema: string, value: unknown}} Data
 * @typedef {{name: string, severity: string, colorToken: string | null, iconKey: string | null}} StatusDisplay
 *
 * @typedef {object} TaskSummary
 * @property {string} id
 * @property {string} workflowId
 * @property {string} ownerId
 * @property {string} title
 * @property {string | null} taskType
 * @property {string | null} productId
 * @property {string | null} batchId
 * @property {number} attempt
 * @property {Lifecycle} lifecycleStatus
 * @property {string | null} businessStatus
 * @property {StatusDisplay} statusDisplay
 * @property {Health} health
 * @property {string | null} healthReason
 * @property {string | null} phaseCode
 * @property {string | null} phaseLabel
 * @property {Progress | null} progress
 * @property {{stepId: string, operationCode: string, displayName: string | null, serviceName: string | null} | null} currentStep
 * @property {{code: string, message: string | null, failedStepId: string | null} | null} failure
 * @property {boolean} requiresAction
 * @property {string[] | null} actions
 * @property {string | null} cancelRequestedAt
 * @property {string} version
 * @property {string} createdAt
 * @property {string | null} startedAt
 * @property {string | null} finishedAt
 * @property {string} updatedAt
 * @property {number | null} elapsedMs
 * @property {string} asOf
 * @property {number | null} durationMs
 * @property {number | null} queueDurationMs
 * @property {number | null} totalDurationMs
 * @property {Data | null} summaryData
 *
 * @typedef {object} StepError
 * @property {string} category
 * @property {string} code
 * @property {string | null} userMessage
 * @property {boolean} retryable
 * @property {string[]} actions
 *
 * @typedef {object} StepView
 * @property {string} stepId
 * @property {number} attempt
 * @property {string | null} executionId
 * @property {string | null} parentExecutionId
 * @property {number} depth
 * @property {string} operationCode
 * @property {string | null} displayName
 * @property {string | null} serviceName
 * @property {string[]} dependsOn
 * @property {Lifecycle} lifecycleStatus
 * @property {string | null} businessStatus
 * @property {Health} health
 * @property {string | null} healthReason
 * @property {string | null} lastHeartbeatAt
 * @property {string | null} staleSince
 * @property {string | null} phaseCode
 * @property {string | null} phaseLabel
 * @property {Progress | null} progress
 * @property {string | null} progressUpdatedAt
 * @property {string} version
 * @property {string} createdAt
 * @property {string | null} startedAt
 * @property {string | null} finishedAt
 * @property {string} updatedAt
 * @property {number | null} durationMs
 * @property {string | null} durationSource
 * @property {number | null} elapsedMs
 * @property {string} asOf
 * @property {StepError | null} error
 * @property {Data | null} data
 *
 * @typedef {TaskSummary & {steps: StepView[], statusDefinitionVersion: number | null, operationDefinitionVersion: number | null, permissions: string[] | null, epoch: string}} TaskDetail
 *
 * @typedef {object} WorkflowSummary
 * @property {string} id
 * @property {string} title
 * @property {boolean} sealed
 * @property {Lifecycle} lifecycleStatus
 * @property {Health} health
 * @property {string} version
 * @property {number} taskCount
 * @property {{lifecycleStatus: Record<string, number>, health: Record<string, number>}} counts
 * @property {boolean} requiresAction
 * @property {string} updatedAt
 * @property {string} epoch
 *
 * @typedef {object} TimelineEvent
 * @property {string} eventId
 * @property {string} eventType
 * @property {string} taskVersion
 * @property {number} taskAttempt
 * @property {string | null} stepId
 * @property {number | null} stepAttempt
 * @property {string | null} executionId
 * @property {string | null} operationCode
 * @property {string | null} producerId
 * @property {Lifecycle} lifecycleStatus
 * @property {string | null} businessStatus
 * @property {Health} health
 * @property {string | null} healthReason
 * @property {number | null} durationMs
 * @property {StepError | null} error
 * @property {Data | null} data
 * @property {string | null} occurredAt
 * @property {string} committedAt
 *
 * @typedef {object} Notice
 * @property {string} id
 * @property {string} type
 * @property {"INFO" | "WARNING" | "ERROR"} level
 * @property {string} title
 * @property {string} message
 * @property {string | null} operationCode
 * @property {string | null} errorCode
 * @property {boolean} requiresAction
 * @property {string[] | null} actions
 *
 * @typedef {Pick<Notice, "level" | "title" | "message"> & {broadcastId: string}} Broadcast
 *
 * @typedef {{items: TaskSummary[], nextCursor: string | null, epoch: string, asOf: string}} TaskPage
 * @typedef {{items: {workflowId: string, taskId: string, taskVersion: string, task: TaskSummary}[], removed: string[], epoch: string, asOf: string}} TaskBatch
 * @typedef {{items: TimelineEvent[], nextAfterTaskVersion: string | null, oldestTaskVersion: string | null, epoch: string}} TimelinePage
 *
 * @typedef {Record<string, any>} Message
 */

/** The only version of the message format that this client reads. */
export const SCHEMA_VERSION = 1;

const TERMINAL = new Set(["SUCCEEDED", "FAILED", "CANCELLED"]);

/**
 * Whether nothing more is to come, but for a new attempt or a correction. Only a task's own lifecycle says so: neither
 * the end of all its steps nor the end of a connection does.
 * @param {{lifecycleStatus: string}} state
 */
export function isEnded(state) {
  return TERMINAL.has(state.lifecycleStatus);
}

/**
 * The summary that is part of a detail.
 * @param {TaskDetail} detail
 * @returns {TaskSummary}
 */
export function summaryOf(detail) {
  const { steps, statusDefinitionVersion, operationDefinitionVersion, permissions, epoch, ...summary } = detail;
  return summary;
}
