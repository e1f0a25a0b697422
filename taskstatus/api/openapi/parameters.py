"""Parameters that many paths share.

Those of paths are under the names that the URL patterns have for them; the document spells them in camelCase.
"""

from typing import Final

from taskstatus.api.openapi.operation import in_path, in_query
from taskstatus.commands.queries import MAX_LIMIT
from taskstatus.domain import characters, identifiers

WORKFLOW_ID: Final = in_path("workflow_id", "The workflow.", pattern=identifiers.WORKFLOW_ID)
TASK_ID: Final = in_path("task_id", "The task.", pattern=identifiers.TASK_ID)
STEP_ID: Final = in_path("step_id", "The known step.", pattern=characters.CALLER_KEY, maxLength=128)
EXECUTION_ID: Final = in_path("execution_id", "The execution.", pattern=identifiers.EXECUTION_ID)
EVENT_ID: Final = in_path("event_id", "The event.", pattern=characters.CALLER_KEY, maxLength=64)
PRINCIPAL_TYPE: Final = in_path(
    "principal_type", "To whom: a user, a project or a role.", enum=["USER", "PROJECT", "ROLE"]
)
PRINCIPAL_ID: Final = in_path(
    "principal_id", "The user's, project's or role's name.", pattern=characters.NAME, maxLength=64
)
REF_TYPE: Final = in_path("ref_type", "Which system's number it is.", pattern=characters.PRINTABLE, maxLength=64)
REF_VALUE: Final = in_path("ref_value", "The number; may hold slashes.", pattern=characters.PRINTABLE, maxLength=255)
LIMIT: Final = in_query("limit", "How many, at most.", required=False, type="integer", minimum=1, maximum=MAX_LIMIT)
PAGE: Final = [in_query("cursor", "The nextCursor of the page before.", required=False, maxLength=512), LIMIT]
ETAG_PATTERN: Final = r'^"task-version-[0-9]+\.[0-9]+"$'
IF_MATCH_PATTERN: Final = r'^"task-version-([0-9]+\.)?[0-9]+"$'
