"""A report belongs to the execution that its credential stands for, in every member that it repeats (C05)."""

from dataclasses import dataclass, replace

import pytest

from taskstatus.domain.errors import DomainError
from taskstatus.domain.execution import require_match


@dataclass(frozen=True)
class Context:
    """What a report may repeat; all of it, unless replaced."""

    workflow_id: str | None = "wfl_1"
    task_id: str | None = "tsk_1"
    step_id: str | None = "s1"
    execution_id: str | None = "exe_1"
    operation_code: str | None = "PAPER.READ"
    producer_id: str | None = "reader"
    task_attempt: int | None = 2
    step_attempt: int | None = 3
    task_type: str | None = "PAPER"


REGISTERED = Context()
NOTHING = Context(None, None, None, None, None, None, None, None, None)

# Row 3's order: where two members are wrong, the one that stands first is named.
ROW_3 = [
    ("workflow_id", "wfl_2", "WORKFLOW_NOT_FOUND"),
    ("task_id", "tsk_2", "TASK_NOT_FOUND"),
    ("step_id", "s2", "STEP_NOT_REGISTERED"),
    ("execution_id", "exe_2", "EXECUTION_NOT_FOUND"),
    ("operation_code", "PAPER.SIGN", "OPERATION_MISMATCH"),
    ("producer_id", "signer", "PRODUCER_MISMATCH"),
    ("task_attempt", 1, "ATTEMPT_MISMATCH"),
    ("step_attempt", 1, "ATTEMPT_MISMATCH"),
    ("task_type", "LETTER", "TASK_TYPE_MISMATCH"),
]


def refusal(context: Context, caller: str = "reader", registered: Context = REGISTERED) -> str | None:
    try:
        require_match(context, registered, caller)  # type: ignore[arg-type]
    except DomainError as error:
        return error.code
    return None


@pytest.mark.parametrize("context", [REGISTERED, NOTHING, replace(NOTHING, step_id="s1")])
def test_a_report_may_repeat_all_some_or_none_of_its_context(context):
    assert refusal(context) is None


@pytest.mark.parametrize(("member", "wrong", "code"), ROW_3)
def test_each_member_alone_falsified_has_its_own_refusal(member, wrong, code):
    assert refusal(replace(REGISTERED, **{member: wrong})) == code
    assert refusal(replace(NOTHING, **{member: wrong})) == code


@pytest.mark.parametrize("position", range(len(ROW_3) - 1))
def test_the_first_wrong_member_is_the_answer(position):
    rest = {member: wrong for member, wrong, _ in ROW_3[position:]}
    assert refusal(replace(REGISTERED, **rest)) == ROW_3[position][2]


@pytest.mark.parametrize("context", [REGISTERED, NOTHING])
def test_the_caller_has_to_be_the_registered_producer_whatever_the_report_says(context):
    assert refusal(context, caller="signer") == "PRODUCER_MISMATCH"


def test_a_task_type_can_not_be_claimed_for_an_unclassified_task():
    assert refusal(REGISTERED, registered=replace(REGISTERED, task_type=None)) == "TASK_TYPE_MISMATCH"


@pytest.mark.parametrize("almost", ["S1", "s1 ", "ś1", ""])
def test_identifiers_are_compared_byte_by_byte(almost):
    assert refusal(replace(REGISTERED, step_id=almost)) == "STEP_NOT_REGISTERED"
