"""Identifiers are made and read as the published vectors say."""

import json
import re
import time
from pathlib import Path

import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st
from ulid import ULID

from taskstatus.domain import identifiers
from taskstatus.domain.identifiers import bucket_digits, bucket_of, make_id, new_id, virtual_bucket

ROOT = Path(__file__).parents[3]
VECTORS = json.loads((ROOT / "docs/protocol/vectors/identifiers.json").read_text())
PATTERN_OF = {
    "wfl": identifiers.WORKFLOW_ID,
    "tsk": identifiers.TASK_ID,
    "exe": identifiers.EXECUTION_ID,
}
BUCKETS = st.integers(0, 4095)


@pytest.mark.parametrize("vector", VECTORS["buckets"], ids=lambda v: f"{v['tenantId']}/{v['ownerId']}"[:40])
def test_an_owner_has_the_bucket_of_the_vectors(vector):
    bucket = virtual_bucket(vector["tenantId"], vector["ownerId"])
    assert (bucket, bucket_digits(bucket)) == (vector["bucket"], vector["digits"])


@pytest.mark.parametrize("vector", VECTORS["ids"], ids=lambda v: v["id"])
def test_an_id_is_made_as_in_the_vectors(vector):
    randomness = bytes.fromhex(vector["randomnessHex"])
    assert make_id(vector["prefix"], vector["bucket"], vector["timestampMs"], randomness) == vector["id"]


@pytest.mark.parametrize("vector", VECTORS["ids"], ids=lambda v: v["id"])
def test_an_id_of_the_vectors_gives_back_its_parts(vector):
    prefix, digits, ulid = vector["id"].split("_")
    assert prefix == vector["prefix"]
    assert re.fullmatch(PATTERN_OF[prefix], vector["id"])
    assert (bucket_of(vector["id"]), bucket_digits(vector["bucket"])) == (vector["bucket"], digits)
    octets = ULID.from_str(ulid).bytes
    assert int.from_bytes(octets[:6], "big") == vector["timestampMs"]
    assert octets[6:].hex() == vector["randomnessHex"]


@pytest.mark.parametrize("vector", VECTORS["notTaskIds"], ids=lambda v: v["why"])
def test_what_is_no_task_id_is_not_taken_for_one(vector):
    assert re.fullmatch(identifiers.TASK_ID, vector["id"]) is None


def test_the_hash_is_xxh64():
    assert xxhash.xxh64_intdigest(b"", seed=0) == 0xEF46DB3751D8E999
    assert xxhash.xxh64_intdigest(b"abc", seed=0) == 0x44BC2CF5AD770999


def test_tenant_and_owner_do_not_run_into_one_another():
    assert virtual_bucket("ab", "c") != virtual_bucket("a", "bc")


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(PATTERN_OF)),
    BUCKETS,
    st.integers(0, 2**48 - 1),
    st.binary(min_size=10, max_size=10),
)
def test_every_id_matches_its_pattern_and_carries_its_bucket(prefix, bucket, timestamp_ms, randomness):
    made = make_id(prefix, bucket, timestamp_ms, randomness)
    assert [name for name, pattern in PATTERN_OF.items() if re.fullmatch(pattern, made)] == [prefix]
    assert bucket_of(made) == bucket


@settings(max_examples=100, deadline=None)
@given(
    BUCKETS,
    st.tuples(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10)).flatmap(
        lambda first: st.tuples(
            st.just(first), st.tuples(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
        )
    ),
)
def test_ids_of_one_bucket_sort_by_time_then_randomness(bucket, moments):
    first, second = moments
    assert (first < second) == (make_id("tsk", bucket, *first) < make_id("tsk", bucket, *second))


@pytest.mark.parametrize("bucket", [-1, 4096])
def test_a_bucket_out_of_range_has_no_digits(bucket):
    with pytest.raises(ValueError, match="bucket"):
        bucket_digits(bucket)


@pytest.mark.parametrize("text", ["", "tsk_", "tsk_400_X", "tsk_0l0_X", "TSK_000_X", "dyn_000", "\ntsk_000_X"])
def test_a_text_without_a_bucket_is_refused(text):
    with pytest.raises(ValueError, match="bucket"):
        bucket_of(text)


@pytest.mark.parametrize(("timestamp_ms", "size"), [(-1, 10), (2**48, 10), (0, 9), (0, 11)])
def test_what_does_not_fit_a_ulid_is_refused(timestamp_ms, size):
    with pytest.raises(ValueError, match=r"bits|bytes"):
        make_id("tsk", 0, timestamp_ms, bytes(size))


def test_new_ids_are_of_now_and_of_their_bucket_and_never_twice():
    before = time.time_ns() // 1_000_000
    made = {new_id("exe", 77) for _ in range(1_000)}
    after = time.time_ns() // 1_000_000
    assert len(made) == 1_000
    for each in made:
        assert re.fullmatch(identifiers.EXECUTION_ID, each)
        assert bucket_of(each) == 77
        assert before <= int.from_bytes(ULID.from_str(each[8:]).bytes[:6], "big") <= after


def test_a_dynamic_step_is_told_by_its_prefix():
    assert identifiers.dynamic_step_id("page:7") == "dyn_page:7"
