"""Parameters that many paths share."""

from typing import Final

from taskstatus.api.openapi.operation import in_path
from taskstatus.domain import characters, identifiers

WORKFLOW_ID: Final = in_path("workflowId", "The workflow.", pattern=identifiers.WORKFLOW_ID)
TASK_ID: Final = in_path("taskId", "The task.", pattern=identifiers.TASK_ID)
STEP_ID: Final = in_path("stepId", "The known step.", pattern=characters.CALLER_KEY, maxLength=128)
EXECUTION_ID: Final = in_path("executionId", "The execution.", pattern=identifiers.EXECUTION_ID)
EVENT_ID: Final = in_path("eventId", "The event.", pattern=characters.CALLER_KEY, maxLength=64)
PRINCIPAL_TYPE: Final = in_path(
    "principalType", "To whom: a user, a project or a role.", enum=["USER", "PROJECT", "ROLE"]
)
PRINCIPAL_ID: Final = in_path(
    "principalId", "The user's, project's or role's name.", pattern=characters.NAME, maxLength=64
)
REF_TYPE: Final = in_path("refType", "Which system's number it is.", pattern=characters.PRINTABLE, maxLength=64)
REF_VALUE: Final = in_path("refValue", "The number; may hold slashes.", pattern=characters.PRINTABLE, maxLength=255)
