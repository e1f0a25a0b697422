"""Publishing through Centrifugo's HTTP API, and telling its refusals apart.

One `batch` call for many commands, sent as plain HTTP: its replies come one by one, also where some are errors.
"""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import requests
from django.conf import settings

from outbox.models.message import Command
from outbox.publishers import Delivery, PublishError, PublisherUnavailableError

CONNECT_SECONDS: Final = 2.0
LEAST_SECONDS: Final = 0.1
# One state a channel: there Centrifugo's own gate holds an older version back. The other channels carry many
# aggregates, whose versions can't be compared.
VERSIONED_NAMESPACES: Final = frozenset({"task_detail", "workflow_summary"})
# Errors that no retry mends, in Centrifugo's words. All others may pass.
PERMANENT_CODES: Final[Mapping[int, str]] = {
    102: "unknown channel",
    104: "not found",
    107: "bad request",
    108: "not available",
}
# The call was refused for what is in it; everything else speaks of the server, the way to it, or the key.
REFUSED_STATUSES: Final = frozenset({400, 413})


class CentrifugoPublisher:
    """Keeps one connection to Centrifugo and publishes by it, one call at a time."""

    def __init__(self) -> None:
        self._url = f"{settings.CENTRIFUGO_API_URL.rstrip('/')}/batch"
        self._session = requests.Session()
        # The key goes to the configured address alone: through no proxy of the environment, behind no redirect.
        self._session.trust_env = False
        self._session.headers.update({"X-API-Key": settings.CENTRIFUGO_API_KEY, "Content-Type": "application/json"})

    def publish(self, deliveries: Sequence[Delivery], timeout_seconds: float) -> list[PublishError | None]:
        """Carry the commands out; see `Publisher.publish`."""
        answers: list[PublishError | None] = [_fault(delivery) for delivery in deliveries]
        sound = [place for place, fault in enumerate(answers) if fault is None]
        if sound:
            replies = self._batch([_command(deliveries[place]) for place in sound], timeout_seconds)
            for place, reply in zip(sound, replies, strict=True):
                answers[place] = _error_of(reply)
        return answers

    def _batch(self, commands: Sequence[str], timeout_seconds: float) -> list[Any]:
        body = f'{{"commands":[{",".join(commands)}]}}'.encode()
        response = self._post(body, timeout_seconds)
        if response.status_code in REFUSED_STATUSES:
            raise PublishError(f"Centrifugo refused it: HTTP {response.status_code}", retryable=False)
        if response.status_code != requests.codes.ok:
            raise PublisherUnavailableError(_reason(response.status_code))
        replies = _replies(response)
        if len(replies) != len(commands):
            raise PublisherUnavailableError("Centrifugo's answer is not understood")
        return replies

    def _post(self, body: bytes, timeout_seconds: float) -> requests.Response:
        end = time.monotonic() + timeout_seconds
        for is_last in (False, True):
            timeout = _timeout(end - time.monotonic())
            try:
                return self._session.post(self._url, data=body, timeout=timeout, allow_redirects=False)
            except requests.Timeout as error:
                raise PublisherUnavailableError("Centrifugo did not answer in time") from error
            except requests.RequestException as error:
                # A kept connection that Centrifugo has closed meanwhile looks the same: one more, fresh one.
                if is_last:
                    raise PublisherUnavailableError("Centrifugo can't be reached") from error
        raise AssertionError("unreachable: the last try returns or raises")


def _timeout(seconds: float) -> tuple[float, float]:
    """Share the time between connecting and waiting for the answer."""
    seconds = max(seconds, LEAST_SECONDS)
    connect_seconds = min(CONNECT_SECONDS, seconds / 2)
    return connect_seconds, seconds - connect_seconds


def _fault(delivery: Delivery) -> PublishError | None:
    """Why Centrifugo must not see this command: its payload would spoil the call."""
    try:
        payload = json.loads(delivery.payload, parse_constant=_no_number)
    except ValueError:
        return PublishError("the payload is no JSON", retryable=False)
    is_whole = isinstance(payload, dict) and (
        delivery.command is Command.PUBLISH or isinstance(payload.get("user"), str)
    )
    return None if is_whole else PublishError("the payload has not the form of its command", retryable=False)


def _no_number(text: str) -> None:
    raise ValueError(text)


def _command(delivery: Delivery) -> str:
    if delivery.command is Command.REVOKE:
        user = json.loads(delivery.payload)["user"]
        return json.dumps({"unsubscribe": {"user": user, "channel": delivery.channel}})
    members: dict[str, Any] = {"channel": delivery.channel, "idempotency_key": _idempotency_key(delivery)}
    if delivery.channel.partition(":")[0] in VERSIONED_NAMESPACES:
        members |= {"version": delivery.aggregate_version, "version_epoch": str(delivery.epoch)}
    # The payload goes as it was written, not through a parser and back.
    return f'{{"publish":{json.dumps(members)[:-1]},"data":{delivery.payload}}}}}'


def _idempotency_key(delivery: Delivery) -> str:
    """The same for each try of a row; other rows with its number, as after a restore, have another."""
    return f"{delivery.epoch}.{delivery.id}.{delivery.aggregate_id}.{delivery.aggregate_version}"


def _replies(response: requests.Response) -> list[Any]:
    try:
        answer = response.json()
    except ValueError:
        answer = None
    replies = answer.get("replies") if isinstance(answer, dict) else None
    return replies if isinstance(replies, list) else []


def _error_of(reply: Any) -> PublishError | None:  # noqa: ANN401 - whatever came
    error = reply.get("error") if isinstance(reply, dict) else {}
    if error is None:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    if not isinstance(code, int):
        return PublishError("Centrifugo's answer is not understood", retryable=True)
    words = PERMANENT_CODES.get(code, "internal or unknown error")
    return PublishError(f"Centrifugo refused it: {code} {words}", retryable=code not in PERMANENT_CODES)


def _reason(status: int) -> str:
    if status in {requests.codes.unauthorized, requests.codes.forbidden}:
        return f"Centrifugo refuses the API key (HTTP {status})"
    return f"Centrifugo answers HTTP {status}"
