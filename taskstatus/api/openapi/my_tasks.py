"""What the users' paths to tasks and workflows take, answer and refuse (protocol 5)."""

from typing import Final

from taskstatus.api.openapi import example_readings, examples, parameters, refusals
from taskstatus.api.openapi.answers import FoundTask
from taskstatus.api.openapi.example_states import WORKFLOW_SUMMARY
from taskstatus.api.openapi.operation import (
    SESSION_COOKIE,
    USER_TOKEN,
    Answers,
    Takes,
    any_of,
    in_header,
    in_query,
    operation,
    out_header,
)
from taskstatus.api.openapi.readings import TaskAttempts, TaskPage, TaskSummaryBatch, TaskTotals, Timeline, WorkflowPage
from taskstatus.api.openapi.state import TaskDetail
from taskstatus.api.openapi.workflow_state import WorkflowSummary
from taskstatus.commands.queries import BatchGet
from taskstatus.domain import characters
from taskstatus.domain.lifecycle import Health, Lifecycle

TAG: Final = "My tasks"
USER: Final = (USER_TOKEN, SESSION_COOKIE)
_FILTERS: Final = [
    any_of("lifecycleStatus", "In one of these states.", enum=list(Lifecycle)),
    any_of("health", "In one of these healths.", enum=list(Health)),
    any_of("taskType", "Of one of these types.", pattern=characters.CODE, maxLength=128),
    any_of("productId", "Of one of these products.", pattern=characters.PRINTABLE, maxLength=64),
    any_of("workflowId", "Of one of these workflows.", pattern=characters.PRINTABLE, maxLength=64),
    any_of("batchId", "Of one of these batches.", pattern=characters.PRINTABLE, maxLength=128),
    any_of("parentTaskId", "Grown out of one of these tasks.", pattern=characters.PRINTABLE, maxLength=64),
    in_query("q", "A part of the title; case doesn't matter.", required=False, maxLength=255),
    in_query("updatedAfter", "Changed after this moment.", required=False, format="date-time"),
]
_LANGUAGE: Final = "Texts come in the language of Accept-Language, where the definitions have it."

list_tasks = operation(
    "listMyTasks",
    TAG,
    "List my tasks",
    f"What the user owns and what was shared with them, newest update first. {_LANGUAGE}",
    parameters=[*_FILTERS, *parameters.PAGE],
    answers={200: Answers("A page of the list.", TaskPage, example_readings.TASK_PAGE)},
    refuses=(*refusals.USER_READ, "INVALID_FIELD", "DATABASE_BUSY"),
    proved_by=USER,
)

list_workflows = operation(
    "listMyWorkflows",
    TAG,
    "List my workflows",
    "Newest update first; each is counted over the tasks that the user may see.",
    parameters=parameters.PAGE,
    answers={200: Answers("A page of the list.", WorkflowPage, example_readings.WORKFLOW_PAGE)},
    refuses=(*refusals.USER_READ, "INVALID_FIELD"),
    proved_by=USER,
)

count_tasks = operation(
    "countMyTasks",
    TAG,
    "Count my tasks",
    "How many of the tasks that the user may see are in which state.",
    answers={200: Answers("The numbers.", TaskTotals, example_readings.TOTALS)},
    refuses=refusals.USER_READ,
    proved_by=USER,
)

get_workflow = operation(
    "getMyWorkflow",
    TAG,
    "Read a workflow",
    "Its summary, over the tasks that the user may see.",
    parameters=[parameters.WORKFLOW_ID],
    answers={200: Answers("The workflow.", WorkflowSummary, WORKFLOW_SUMMARY)},
    refuses=(*refusals.USER_READ, "WORKFLOW_NOT_FOUND"),
    proved_by=USER,
)

list_workflow_tasks = operation(
    "listWorkflowTasks",
    TAG,
    "List the tasks of a workflow",
    f"Those of them that the user may see, newest update first. {_LANGUAGE}",
    parameters=[parameters.WORKFLOW_ID, *_FILTERS, *parameters.PAGE],
    answers={200: Answers("A page of the list.", TaskPage, example_readings.TASK_PAGE)},
    refuses=(*refusals.USER_READ, "INVALID_FIELD", "WORKFLOW_NOT_FOUND", "DATABASE_BUSY"),
    proved_by=USER,
)

get_task = operation(
    "getMyTask",
    TAG,
    "Read a task",
    f"The task and the current attempt of each of its steps. {_LANGUAGE} The entity tag says nothing of "
    "lastHeartbeatAt, elapsedMs and asOf, which change without a version.",
    parameters=[
        parameters.TASK_ID,
        in_header("If-None-Match", "Entity tags of the versions that the reader has."),
        out_header("ETag", "The version that is shown.", [200, 304], pattern=parameters.ETAG_PATTERN),
    ],
    answers={
        200: Answers("The task.", TaskDetail, example_readings.MY_TASK),
        304: Answers("The reader has this version."),
    },
    refuses=(*refusals.USER_READ, "TASK_NOT_FOUND", "DATABASE_BUSY"),
    proved_by=USER,
)

list_events = operation(
    "listTaskEvents",
    TAG,
    "Read a task's timeline",
    "What came after a version, oldest first.",
    parameters=[
        parameters.TASK_ID,
        in_query("afterTaskVersion", "The version up to which the reader knows.", required=False, type="integer"),
        parameters.LIMIT,
    ],
    answers={200: Answers("A part of the timeline.", Timeline, example_readings.TIMELINE)},
    refuses=(*refusals.USER_READ, "INVALID_FIELD", "TASK_NOT_FOUND", "TIMELINE_PURGED"),
    proved_by=USER,
)

list_attempts = operation(
    "listTaskAttempts",
    TAG,
    "Read a task's attempts",
    "Every attempt of every step, by attempt of the task: what failed stays readable after a retry.",
    parameters=[parameters.TASK_ID],
    answers={200: Answers("The attempts.", TaskAttempts, example_readings.ATTEMPTS)},
    refuses=(*refusals.USER_READ, "TASK_NOT_FOUND"),
    proved_by=USER,
)

batch_get = operation(
    "batchGetTasks",
    TAG,
    "Read the newest state of several tasks",
    "Leaves out what the reader has; versions of another epoch than the current count as unknown. Tasks that are "
    "absent or unseen are named in removed.",
    takes=Takes(BatchGet, {"taskIds": [examples.TASK_ID], "knownVersions": {examples.TASK_ID: "3"}, "epoch": "1"}),
    answers={200: Answers("What is newer.", TaskSummaryBatch, example_readings.BATCH)},
    refuses=refusals.USER_WRITE,
    proved_by=USER,
)

look_up = operation(
    "lookupMyTask",
    TAG,
    "Find a task by an outside number",
    "The task that the number names in that scope, if the user may see it.",
    parameters=[
        in_query("refType", "Which system's number it is.", pattern=characters.PRINTABLE, maxLength=64),
        in_query("refValue", "The number.", pattern=characters.PRINTABLE, maxLength=255),
        in_query("authorityScope", "The scope that gave the number.", pattern=characters.NAME, maxLength=64),
    ],
    answers={200: Answers("The task.", FoundTask, example_readings.FOUND)},
    refuses=(*refusals.USER_READ, "INVALID_FIELD", "TASK_NOT_FOUND"),
    proved_by=USER,
)
