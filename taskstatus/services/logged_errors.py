"""How the log keeps an error: with the words that its operation has for the code, for whoever will read it."""

from typing import Any

from taskstatus.domain.definitions import Operation
from taskstatus.projections.context import DEFAULT_LANGUAGE, text_in


def logged_error(
    operation: Operation | None, *, category: str, code: str, said: str | None, retryable: bool | None
) -> dict[str, Any]:
    """The error's members in an event's payload; `said`, which is redacted already, counts where the operation is mute.

    The words are kept in every language that there is: who will read the timeline in which is not known yet.
    """
    registered = operation.errors.get(code) if operation else None
    words = dict(registered.user_message) if registered else {}
    return {
        **({"userMessages": words} if words else {}),
        "category": category,
        "code": code,
        "userMessage": text_in(DEFAULT_LANGUAGE, words) or said,
        "retryable": retryable,
        "actions": list(registered.actions) if registered else [],
    }
