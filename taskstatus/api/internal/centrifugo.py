"""What Centrifugo asks while a subscription lives: whether it may go on (protocol 5).

Not part of the services' API: Centrifugo alone may call it, and proves itself with the key by which it is called.
"""

from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from realtime.subscriptions import renew_subscription
from taskstatus.api.base import ProblemView
from taskstatus.domain.errors import DomainError


class SubRefreshView(ProblemView):
    """The renewal of one subscription, in Centrifugo's own words."""

    @extend_schema(exclude=True)  # type: ignore[untyped-decorator]
    def post(self, request: Request) -> Response:
        """Until when it goes on, or that it has ended."""
        _require_key(request.headers.get("X-API-Key", ""))
        question = self.body(request)
        until = renew_subscription(_text(question, "user"), _text(question, "channel"), question.get("meta"))
        answer = {"expired": True} if until is None else {"expire_at": int(until.timestamp())}
        return Response({"result": answer})


def _require_key(sent: str) -> None:
    """Raise TOKEN_MISSING or TOKEN_INVALID unless it is the key that both sides know."""
    if not sent:
        raise DomainError("TOKEN_MISSING", "Send the key in the header 'X-API-Key'.")
    key = settings.CENTRIFUGO_API_KEY
    if not key or not constant_time_compare(sent, key):
        raise DomainError("TOKEN_INVALID", "This is not the key.")


def _text(question: dict[str, Any], member: str) -> str:
    return str(question.get(member, ""))
