"""Handles are unguessable, carry a routing hint, and are stored as a hash only."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskstatus.domain.identifiers import bucket_of
from taskstatus.identity.handles import HANDLE_PATTERN, hash_handle, new_handle
from tests.identity.support import unhurried


@unhurried
@given(st.integers(0, 4_095))
def test_a_handle_has_its_form_and_carries_its_bucket(bucket: int) -> None:
    handle = new_handle(bucket)
    assert HANDLE_PATTERN.fullmatch(handle)
    assert len(handle) == 40
    assert bucket_of(handle) == bucket


@pytest.mark.parametrize("bucket", [-1, 4_096])
def test_a_bucket_out_of_range_is_a_mistake(bucket: int) -> None:
    with pytest.raises(ValueError, match="bucket"):
        new_handle(bucket)


def test_no_two_handles_are_alike() -> None:
    handles = {new_handle(7) for _ in range(10_000)}
    assert len(handles) == len({hash_handle(handle) for handle in handles}) == 10_000


def test_the_random_part_uses_its_whole_alphabet() -> None:
    seen = {character for _ in range(200) for character in new_handle(0)[8:]}
    assert seen == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def test_the_hash_is_the_sha_256_of_the_whole_handle() -> None:
    handle = new_handle(1)
    assert hash_handle(handle) == hashlib.sha256(handle.encode()).hexdigest()
    assert hash_handle(handle.lower()) != hash_handle(handle)


GOOD = "exh_0A1_" + "A" * 32


@pytest.mark.parametrize(
    "text",
    [
        "",
        GOOD.lower(),
        GOOD + "A",
        GOOD[:-1],
        GOOD + "\n",
        GOOD[:-1] + "1",
        "exe" + GOOD[3:],
        "exh_4A1_" + "A" * 32,
        GOOD[:-1] + "Å",
    ],
)
def test_what_is_no_handle_does_not_fit_the_pattern(text: str) -> None:
    assert HANDLE_PATTERN.fullmatch(GOOD)
    assert not HANDLE_PATTERN.fullmatch(text)
