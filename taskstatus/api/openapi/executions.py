"""What the paths of executions take, answer and refuse (protocol 4.1, 4.2)."""

from typing import Final

from taskstatus.api.openapi import example_readings, examples, parameters, refusals
from taskstatus.api.openapi.answers import ExecutionContext, RegisteredExecution, RenewedCredentials
from taskstatus.api.openapi.operation import (
    EXECUTION_TOKEN,
    SERVICE_TOKEN,
    Answers,
    Takes,
    any_of,
    in_header,
    in_query,
    operation,
)
from taskstatus.api.openapi.readings import ExecutionPage
from taskstatus.commands.executions import ActivateStep, RegisterExecution
from taskstatus.commands.fields import MAX_TASK_SECONDS
from taskstatus.commands.tasks import NoMembers
from taskstatus.domain.lifecycle import Health

TAG: Final = "Executions"

list_executions = operation(
    "listExecutions",
    TAG,
    "List running executions",
    "The executions of the caller's scope that were activated and have not ended, those that are longest in their "
    "health first: a coordinator asks for the STALE ones, and decides whether to supersede them. Needs the role "
    "business or coordinator.",
    parameters=[
        any_of("health", "In one of these healths; without it, in any.", enum=list(Health)),
        in_query(
            "olderThanSeconds",
            "In this health for at least so long, by the service's clock.",
            required=False,
            type="integer",
            minimum=0,
            maximum=MAX_TASK_SECONDS,
        ),
        *parameters.PAGE,
    ],
    answers={200: Answers("A page of the list.", ExecutionPage, example_readings.EXECUTION_PAGE)},
    refuses=(*refusals.READ, "INVALID_FIELD"),
)

activate_step = operation(
    "activateStep",
    TAG,
    "Activate a known step",
    "Gives the step its execution and returns what its worker needs. A known commandId, or the attempt that is "
    "activated already, answers the same execution with a fresh token and handle. Needs the role coordinator.",
    parameters=[parameters.TASK_ID, parameters.STEP_ID],
    takes=Takes(ActivateStep, {"producerId": "document-parser", "commandId": "parse-4711-1"}),
    answers={
        201: Answers("The step was activated.", ExecutionContext, examples.CONTEXT),
        200: Answers("The step was activated before.", ExecutionContext, examples.CONTEXT),
    },
    refuses=(
        *refusals.WRITE,
        "RATE_LIMITED",
        "TASK_NOT_FOUND",
        "STEP_NOT_REGISTERED",
        "CLIENT_KEY_REUSED",
        "TERMINAL_STATE",
        "ATTEMPT_STILL_RUNNING",
        "ILLEGAL_TRANSITION",
        "ATTEMPT_LIMIT",
        "PRODUCER_MISMATCH",
        "UNKNOWN_OPERATION",
    ),
)

register_execution = operation(
    "registerExecution",
    TAG,
    "Register a step while the task runs",
    "Adds a dynamic step with its execution. With an execution token the new step is a child of that execution; a "
    "service needs the role coordinator and may name any parent that has not ended, or none. The same clientStepKey "
    "and attempt with the same content answers the same execution with a fresh token and handle.",
    parameters=[parameters.TASK_ID, in_header("Idempotency-Key", "Taken, and not compared with anything.")],
    takes=Takes(RegisterExecution, examples.REGISTRATION),
    answers={
        201: Answers("The step was registered.", RegisteredExecution, examples.REGISTERED),
        200: Answers("The step was registered before.", RegisteredExecution, {**examples.REGISTERED, "created": False}),
    },
    refuses=(
        *refusals.WRITE,
        "RATE_LIMITED",
        "TASK_NOT_FOUND",
        "CLIENT_KEY_REUSED",
        "TERMINAL_STATE",
        "EXECUTION_NOT_FOUND",
        "PARENT_NOT_ALLOWED",
        "CHILD_OPERATION_NOT_ALLOWED",
        "DEPTH_LIMIT",
        "DYNAMIC_STEP_LIMIT",
        "PARALLEL_LIMIT",
        "REGISTRATION_RATE_LIMIT",
        "ATTEMPT_STILL_RUNNING",
        "ATTEMPT_LIMIT",
        "UNKNOWN_OPERATION",
        "PRODUCER_MISMATCH",
    ),
    proved_by=(SERVICE_TOKEN, EXECUTION_TOKEN),
)

renew_credentials = operation(
    "renewCredentials",
    TAG,
    "Renew an execution's credentials",
    "Gives the worker that lost them, or whose token ends soon, a fresh token and handle. Needs the role worker and "
    "the execution's own producer. A body isn't needed.",
    parameters=[parameters.EXECUTION_ID],
    takes=Takes(NoMembers, {}),
    answers={200: Answers("Fresh credentials.", RenewedCredentials, examples.CREDENTIALS)},
    refuses=(*refusals.WRITE, "RATE_LIMITED", "EXECUTION_NOT_FOUND", "PRODUCER_MISMATCH", "TERMINAL_STATE"),
)
