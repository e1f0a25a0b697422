/**
 * The rows of a timeline: every event is one, but progress of one step that nothing interrupts is one row together, with
 * the moment of the newest.
 */
export function rowsOf(events) {
  const rows = [];
  for (const event of events) {
    const last = rows.at(-1);
    if (last && isSameProgress(last.event, event)) {
      last.times += 1;
      last.key = event.taskVersion;
    } else rows.push({ key: event.taskVersion, event, times: 1 });
  }
  return rows;
}

function isSameProgress(one, other) {
  return one.eventType === "STEP_PROGRESS" && other.eventType === "STEP_PROGRESS" && one.executionId === other.executionId;
}
