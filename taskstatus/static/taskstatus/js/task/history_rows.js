/**
 * @typedef {import("../../sdk/wire.js").TimelineEvent} TimelineEvent
 *
 * A row's newest event, and how many it stands for.
 * @typedef {{key: string, event: TimelineEvent, times: number}} HistoryRow
 */

/**
 * The rows of a timeline: every event is one, but progress of one step that nothing interrupts is one row together, with
 * the moment of the newest.
 * @param {readonly TimelineEvent[]} events
 * @returns {HistoryRow[]}
 */
export function rowsOf(events) {
  const rows = /** @type {HistoryRow[]} */ ([]);
  for (const event of events) {
    const last = rows.at(-1);
    if (last && isSameProgress(last.event, event)) {
      last.times += 1;
      last.key = event.taskVersion;
    } else rows.push({ key: event.taskVersion, event, times: 1 });
  }
  return rows;
}

/** @param {TimelineEvent} one @param {TimelineEvent} other */
function isSameProgress(one, other) {
  return one.eventType === "STEP_PROGRESS" && other.eventType === "STEP_PROGRESS" && one.executionId === other.executionId;
}
