"""A proven token is remembered, never past its expiry, its keys, or the memory's bound."""

import json
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from jwt import PyJWS
from pytest_django import Settings

from taskstatus.identity.bearer import read_service, read_service_or_execution
from taskstatus.identity.keys import KeySet
from taskstatus.identity.proofs import Proof, ProofCache
from tests.identity.conftest import Clock
from tests.identity.support import bearer, ec_key, jwks, public_jwk, refused, service_claims, sign
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture
def signature_checks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often a signature is really checked."""
    counted: Counter[str] = Counter()
    check = PyJWS.decode_complete

    def counting(*args: Any, **options: Any) -> Any:
        counted["checks"] += 1
        return check(*args, **options)

    monkeypatch.setattr(PyJWS, "decode_complete", counting)
    return counted


def test_a_token_is_checked_once(signature_checks: Counter[str]) -> None:
    token = bearer(sign(service_claims()))
    services = {id(read_service(token)) for _ in range(50)}
    assert len(services) == 1
    read_service_or_execution(token)
    assert signature_checks["checks"] == 1


def test_a_refused_token_is_never_remembered_as_good(signature_checks: Counter[str]) -> None:
    forged = bearer(sign(service_claims(), "x" * 40))
    for _ in range(3):
        with refused("TOKEN_INVALID"):
            read_service(forged)
    assert signature_checks["checks"] == 3


def test_a_remembered_token_expires_on_time(moving_clock: Clock) -> None:
    token = bearer(sign(service_claims(exp=moving_clock.now + 30)))
    for _ in range(3):
        assert read_service(token).tenant == "acme"
    moving_clock.forward(30)
    for _ in range(2):
        with refused("TOKEN_EXPIRED"):
            read_service(token)


def test_a_changed_secret_forgets_what_the_old_one_proved(settings: Settings) -> None:
    token = bearer(sign(service_claims()))
    assert read_service(token).tenant == "acme"
    settings.SERVICE_TOKEN_SECRET = "n" * 40
    with refused("TOKEN_INVALID"):
        read_service(token)


def test_a_set_issuer_forgets_what_any_issuer_proved(settings: Settings) -> None:
    token = bearer(sign(service_claims(iss="anyone")))
    assert read_service(token).tenant == "acme"
    settings.SERVICE_TOKEN_ISSUER = "https://issuer.example"
    with refused("TOKEN_INVALID"):
        read_service(token)


def test_a_rotated_key_forgets_what_the_old_one_proved(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(jwks(public_jwk(ec_key(0), "ES256", kid="k"))))
    settings.SERVICE_TOKEN_JWKS = str(path)
    token = bearer(sign(service_claims(), ec_key(0), "ES256", "k"))
    assert read_service(token).tenant == "acme"
    draft = tmp_path / "draft.json"
    draft.write_text(json.dumps(jwks(public_jwk(ec_key(1), "ES256", kid="k"))))
    draft.replace(path)
    with refused("TOKEN_INVALID"):
        read_service(token)


def test_the_memory_is_bounded_and_drops_what_was_unused_longest() -> None:
    keys = KeySet(())
    cache: ProofCache[int] = ProofCache(max_proofs=3)
    for number in range(3):
        cache.put(bytes([number]), Proof(number, time.time() + 3600, keys))
    assert cache.get(b"\x00", keys) is not None
    cache.put(b"\x03", Proof(3, time.time() + 3600, keys))
    assert cache.get(b"\x01", keys) is None
    assert [cache.get(bytes([n]), keys) is not None for n in (0, 2, 3)] == [True, True, True]


def test_a_proof_by_other_keys_is_none() -> None:
    cache: ProofCache[str] = ProofCache()
    cache.put(b"d", Proof("alice", time.time() + 3600, KeySet(())))
    assert cache.get(b"d", KeySet(())) is None


def test_many_threads_share_the_memory() -> None:
    keys = KeySet(())
    cache: ProofCache[int] = ProofCache(max_proofs=16)
    start = threading.Barrier(4, timeout=PATIENCE_SECONDS)

    def work(seed: int) -> bool:
        start.wait()
        for step in range(2_000):
            number = (seed * 7 + step) % 40
            cache.put(bytes([number]), Proof(number, time.time() + 3600, keys))
            proof = cache.get(bytes([(number + 1) % 40]), keys)
            assert proof is None or proof.principal == (number + 1) % 40
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
