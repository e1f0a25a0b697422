"""Free-form JSON is searched for what can't be stored, and each find is pointed at."""

from taskstatus.domain.strict_json import OutOfRange, bad_values


def test_clean_json_has_none():
    assert bad_values({"a": "line\n\tend\r", "b": [1, 0.5, True, None, "解析 \u2028"], "c/d~": {}}, "/data/value") == []


def test_each_is_pointed_at():
    value = {
        "a/b": {"m~n": ["ok", "\x00"]},
        "n": OutOfRange(),
        "f": [float("inf")],
        "d": "\x7f",
        "c1": "\x85",
    }
    assert [(error.pointer, error.code) for error in bad_values(value, "/data/value")] == [
        ("/data/value/a~1b/m~0n/1", "INVALID_FIELD"),
        ("/data/value/n", "INVALID_FIELD"),
        ("/data/value/f/0", "INVALID_FIELD"),
        ("/data/value/d", "INVALID_FIELD"),
        ("/data/value/c1", "INVALID_FIELD"),
    ]


def test_a_bad_or_endless_name_is_pointed_at_by_its_object():
    value = {"x": {"a\x00": "\x01"}, "y": {"n" * 1_000: OutOfRange()}}
    assert [error.pointer for error in bad_values(value, "")] == ["/x", "/x", "/y"]


def test_a_scalar_is_pointed_at_itself():
    assert [error.pointer for error in bad_values("\x1b", "/message")] == ["/message"]


def test_no_more_than_twenty_are_told():
    assert len(bad_values(["\x00"] * 1_000, "/data/value")) == 20
