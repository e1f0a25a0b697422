"""Keys, tokens and a JWKS server for the tests of identity."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import hypothesis
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import get_default_algorithms

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import EventType
from taskstatus.identity.principals import ExecutionClaims
from tests.settings import SERVICE_TOKEN_SECRET
from tests.support.waiting import PATIENCE_SECONDS

ABSENT: Any = object()
# A busy machine is no reason to fail a property.
unhurried = hypothesis.settings(
    deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], max_examples=200
)
# What no token looks like, as the Authorization header brings it.
GARBAGE = [
    "Bearer",
    "Bearer ",
    "Basic YWxpY2U6c2VjcmV0",
    "Bearer a b",
    "Bearer a.b",
    "Bearer a.b.c.d",
    "Bearer ..",
    "Bearer a.b.",
    "Bearer é.é.é",
    "Bearer \x00.\x00.\x00",
    "Bearer \ud800.a.b",
    "Bearer eyJhbGciOiJIUzI1NiJ9.W10.AAAA",
    "Bearer ey.ey.ey",
    "Bearer " + "A" * 9_000,
    "Bearer " + "A" * 4_000 + "." + "A" * 4_000 + "." + "A" * 4_000,
    "Token eyJhbGciOiJIUzI1NiJ9.e30.AAAA",
]
PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def execution() -> ExecutionClaims:
    """What a good execution token says: an hour of one kind of event."""
    return ExecutionClaims(
        tenant="acme",
        scope="content-platform",
        workflow_id="wfl_0A1_01K5M6Z3Q8V4N2T7X9R0B1C2D3",
        task_id="tsk_0A1_01K5M6Z3Q8V4N2T7X9R0B1C2D4",
        task_attempt=1,
        step_id="parse",
        step_attempt=2,
        execution_id="exe_0A1_01K5M6Z3Q8V4N2T7X9R0B1C2D5",
        operation_code="DOCUMENT.PARSE",
        producer_id="document-parser",
        allowed_event_types=frozenset({EventType.STEP_STARTED}),
        generation=1,
        expires_at=datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1),
    )


def service_claims(**changes: Any) -> dict[str, Any]:
    """What a good service token says, with changes; ABSENT takes a claim away."""
    claims = {
        "iss": "https://issuer.example",
        "aud": "task-status",
        "sub": "document-parser",
        "tenant": "acme",
        "scope": "content-platform",
        "roles": ["worker"],
        "exp": int(time.time()) + 86_400,
    }
    return _changed(claims, changes)


def user_claims(**changes: Any) -> dict[str, Any]:
    """What Alice's token says, with changes."""
    claims = {
        "iss": "https://login.example",
        "aud": "task-status-user",
        "sub": "alice",
        "tenant": "acme",
        "projects": ["atlas", "borealis"],
        "roles": ["editor"],
        "exp": int(time.time()) + 86_400,
    }
    return _changed(claims, changes)


def _changed(claims: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**claims, **changes}.items() if value is not ABSENT}


def sign(
    claims: Mapping[str, Any],
    key: str | PrivateKey = SERVICE_TOKEN_SECRET,
    algorithm: str = "HS256",
    kid: str | None = None,
) -> str:
    """Sign a token; a claim of a wrong type is signed as it is."""
    headers = {"kid": kid} if kid is not None else None
    return jwt.PyJWS().encode(json.dumps(claims).encode(), key, algorithm, headers=headers)


def bearer(token: str) -> str:
    """Put a token into a header."""
    return f"Bearer {token}"


@cache
def rsa_key(number: int = 0, bits: int = 2_048) -> rsa.RSAPrivateKey:
    """Make the suite's RSA key of that number, once."""
    return rsa.generate_private_key(public_exponent=65_537, key_size=bits)


@cache
def ec_key(number: int = 0) -> ec.EllipticCurvePrivateKey:
    """Make the suite's P-256 key of that number, once."""
    return ec.generate_private_key(ec.SECP256R1())


@cache
def ed_key(number: int = 0) -> ed25519.Ed25519PrivateKey:
    """Make the suite's Ed25519 key of that number, once."""
    return ed25519.Ed25519PrivateKey.generate()


def public_jwk(key: PrivateKey, algorithm: str, **members: Any) -> dict[str, Any]:
    """Describe a key's public half as a JWK."""
    encoder: Any = get_default_algorithms()[algorithm]
    described: dict[str, Any] = encoder.to_jwk(key.public_key(), as_dict=True)
    described.pop("key_ops", None)
    return described | members


def jwks(*keys: dict[str, Any]) -> dict[str, Any]:
    """Make a JWK set."""
    return {"keys": list(keys)}


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[DomainError]]:
    """Expect a refusal with that code."""
    with pytest.raises(DomainError) as caught:
        yield caught
    assert caught.value.code == code, str(caught.value)


class JwksServer:
    """A JWK set on a loopback port; change `document`, `status` or `open` as the test goes."""

    def __init__(self) -> None:
        self.document: object = jwks()
        self.status = 200
        self.hits = 0
        self.open = threading.Event()
        self.open.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.hits += 1
                outer.open.wait(PATIENCE_SECONDS)
                self.send_response(outer.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(json.dumps(outer.document).encode())

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self.url = f"http://127.0.0.1:{self._server.server_port}/jwks.json"

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Close the port; a second call does nothing."""
        self.open.set()
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join(PATIENCE_SECONDS)
        self._server.server_close()
