"""What the probes answer: no credential, no refusal (protocol 5)."""

from typing import Final, Literal

from taskstatus.api.openapi.answers import Answer
from taskstatus.api.openapi.operation import Answers, operation

TAG: Final = "Probes"


class Alive(Answer):
    """The process answers."""

    status: Literal["ok"]


class Ready(Answer):
    """Whether the process can serve, and what it needs for that."""

    status: Literal["ok", "unavailable"]
    database: Literal["ok", "unavailable"]


healthz = operation(
    "isAlive",
    TAG,
    "Is the process there?",
    "The process answers; says nothing of what it needs.",
    answers={200: Answers("It is.", Alive, {"status": "ok"})},
    refuses=(),
    proved_by=(),
)

readyz = operation(
    "isReady",
    TAG,
    "Can the process serve?",
    "Its database answers and has this service's tables.",
    answers={
        200: Answers("It can.", Ready, {"status": "ok", "database": "ok"}),
        503: Answers("It can't now.", Ready, {"status": "unavailable", "database": "unavailable"}),
    },
    refuses=(),
    proved_by=(),
)
