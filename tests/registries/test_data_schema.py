"""Judging and showing event data."""

import json

import pytest

from registries.builtin import BUILT_IN_SCHEMAS
from registries.data_schema import MAX_ERRORS, DataSchema
from registries.masks import masked
from taskstatus.domain.lifecycle import Audience, Mask

PARSED = DataSchema(
    name="document.parse.completed.v2",
    json_schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["pageCount"],
        "properties": {
            "pageCount": {"type": "integer", "minimum": 0},
            "language": {"type": "string", "maxLength": 5, "pattern": "^[a-z]+$"},
            "resultRef": {"type": "string"},
            "pages": {"type": "array", "items": {"type": "object", "additionalProperties": False}},
            "either": {"oneOf": [{"type": "string"}, {"type": "boolean"}]},
        },
    },
    views={Audience.USER_SUMMARY: ("pageCount",), Audience.TASK_DETAIL: ("resultRef", "pageCount", "language")},
    masks={"resultRef": Mask.LAST4},
)


@pytest.mark.parametrize("value", [{"pageCount": 0}, {"pageCount": 2**62, "language": "en", "either": True}])
def test_valid_data_has_no_errors(value):
    assert PARSED.reject(value) == []


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        ({}, [("/pageCount", "INVALID_FIELD")]),
        ({"pageCount": -1}, [("/pageCount", "INVALID_FIELD")]),
        ({"pageCount": 1.5}, [("/pageCount", "INVALID_FIELD")]),
        ({"pageCount": True}, [("/pageCount", "INVALID_FIELD")]),
        ({"pageCount": None}, [("/pageCount", "INVALID_FIELD")]),
        ({"pageCount": 1, "a/b": 1, "c~d": 2}, [("/a~1b", "UNKNOWN_FIELD"), ("/c~0d", "UNKNOWN_FIELD")]),
        (
            {"pageCount": 1, "pages": [{}, {"x": 1}, 3]},
            [("/pages/1/x", "UNKNOWN_FIELD"), ("/pages/2", "INVALID_FIELD")],
        ),
        ({"pageCount": 1, "either": 3}, [("/either", "INVALID_FIELD")]),
        # one error a member, though two rules are broken
        ({"pageCount": 1, "language": "ENGLISH"}, [("/language", "INVALID_FIELD")]),
        (
            {"pageCount": "x", "language": 1, "z": 0},
            [("/language", "INVALID_FIELD"), ("/pageCount", "INVALID_FIELD"), ("/z", "UNKNOWN_FIELD")],
        ),
        ([], [("", "INVALID_FIELD")]),
        ("text", [("", "INVALID_FIELD")]),
        (None, [("", "INVALID_FIELD")]),
        ({"pageCount": 1, "x" * 200: 1}, [("", "UNKNOWN_FIELD")]),
    ],
)
def test_every_bad_member_is_pointed_at(value, errors):
    assert sorted((error.pointer, error.code) for error in PARSED.reject(value)) == errors


@pytest.mark.parametrize(
    "value",
    [
        {"pageCount": "\ud800"},
        {"\udfff": 1},
        {"pageCount": b"1"},
        {1: 2},
        {"pageCount": float("nan")},
        {"pageCount": float("inf")},
        {"pageCount": 10**400},
        {"pageCount": object()},
    ],
)
def test_it_never_raises(value):
    PARSED.reject(value)


def test_errors_never_repeat_the_value():
    value = {"pageCount": "secret-1", "language": "secret-2", "resultRef": 5, "either": ["secret-3"]}
    assert not any("secret" in error.detail for error in PARSED.reject(value))


def test_errors_are_bounded():
    schema = DataSchema("x.v1", {"items": {"type": "string"}})
    errors = schema.reject([1] * 20_000)
    assert len(errors) == MAX_ERRORS
    assert all(len(error.detail) <= 300 for error in errors)


def test_a_hostile_text_is_judged_even_where_a_pattern_could_run_away():
    schema = DataSchema("x.v1", {"type": "string", "pattern": "^(a+)+$"})
    assert schema.reject("a" * 60_000 + "b")


def test_a_view_shows_what_it_lists_and_masks_it():
    value = {"pageCount": 3, "language": "en", "resultRef": "result://document/4711", "pages": []}
    assert PARSED.view(Audience.USER_SUMMARY, value) == {"pageCount": 3}
    assert list(PARSED.view(Audience.TASK_DETAIL, value).items()) == [
        ("resultRef", "****4711"),
        ("pageCount", 3),
        ("language", "en"),
    ]
    assert PARSED.view(Audience.PROJECT_BROADCAST, value) == {}
    assert PARSED.view(Audience.TASK_DETAIL, {"pageCount": 3}) == {"pageCount": 3}


@pytest.mark.parametrize(
    ("mask", "value", "shown"),
    [
        (Mask.LAST4, "123456789", "****6789"),
        (Mask.LAST4, "1234", "****"),
        (Mask.LAST4, 4_111_222, "****1222"),
        (Mask.REDACT, "x", "****"),
        (Mask.REDACT, {"a": 1}, "****"),
        (Mask.HASH, "x", "2d711642b726"),
        (Mask.HASH, {"b": 1, "a": 2}, masked('{"a":2,"b":1}', Mask.HASH)),
        (Mask.LAST4, None, None),
        (Mask.HASH, None, None),
        (Mask.REDACT, None, None),
    ],
)
def test_masks(mask, value, shown):
    assert masked(value, mask) == shown


@pytest.mark.parametrize("name", ["generic.progress.v1", "generic.result.v1"])
@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ({}, True),
        ({"a": "x", "b": 1, "c": 1.5, "d": True, "e": None}, True),
        ({"a": {}}, False),
        ({"a": []}, False),
        ([], False),
        ("x", False),
    ],
)
def test_generic_data_is_a_flat_object_of_scalars(name, value, valid):
    schema = BUILT_IN_SCHEMAS[name]
    assert (schema.reject(value) == []) is valid
    assert schema.max_bytes == 2048


def test_generic_progress_texts_are_short():
    progress, result = BUILT_IN_SCHEMAS["generic.progress.v1"], BUILT_IN_SCHEMAS["generic.result.v1"]
    assert progress.reject({"a": "x" * 500}) == []
    assert [error.pointer for error in progress.reject({"a": "x" * 501})] == ["/a"]
    assert result.reject({"a": "x" * 501}) == []


def test_generic_data_is_seen_by_users_and_not_by_projects():
    for schema in BUILT_IN_SCHEMAS.values():
        assert schema.view(Audience.USER_SUMMARY, {"a": 1}) == {"a": 1}
        assert schema.view(Audience.TASK_DETAIL, {"a": 1}) == {"a": 1}
        assert schema.view(Audience.PROJECT_BROADCAST, {"a": 1}) == {}


def test_a_view_is_json():
    json.dumps(PARSED.view(Audience.TASK_DETAIL, {"resultRef": "r", "pageCount": 1}))
