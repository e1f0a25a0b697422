"""A body has one reading or is refused, says where, and costs bounded time."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.errors import DomainError
from taskstatus.domain.strict_json import MAX_DEPTH, parse_object

MIB = 2**20
bounded = settings(max_examples=200, deadline=None)


def refusal(body: bytes) -> str:
    with pytest.raises(DomainError) as caught:
        parse_object(body)
    assert caught.value.code == "MALFORMED_BODY"
    return caught.value.detail


def outcome(body: bytes) -> object:
    try:
        return parse_object(body)
    except DomainError as error:
        return error.code


def nested(depth: int, opener: str = "[", closer: str = "]") -> bytes:
    inner = depth - 1
    return ('{"a":' + opener * inner + "1" + closer * inner + "}").encode()


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"{}", {}),
        (b' \r\n\t{"a" : [ ] }\n', {"a": []}),
        (b'{"a":{"b":1},"c":{"b":1}}', {"a": {"b": 1}, "c": {"b": 1}}),
        ('{"解析":"\\ud83d\\ude00 é"}'.encode(), {"解析": "😀 é"}),
        (b'{"a":"\\u0000"}', {"a": "\x00"}),
        (b'{"a":"\\\\ud800"}', {"a": "\\ud800"}),
        (b'{"a":"\\\\\\ud83d\\ude00"}', {"a": "\\😀"}),
    ],
)
def test_it_reads_an_object(body, value):
    assert parse_object(body) == value


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "empty"),
        (b"   ", "line 1, column 4"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a":"\xff"}', "UTF-8 at byte 6"),
        (b'{"a":"\xed\xa0\x80"}', "UTF-8 at byte 6"),
        (b'{"a":"\xc0\xaf"}', "UTF-8 at byte 6"),
        ('{"a":1}'.encode("utf-16"), "UTF-8"),
        (b"null", "not an object"),
        (b"[]", "not an object"),
        (b'"{}"', "not an object"),
        (b"7", "not an object"),
        (b'{"a":1', "line 1, column 7"),
        (b'{"a":1}\n{}', "line 2, column 1"),
        (b'{"a":01}', "line 1, column 7"),
        (b'{"a":+1}', "line 1, column 6"),
        (b'{"a":.5}', "line 1, column 6"),
        (b'{"a":1.}', "line 1, column 7"),
        (b"{'a':1}", "line 1, column 2"),
        (b'{"a":1,}', "line 1"),
        (b'{"a":"\n"}', "line 1, column 7"),
        (b'{"a":"\\x"}', "line 1, column 7"),
        (b'{"a":"\\u12g4"}', "line 1"),
        (b'{\n "a":NaN}', "line 2, column 6"),
        (b'{"a":"NaN","b":Infinity}', "line 1, column 16"),
        (b'{"a":[-Infinity]}', "line 1, column 7"),
        (b'{"a":"\\ud800"}', "line 1, column 7"),
        (b'{"a":"\\uDC00\\ud800"}', "line 1, column 7"),
        (b'{"a":"\\ud83dx\\ude00"}', "line 1, column 7"),
        (b'{"\\udfff":1}', "line 1, column 3"),
        (b'{"a":"\\ud83d\\ude00\\ude00"}', "line 1, column 19"),
        (b'{"a":1,"a":1}', "twice in the object that ends at line 1, column 13"),
        (b'{"b":{"a":1},\n"c":[{"}":0,"a":1,"a":2}]}', "ends at line 2, column 24"),
        (b'{"a":1,"\\u0061":2}', "twice"),
        (nested(MAX_DEPTH + 1), "deeper than 32 levels at line 1, column 37"),
        (b'{"a":"[","b":' + b"[" * 32, "deeper than 32 levels at line 1, column 45"),
    ],
)
def test_it_says_what_is_wrong_and_where(body, words):
    assert words in refusal(body)


def test_it_repeats_nothing_of_the_body():
    bodies = [
        b'{"hunter2":1,"hunter2":2}',
        b'{"a":hunter2}',
        b'{"a":"hunter2\\ud800"}',
        b'{"a":NaN,"b":"hunter2"}',
        b'{"a":"hunter2\xff"}',
        b'{"hunter2":' + b"[" * 40,
    ]
    assert not any("hunter2" in refusal(body) for body in bodies)


@pytest.mark.parametrize(("opener", "closer"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_the_limit_of_nesting_is_exact(opener, closer):
    levels = opener.count("[") + opener.count("{")
    deepest = (MAX_DEPTH - 1) // levels
    parse_object(nested(deepest + 1, opener, closer))
    assert "deeper" in refusal(nested(deepest + 2, opener, closer))


def test_brackets_in_strings_and_side_by_side_are_no_nesting():
    parse_object(json.dumps({"a": "[{" * 100, "b": '"[\\"[', "c": [[[]]] * 50, "[[[[": [{}] * 50}).encode())


STRINGS = st.text(st.sampled_from('[]{}"\\:,a\n'), max_size=8)
TREES = st.recursive(
    STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=40,
)


def depth_of(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


@bounded
@given(st.dictionaries(STRINGS, TREES, max_size=4), st.integers(0, 40))
def test_depth_is_judged_whatever_stands_in_strings(tree, wrapped):
    value = tree
    for _ in range(wrapped):
        value = {"a": [value]}
    body = json.dumps(value).encode()
    if depth_of(value) > MAX_DEPTH:
        assert "deeper" in refusal(body)
    else:
        assert parse_object(body) == value


@bounded
@given(st.binary(max_size=60) | st.text(st.sampled_from('{}[]":,\\ud8\x00 1.eE-+NaIn'), max_size=60).map(str.encode))
def test_any_body_is_an_object_or_malformed(body):
    assert isinstance(outcome(body), dict) or outcome(body) == "MALFORMED_BODY"


@bounded
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=5), st.booleans())
def test_it_reads_what_a_json_library_writes(value, escaped):
    assert parse_object(json.dumps(value, ensure_ascii=escaped).encode()) == value


HOSTILE = {
    "openers": b"[" * MIB,
    "open objects": b'{"a":' * (MIB // 5),
    "10,000 deep": nested(10_000),
    "siblings": b'{"a":[' + b"[]," * (MIB // 3) + b"1]}",
    "towers": b'{"a":[' + (b"[" * 29 + b"]" * 29 + b",") * (MIB // 59) + b"1]}",
    "quotes": b'"' * MIB,
    "open string of escaped quotes": b'{"a":"' + b'\\"' * (MIB // 2),
    "escaped quotes before openers": b'\\"' * (MIB // 2) + b"[" * 100,
    "escapes": b'{"a":"\\u0041' + b"\\n" * (MIB // 2) + b'"}',
    "pairs, then half a one": b'{"a":"' + b"\\ud83d\\ude00" * (MIB // 12) + b'\\ud83d"}',
    "one name 100,000 times": b"{" + b'"a":1,' * (MIB // 6) + b'"a":1}',
    "a late repetition": b'{"c":[' + b"{}," * (MIB // 3) + b'1],"c":1}',
    "small integers": b'{"a":[' + b"1," * (MIB // 2) + b"1]}",
    "small reals": b'{"a":[' + b"1e0," * (MIB // 4) + b"1]}",
    "digits": b'{"a":' + b"9" * MIB + b"}",
    "digits of a fraction": b'{"a":1.' + b"3" * MIB + b"}",
    "zeros of a fraction": b'{"a":1.' + b"0" * MIB + b"}",
    "zeros and an exponent": b'{"a":0.' + b"0" * MIB + b"1e" + str(MIB + 1).encode() + b"}",
    "minus signs": b'{"a":' + b"-" * MIB,
    "white space": b" " * MIB,
    "a late NaN": b'{"a":' + b"\n" * MIB + b"NaN}",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_mebibyte_is_judged(body):
    # Work that is not linear would meet the suite's timeout.
    read = outcome(body)
    assert isinstance(read, dict) or read == "MALFORMED_BODY"
