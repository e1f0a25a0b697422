"""What the paths of tasks take, answer and refuse (protocol 4.1)."""

from typing import Final

from taskstatus.api.openapi import examples, parameters, refusals
from taskstatus.api.openapi.answers import (
    ClassificationReceipt,
    ExternalRefReceipt,
    FoundTask,
    RetryReceipt,
    TaskChange,
)
from taskstatus.api.openapi.example_states import TASK_DETAIL
from taskstatus.api.openapi.operation import Answers, Takes, in_header, in_query, operation, out_header
from taskstatus.api.openapi.state import TaskDetail
from taskstatus.commands.tasks import ClassifyTask, NoMembers, PutGrant, RetryTask
from taskstatus.domain import characters

TAG: Final = "Tasks"

get_task = operation(
    "getTask",
    TAG,
    "Read a task",
    "The task and the current attempt of each of its steps. Texts come in the language of Accept-Language, where the "
    "definitions have it. The entity tag says nothing of lastHeartbeatAt, elapsedMs and asOf, which change without a "
    "version. "
    "Needs the role business or coordinator.",
    parameters=[
        parameters.TASK_ID,
        in_header("If-None-Match", "Entity tags of the versions that the reader has."),
        out_header("ETag", "The version that is shown.", [200, 304], pattern=parameters.ETAG_PATTERN),
    ],
    answers={
        200: Answers("The task.", TaskDetail, TASK_DETAIL),
        304: Answers("The reader has this version."),
    },
    refuses=(*refusals.READ, "TASK_NOT_FOUND", "DATABASE_BUSY"),
)

retry_task = operation(
    "retryTask",
    TAG,
    "Retry an ended task",
    "Opens the next attempt of the task, with every known step pending again. The same eventId with the same content "
    "gets the first answer again. Needs the role business or coordinator.",
    parameters=[parameters.TASK_ID],
    takes=Takes(RetryTask, {"eventId": "retry-4711-2", "reason": "The parser was repaired."}),
    answers={
        200: Answers("The new attempt is open.", RetryReceipt, {"taskAttempt": 2, "taskVersion": "7", "epoch": "1"})
    },
    refuses=(*refusals.WRITE, "TASK_NOT_FOUND", "EVENT_ID_REUSED", "ATTEMPT_STILL_RUNNING"),
)

classify_task = operation(
    "classifyTask",
    TAG,
    "Say what kind of task it is",
    "Changes the members that are sent, if the task is still at the version that If-Match names: its ETag, or "
    '"task-version-{version}" of the current epoch. The task type and the versions of its definitions freeze once a '
    "business status was reported or a step was activated under that type; a task without a type is never frozen. An "
    "ended task keeps them too. Product and batch can always be changed. What is so already makes no version. "
    "Needs the role business or coordinator.",
    parameters=[
        parameters.TASK_ID,
        in_header("If-Match", "The version that the caller saw.", pattern=parameters.IF_MATCH_PATTERN),
    ],
    takes=Takes(ClassifyTask, {"taskType": "DOCUMENT_PROCESS", "productId": "contracts"}),
    answers={
        200: Answers("The task is classified so.", ClassificationReceipt, {"taskVersion": "5", "epoch": "1"}),
    },
    refuses=(
        *refusals.WRITE,
        "TASK_NOT_FOUND",
        "IF_MATCH_REQUIRED",
        "VERSION_MISMATCH",
        "TERMINAL_STATE",
        "CLASSIFICATION_FROZEN",
        "DEFINITION_NOT_FOUND",
    ),
)

put_task_grant = operation(
    "putTaskGrant",
    TAG,
    "Share a task",
    "Gives a user, project or role this permission on the task; the same again changes nothing. "
    "Needs the role business or coordinator.",
    parameters=[parameters.TASK_ID, parameters.PRINCIPAL_TYPE, parameters.PRINCIPAL_ID],
    takes=Takes(PutGrant, {"permission": "OPERATE"}),
    answers={
        201: Answers("The principal had no permission before.", TaskChange, examples.TASK_CHANGE),
        200: Answers("The principal had a permission before.", TaskChange, examples.TASK_CHANGE),
    },
    refuses=(*refusals.WRITE, "TASK_NOT_FOUND"),
)

put_external_ref = operation(
    "putExternalRef",
    TAG,
    "Give a task an outside number",
    "Lets the number of another system name the task; the same again changes nothing. A body isn't needed. "
    "Needs the role business or coordinator.",
    parameters=[parameters.TASK_ID, parameters.REF_TYPE, parameters.REF_VALUE],
    takes=Takes(NoMembers, {}),
    answers={
        201: Answers("The number names the task now.", ExternalRefReceipt, examples.EXTERNAL_REF),
        200: Answers("The number named the task before.", ExternalRefReceipt, examples.EXTERNAL_REF),
    },
    refuses=(*refusals.WRITE, "TASK_NOT_FOUND", "EXTERNAL_REF_TAKEN"),
)

lookup_task = operation(
    "lookupTask",
    TAG,
    "Find a task by an outside number",
    "The task that the number names in the caller's scope. Needs the role business or coordinator.",
    parameters=[
        in_query("refType", "Which system's number it is.", pattern=characters.PRINTABLE, maxLength=64),
        in_query("refValue", "The number.", pattern=characters.PRINTABLE, maxLength=255),
    ],
    answers={
        200: Answers(
            "The task.",
            FoundTask,
            {"taskId": examples.TASK_ID, "workflowId": examples.WORKFLOW_ID, "epoch": "1"},
        )
    },
    refuses=(*refusals.READ, "INVALID_FIELD", "TASK_NOT_FOUND"),
)
