"""What the paths of workflows take, answer and refuse (protocol 4.1)."""

from typing import Final

from taskstatus.api.openapi import examples, parameters, refusals
from taskstatus.api.openapi.answers import AddedTask, CreatedWorkflow, WorkflowChange, WorkflowReceipt
from taskstatus.api.openapi.example_states import WORKFLOW_SUMMARY
from taskstatus.api.openapi.operation import Answers, Takes, operation
from taskstatus.api.openapi.workflow_state import WorkflowSummary
from taskstatus.commands.tasks import CreateTask, CreateWorkflow, PutGrant, ReportWorkflowEvent

TAG: Final = "Workflows"

create_workflow = operation(
    "createWorkflow",
    TAG,
    "Create a workflow",
    "Creates a workflow and its first tasks in one transaction. The same clientWorkflowKey with the same content "
    "answers the workflow that is there. Needs the role business or coordinator.",
    takes=Takes(CreateWorkflow, examples.WORKFLOW),
    answers={
        201: Answers("The workflow was created.", CreatedWorkflow, examples.CREATED_WORKFLOW),
        200: Answers("The workflow was there.", CreatedWorkflow, examples.REPLAYED_WORKFLOW),
    },
    refuses=(*refusals.WRITE, *refusals.TASK_CREATION),
)

get_workflow = operation(
    "getWorkflow",
    TAG,
    "Read a workflow",
    "The workflow's summary over all of its tasks. Needs the role business or coordinator.",
    parameters=[parameters.WORKFLOW_ID],
    answers={200: Answers("The workflow.", WorkflowSummary, WORKFLOW_SUMMARY)},
    refuses=(*refusals.READ, "WORKFLOW_NOT_FOUND"),
)

add_task = operation(
    "addTask",
    TAG,
    "Add a task to a workflow",
    "The same clientTaskKey with the same content answers the task that is there, also once the workflow is sealed "
    "or has ended. Needs the role business or coordinator.",
    parameters=[parameters.WORKFLOW_ID],
    takes=Takes(CreateTask, examples.TASK),
    answers={
        201: Answers("The task was created.", AddedTask, examples.ADDED_TASK),
        200: Answers("The task was there.", AddedTask, {**examples.ADDED_TASK, "created": False}),
    },
    refuses=(*refusals.WRITE, *refusals.TASK_CREATION, "WORKFLOW_NOT_FOUND", "WORKFLOW_SEALED", "TERMINAL_STATE"),
)

report_workflow_event = operation(
    "reportWorkflowEvent",
    TAG,
    "Report an event of a workflow",
    "Seals, retitles or ends the workflow. The same eventId with the same content gets the first answer again, "
    "marked as a duplicate. Needs the role business or coordinator.",
    parameters=[parameters.WORKFLOW_ID],
    takes=Takes(ReportWorkflowEvent, examples.SEALED),
    answers={200: Answers("The event counts.", WorkflowReceipt, examples.WORKFLOW_RECEIPT)},
    refuses=(*refusals.WRITE, "WORKFLOW_NOT_FOUND", "EVENT_ID_REUSED", "TERMINAL_STATE", "WORKFLOW_SEALED"),
)

put_workflow_grant = operation(
    "putWorkflowGrant",
    TAG,
    "Share a workflow",
    "Gives a user, project or role this permission on the workflow; the same again changes nothing. "
    "Needs the role business or coordinator.",
    parameters=[parameters.WORKFLOW_ID, parameters.PRINCIPAL_TYPE, parameters.PRINCIPAL_ID],
    takes=Takes(PutGrant, {"permission": "VIEW"}),
    answers={
        201: Answers("The principal had no permission before.", WorkflowChange, examples.WORKFLOW_CHANGE),
        200: Answers("The principal had a permission before.", WorkflowChange, examples.WORKFLOW_CHANGE),
    },
    refuses=(*refusals.WRITE, "WORKFLOW_NOT_FOUND"),
)
