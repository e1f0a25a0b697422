"""The document as a whole: made once a process, with what no single path has."""

import functools
from typing import Any, Final

from drf_spectacular.generators import SchemaGenerator

from taskstatus.api.openapi.operation import EXECUTION_TOKEN, SERVICE_TOKEN, SESSION_COOKIE, USER_TOKEN
from taskstatus.api.openapi.problems import Problem
from taskstatus.api.openapi.pydantic_schema import component_schemas

Json = dict[str, Any]

SECURITY_SCHEMES: Final[Json] = {
    SERVICE_TOKEN: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A service: aud `task-status`, claims iss, sub (the producer), tenant, scope, roles, exp.",
    },
    EXECUTION_TOKEN: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "One execution: the executionToken that activating, registering or renewing answers.",
    },
    USER_TOKEN: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A user: aud `task-status-user`, claims iss, sub (the userId), tenant, projects, roles, exp.",
    },
    SESSION_COOKIE: {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "A user who is logged in here; other calls than GET need the X-CSRFToken header too.",
    },
}


DESCRIPTION: Final = """Workflows, their tasks, the executions that do the work, and the reports that move them.

**Values.** Times leave in UTC with milliseconds; any RFC 3339 time with an offset comes in. Versions and the epoch are
decimal strings: compare (epoch, version), in that order, as numbers. On input null equals absent; answers have every
member, null where nothing is known. Bodies are UTF-8 JSON of at most 1 MiB.

**Refusals** are `application/problem+json` (RFC 9457), whatever `Accept` says, and have changed nothing. Act on `code`.
Where `retryable` is true, `Retry-After` says when to send the same call again. An unknown path is 404 PATH_NOT_FOUND,
a method that a path doesn't take is 405 METHOD_NOT_ALLOWED.

**Repeating** a call that creates, activates, registers or reports is safe: the same key with the same content gets the
first answer again; other content under a used key is a 409."""

TAGS: Final = (
    ("Workflows", "What belongs together: created by a coordinator, sealed and ended by its events."),
    ("Tasks", "What a user waits for: created, shared, found, read and retried."),
    ("Executions", "Who does a step's work: activated by a coordinator, or registered while the task runs."),
    ("Events", "What happened, reported by workers and coordinators; every report is settled by its receipt."),
    ("My tasks", "What a user reads: what they own or were given, and nothing else."),
    ("Realtime", "How a user gets messages as they are committed: over Centrifugo, or over the native stream."),
    ("Probes", "For whatever watches over the process."),
)


@functools.cache
def document() -> Json:
    """The OpenAPI document; nothing in it depends on who asks."""
    built: Json = SchemaGenerator().get_schema(request=None, public=True)
    return built


def add_shared_parts(result: Json, **_: object) -> Json:
    """Drf-spectacular's last hook: the problem and the credentials that all paths share."""
    result["info"]["description"] = DESCRIPTION
    result["tags"] = [{"name": name, "description": description} for name, description in TAGS]
    components = result["components"]
    components["schemas"] = dict(sorted({**components["schemas"], **component_schemas(Problem)}.items()))
    components["securitySchemes"] = SECURITY_SCHEMES
    return result
