"""What the paths of reported events take, answer and refuse (protocol 4.3)."""

from typing import Final

from taskstatus.api.openapi import examples, parameters, refusals
from taskstatus.api.openapi.answers import AnyReceipt, Receipt
from taskstatus.api.openapi.batches import BatchResults, EventBatch
from taskstatus.api.openapi.operation import (
    EXECUTION_TOKEN,
    SERVICE_TOKEN,
    Answers,
    Takes,
    in_header,
    operation,
)
from taskstatus.commands.events import ReportEvent

TAG: Final = "Events"

report_event = operation(
    "reportEvent",
    TAG,
    "Report an event",
    "Workers prove themselves by the execution token, or by a service token with the role worker and the execution "
    "handle in the body; coordinators report task events by their service token. What a step event can't do "
    "without is sourceSeq, and progressSeq besides for STEP_PROGRESS; a STEP_HEARTBEAT counts by heartbeatSeq alone. A "
    "task event names taskId and taskAttempt. Failures come with error, STEP_HEALTH_CHANGED with health, "
    "TASK_STATUS_CHANGED with businessStatus. The policy executor that an operation names reports TASK_FAILED, once a "
    "step of it has failed for good. "
    "A duplicate or a stale report is answered with 200 and says so: it is settled and need not be sent again.",
    parameters=[in_header("Idempotency-Key", "Has to equal eventId, where it is sent.")],
    takes=Takes(ReportEvent, examples.EVENT),
    answers={200: Answers("What became of the report.", Receipt, examples.RECEIPT)},
    refuses=(*refusals.WRITE, "RATE_LIMITED", *refusals.REPORT),
    proved_by=(SERVICE_TOKEN, EXECUTION_TOKEN),
)

report_events = operation(
    "reportEvents",
    TAG,
    "Report many events",
    "Every report is judged as if it came alone, and answered in the order sent; those of one execution are applied "
    "in that order. Only the size and the list itself are judged for the whole batch.",
    parameters=[
        in_header("Content-Encoding", "gzip for a packed body, of at most 8 MiB unpacked.", enum=["gzip", "identity"])
    ],
    takes=Takes(
        EventBatch, {"events": [examples.EVENT, {**examples.EVENT, "eventId": "parse-4711-3", "sourceSeq": 3}]}
    ),
    answers={200: Answers("A receipt or a refusal for each report.", BatchResults, examples.RESULTS)},
    refuses=(*refusals.WRITE, "RATE_LIMITED", "BATCH_TOO_LARGE"),
    proved_by=(SERVICE_TOKEN, EXECUTION_TOKEN),
)

get_event_receipt = operation(
    "getEventReceipt",
    TAG,
    "Read the receipt first given",
    "What became of an event of the caller's scope; a service that is a worker only sees its own events. A coordinator "
    "waits for it before it activates the next step. Needs the role business, coordinator or worker.",
    parameters=[parameters.EVENT_ID],
    answers={200: Answers("The receipt, in the shape in which it was given.", AnyReceipt, examples.RECEIPT)},
    refuses=(*refusals.READ, "EVENT_NOT_FOUND"),
)
