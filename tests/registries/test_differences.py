"""In what two contents differ, told member by member."""

import pytest

from registries.differences import differences
from registries.items import OperationItem, StatusSetItem
from tests.registries.support import Row, operation, status, status_set, statuses


def of_sets(before: list[Row], after: list[Row]) -> list[tuple[str, object, object]]:
    items = [StatusSetItem.model_validate(status_set(statuses=codes)).spelled() for codes in (before, after)]
    return told(*items)


def told(before, after) -> list[tuple[str, object, object]]:
    return [(one.path, one.before, one.after) for one in differences(before, after)]


def test_the_same_content_does_not_differ():
    item = OperationItem.model_validate(operation()).spelled()
    assert differences(item, dict(item)) == ()
    assert of_sets(statuses(), list(reversed(statuses()))) == []


def test_members_differ_by_their_place():
    before = OperationItem.model_validate(operation(displayName={"en": "Read"})).spelled()
    after = OperationItem.model_validate(operation(displayName={"en": "Read", "de": "Lesen"}, maxAttempts=4)).spelled()
    assert told(before, after) == [("displayName.de", None, "Lesen"), ("maxAttempts", 3, 4)]


def test_codes_are_compared_by_name():
    changed = [code | {"order": 7} if code["code"] == "PARSING" else code for code in statuses()]
    assert of_sets(statuses(), changed[::-1]) == [("statuses[PARSING].order", 0, 7)]


def test_a_code_that_comes_or_goes_is_told_of_as_a_whole():
    more = [*statuses(), status("LOST", "FAILED", allowedFrom=["*"])]
    ((path, before, after),) = of_sets(statuses(), more)
    assert (path, before, after["lifecycle"]) == ("statuses[LOST]", None, "FAILED")
    ((path, before, after),) = of_sets(more, statuses())
    assert (path, before["lifecycle"], after) == ("statuses[LOST]", "FAILED", None)


def test_a_code_with_two_meanings_is_two_rows():
    twice = [*statuses(), status("PARSED", allowedFrom=["PARSING"]), status("PARSED", "SUCCEEDED", appliesTo=["STEP"])]
    changed = [code | {"severity": "SUCCESS"} if code["lifecycle"] == "SUCCEEDED" else code for code in twice]
    assert [path for path, _, _ in of_sets(twice, changed)] == [
        "statuses[DONE].severity",
        "statuses[PARSED STEP].severity",
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": [1, 2]}, {"a": [2, 1]}, [("a", [1, 2], [2, 1])]),
        ({"a": {}}, {"a": {"b": {"c": None}}}, [("a.b", None, {"c": None})]),
        ({"a": 1}, {"a": True}, [("a", 1, True)]),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": None}, {}, []),
        (None, {"a": 1, "b": None}, [("a", None, 1)]),
        ({"a": []}, None, [("a", [], None)]),
        (
            {"errors": [{"code": "A"}, {"code": "A"}]},
            {"errors": [{"code": "A"}]},
            [("errors", [{"code": "A"}, {"code": "A"}], [{"code": "A"}])],
        ),
    ],
)
def test_other_values_are_compared_as_json(before, after, expected):
    assert told(before, after) == expected
