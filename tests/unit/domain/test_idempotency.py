"""One canonical spelling for what means the same, held to the published vectors."""

import hashlib
import json
import math
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain import idempotency
from taskstatus.domain.idempotency import canonical_json, payload_hash
from taskstatus.domain.strict_json import parse_object

ROOT = Path(__file__).parents[3]
VECTORS = json.loads((ROOT / "docs/protocol/vectors/canonical_json.json").read_text())["vectors"]
REALS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | REALS | st.text(max_size=8)
NAMES = st.text(max_size=4) | st.sampled_from(["\ufb33", "\U0001f600", "\u20ac", "\uffff", "\U00010000", "a", ""])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=20,
)
bounded = settings(max_examples=200, deadline=None)


def whole_number(digits):
    number = int(digits)
    return number if abs(number) < 2**63 else float(number)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_every_input_of_a_vector_has_its_spelling_and_hash(vector):
    for text in vector["inputs"]:
        value = parse_object(text.encode())
        assert canonical_json(value) == vector["canonical"]
        assert payload_hash(value) == vector["sha256"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_the_spelling_of_a_vector_is_an_input_with_itself_as_spelling(vector):
    assert canonical_json(json.loads(vector["canonical"], parse_int=whole_number)) == vector["canonical"]
    assert hashlib.sha256(vector["canonical"].encode()).hexdigest() == vector["sha256"]


def test_no_two_vectors_mean_the_same():
    assert len({vector["sha256"] for vector in VECTORS}) == len(VECTORS)


@pytest.mark.parametrize(
    ("double", "spelled"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_doubles_are_spelled_as_rfc_8785_lists_them(double, spelled):
    (number,) = struct.unpack(">d", bytes.fromhex(double))
    assert canonical_json(number) == spelled


@bounded
@given(VALUES)
def test_the_fast_way_spells_as_the_slow_one(value):
    assert canonical_json(value) == idempotency._spelled(value)


@bounded
@given(REALS)
def test_a_spelled_double_is_read_back_unchanged(number):
    assert float(canonical_json(number)) == number


@bounded
@given(st.dictionaries(NAMES, VALUES, max_size=5), st.randoms(use_true_random=False))
def test_neither_order_nor_escapes_nor_space_matter(value, random):
    names = list(value)
    random.shuffle(names)
    shuffled = {name: value[name] for name in names}
    texts = (json.dumps(shuffled, indent=1, ensure_ascii=True), json.dumps(value, ensure_ascii=False))
    spellings = {canonical_json(parse_object(text.encode())) for text in texts}
    assert spellings == {canonical_json(value)}


@bounded
@given(st.integers(-(2**63) + 1, 2**63 - 1), st.integers(0, 6))
def test_the_spelling_of_a_whole_number_does_not_matter(number, zeros):
    spellings = [
        f"{number}",
        f"{number}.{'0' * (zeros + 1)}",
        f"{number}e0",
        # Zeros behind a zero would stand before it.
        f"{number}{'0' * zeros if number else ''}E-{zeros}",
    ]
    hashes = {payload_hash(parse_object(f'{{"n":{spelled}}}'.encode())) for spelled in spellings}
    assert hashes == {payload_hash({"n": number})}


@bounded
@given(VALUES, VALUES)
def test_only_equal_values_share_a_spelling(one, other):
    def plain(value):
        return json.dumps(value, sort_keys=True)

    if canonical_json(one) == canonical_json(other):
        assert plain(json.loads(canonical_json(one))) == plain(json.loads(canonical_json(other)))
    else:
        assert plain(one) != plain(other)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_of_json_is_refused(number):
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"n": number})


def test_what_is_not_json_is_refused():
    with pytest.raises(TypeError):
        canonical_json({"n": object()})
