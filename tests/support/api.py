"""Calls to the service as its callers make them: JSON over HTTP with a bearer token."""

import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from taskstatus.identity.minting import mint_service, mint_user

INTERNAL = "/internal/v1"
PRODUCT = "/api/v1"


def fresh(prefix: str = "evt") -> str:
    """A new id for an event, key or command."""
    return f"{prefix}-{secrets.token_hex(8)}"


@dataclass
class Answer:
    """A status and the parsed body."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def code(self) -> str | None:
        """The problem's code, if this is a problem."""
        return self.body.get("code") if isinstance(self.body, dict) else None

    def ok(self) -> dict[str, Any]:
        """The body of a success; fails with the problem otherwise."""
        assert self.status < 300, (self.status, self.body)
        return self._object()

    def accepted(self) -> dict[str, Any]:
        """The receipt of a report that was accepted, now or before; fails otherwise."""
        assert self.ok()["accepted"], self.body
        return self._object()

    def refused(self, status: int, code: str) -> dict[str, Any]:
        """The problem; fails unless it is this one, told as a problem (protocol 3)."""
        assert (self.status, self.code) == (status, code), (self.status, self.body)
        assert self.headers["Content-Type"] == "application/problem+json"
        return self._object()

    def stale(self, reason: str) -> dict[str, Any]:
        """The receipt of a report that came too late; fails unless it is one, for this reason."""
        receipt = self.ok()
        told = {name: receipt[name] for name in ("accepted", "duplicate", "stale", "reason", "committedAt")}
        expected = {"accepted": False, "duplicate": False, "stale": True, "reason": reason, "committedAt": None}
        assert told == expected, receipt
        return receipt

    def _object(self) -> dict[str, Any]:
        body: dict[str, Any] = self.body
        return body


@dataclass
class Api:
    """One caller of the API: a service, an execution by its token, or a user."""

    token: str | None
    root: str = INTERNAL
    client: Client = field(default_factory=lambda: Client(raise_request_exception=True))

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request; `raw` replaces the JSON body."""
        data = raw if raw is not None else (b"" if body is None else json.dumps(body).encode())
        sent = dict(headers or {})
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        response = self.client.generic(method, self.root + path, data, content_type=content_type, headers=sent)
        return answer(response)

    def post(self, path: str, body: Any = None, **options: Any) -> Answer:
        """POST a JSON body."""
        return self.call("POST", path, body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> Answer:
        """PUT a JSON body."""
        return self.call("PUT", path, body, **options)

    def get(self, path: str, **options: Any) -> Answer:
        """GET a path."""
        return self.call("GET", path, **options)


def answer(response: Any) -> Answer:
    """The test client's response as ours."""
    is_json = response.content and "json" in response.headers["Content-Type"]
    body = json.loads(response.content) if is_json else response.content.decode() or None
    return Answer(response.status_code, body, response.headers)


def service_api(producer: str, *roles: str, tenant: str = "acme", scope: str = "content-platform") -> Api:
    """A caller with a service token of these roles."""
    return Api(service_token(producer, *roles, tenant=tenant, scope=scope))


def service_token(producer: str, *roles: str, tenant: str = "acme", scope: str = "content-platform") -> str:
    """A service token of these roles."""
    return mint_service(tenant=tenant, scope=scope, producer_id=producer, roles=roles, ttl_seconds=3600)


def user_api(user_id: str, *, tenant: str = "acme", projects: Iterable[str] = (), roles: Iterable[str] = ()) -> Api:
    """A user with a token of their own, whose session is that token."""
    token = mint_user(tenant=tenant, user_id=user_id, projects=projects, roles=roles, ttl_seconds=3600)
    return Api(token, PRODUCT)
