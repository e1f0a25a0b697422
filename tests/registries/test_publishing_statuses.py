"""The rules that a status set must keep to be published, each with what breaks it (acceptance G02, G08)."""

from typing import Any

import pytest
from django.utils.translation import override

from registries.items import StatusSetItem
from registries.publishing.rules import draft_problems, publishing_problems
from tests.registries.support import Row, status, status_set

pytestmark = [pytest.mark.accepts("G02"), pytest.mark.accepts("G08")]

KNOWN = frozenset({"document.parsed.v1"})
QUEUED = status("QUEUED", "PENDING", initial=True)
RUNNING = status("RUNNING", allowedFrom=["QUEUED"])
DONE = status("DONE", "SUCCEEDED", allowedFrom=["RUNNING"])


def problems(*statuses: Row, **changes: Any) -> list[str]:
    item = StatusSetItem.model_validate(status_set(statuses=list(statuses), **changes))
    return [str(problem) for problem in publishing_problems(item, KNOWN)]


def test_a_sound_set_is_taken():
    assert problems(QUEUED, RUNNING, DONE, taskDataSchemas=["document.parsed.v1"]) == []


@pytest.mark.parametrize(
    ("statuses", "complaint"),
    [
        # one beginning
        ([status("QUEUED", "PENDING"), RUNNING, DONE], "exactly one initial TASK code, and none is marked"),
        (
            [QUEUED, status("NEW", "PENDING", initial=True, allowedFrom=["QUEUED"]), RUNNING, DONE],
            "exactly one initial TASK code, and QUEUED, NEW is marked",
        ),
        (
            [QUEUED | {"appliesTo": ["STEP"]}, RUNNING | {"allowedFrom": ["@none"]}, DONE],
            "begin with QUEUED; mark a TASK code that is PENDING",
        ),
        (
            [RUNNING | {"initial": True, "allowedFrom": []}, DONE],
            "begin with RUNNING; mark a TASK code that is PENDING",
        ),
        ([], "exactly one initial TASK code"),
        # two codes alike
        ([QUEUED, RUNNING, RUNNING, DONE], "define RUNNING 2 times for TASK; keep one"),
        ([QUEUED, RUNNING, DONE, DONE | {"appliesTo": ["TASK", "STEP"]}], "define DONE 2 times for TASK"),
        # terminal and lifecycle
        ([QUEUED, RUNNING | {"terminal": True}, DONE], "contradicts RUNNING; leave it out, or say false"),
        ([QUEUED, RUNNING, DONE | {"terminal": False}], "contradicts SUCCEEDED; leave it out, or say true"),
        # allowedFrom
        ([QUEUED, RUNNING | {"allowedFrom": ["QUEUED", "NO"]}, DONE], "names NO, which the set lacks"),
        ([QUEUED, RUNNING | {"allowedFrom": ["QUEUED", "DONE"]}, DONE], "names DONE, which is terminal"),
        ([QUEUED, RUNNING, DONE, status("S", appliesTo=["STEP"], allowedFrom=["DONE"])], "names DONE"),
        # reached
        ([QUEUED, RUNNING, DONE, status("LOST", "FAILED")], "(LOST): lets no task come here"),
        (
            [QUEUED, RUNNING, DONE, status("LOST", "FAILED", allowedFrom=["LOST"])],
            "names LOST, which is terminal",
        ),
        (
            [QUEUED, RUNNING, DONE, status("A", allowedFrom=["B"]), status("B", allowedFrom=["A"])],
            "(A): lets no task come here",
        ),
        # left
        ([QUEUED, RUNNING, DONE, status("STUCK", allowedFrom=["RUNNING"])], "(STUCK): leads nowhere"),
        ([QUEUED, RUNNING, DONE | {"allowedFrom": ["QUEUED"]}], "(RUNNING): leads nowhere"),
        (
            [QUEUED, RUNNING | {"allowedFrom": ["QUEUED", "RUNNING"]}, DONE | {"allowedFrom": ["QUEUED"]}],
            "(RUNNING): leads nowhere",
        ),
        # presentation
        ([QUEUED | {"presentation": {"html": "b"}}, RUNNING, DONE], "presentation.html (QUEUED): is unknown"),
        (
            [QUEUED | {"presentation": {"colorToken": "<b>red</b>"}}, RUNNING, DONE],
            "presentation.colorToken (QUEUED): takes a token",
        ),
        ([QUEUED | {"presentation": {"iconKey": "a" * 65}}, RUNNING, DONE], "takes a token"),
        ([QUEUED | {"presentation": {"labelKey": "a\n"}}, RUNNING, DONE], "takes a token"),
        ([QUEUED | {"presentation": {"labelKey": ""}}, RUNNING, DONE], "takes a token"),
        # reserved codes
        ([QUEUED, RUNNING, DONE, status("RETRY_WAIT", "FAILED")], "this reserved code is RUNNING"),
    ],
)
def test_refused(statuses, complaint):
    found = problems(*statuses)
    assert any(complaint in problem for problem in found), found


@pytest.mark.parametrize(
    "statuses",
    [
        # one code, a meaning for tasks and another for steps
        [
            QUEUED,
            status("PARSED", allowedFrom=["QUEUED"]),
            status("PARSED", "SUCCEEDED", appliesTo=["STEP"]),
            DONE | {"allowedFrom": ["PARSED"]},
        ],
        # reached from no code, from any, from a reserved one; left to any
        [QUEUED, status("A", allowedFrom=["@none"]), status("B", allowedFrom=["*"]), DONE | {"allowedFrom": ["*"]}],
        [QUEUED, status("A", allowedFrom=["RETRY_WAIT"]), DONE | {"allowedFrom": ["A", "QUEUED"]}],
        # steps have no ways to judge
        [QUEUED, RUNNING, DONE, status("STEP_ONLY", appliesTo=["STEP"])],
        # a display for a reserved code
        [QUEUED, RUNNING, DONE, status("RETRY_WAIT", displayName={"en": "Again soon"})],
        # a circle that is entered and left
        [
            QUEUED,
            status("A", allowedFrom=["QUEUED", "B"]),
            status("B", allowedFrom=["A"]),
            DONE | {"allowedFrom": ["B"]},
        ],
        [QUEUED | {"presentation": {"colorToken": "a-z.0_9", "iconKey": "x", "labelKey": "y"}}, RUNNING, DONE],
    ],
)
def test_taken(statuses):
    assert problems(*statuses) == []


def test_a_data_schema_that_nobody_has_is_refused():
    (found,) = problems(QUEUED, RUNNING, DONE, taskDataSchemas=["other.v1"])
    assert found == (
        "taskDataSchemas: names other.v1, which is neither in the file nor published; add it, or publish it first"
    )


def test_a_draft_may_be_unfinished_but_has_no_twins():
    item = StatusSetItem.model_validate(status_set(state="draft", statuses=[RUNNING, DONE]))
    assert list(draft_problems(item)) == []
    twins = StatusSetItem.model_validate(status_set(state="draft", statuses=[RUNNING, RUNNING]))
    assert [problem.message for problem in draft_problems(twins)] == ["define RUNNING 2 times for TASK; keep one"]


def test_operators_read_it_in_their_language():
    with override("zh-hans"):
        (found,) = problems(QUEUED, RUNNING, DONE, status("STUCK", allowedFrom=["RUNNING"]))
    assert found.startswith("statuses[3].code (STUCK): 无路可走")
