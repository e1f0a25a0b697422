"""How any command is read: everything bad is named, nothing unknown passes, null equals absent (protocol 3)."""

import pydantic
import pytest

from taskstatus.commands.base import MAX_ERRORS
from taskstatus.commands.events import ReportEvent
from taskstatus.commands.executions import ActivateStep, RegisterExecution
from taskstatus.commands.tasks import CreateTask, CreateWorkflow
from tests.unit.commands.bodies import ACTIVATION, REGISTRATION, TASK, WORKFLOW, event, faults, refusal

LEAST = [(CreateWorkflow, WORKFLOW), (CreateTask, TASK), (ActivateStep, ACTIVATION), (RegisterExecution, REGISTRATION)]


@pytest.mark.parametrize(("command", "body"), LEAST)
def test_the_least_is_enough(command, body):
    assert faults(command, body) == {}


@pytest.mark.parametrize(("command", "body"), LEAST)
def test_null_says_the_same_as_nothing(command, body):
    names = {field.alias for field in command.model_fields.values()} - set(body)
    spelled_out = {**body, **dict.fromkeys(names)}
    assert command.read(spelled_out) == command.read(body)
    assert command.read(spelled_out).canonical() == command.read(body).canonical()


@pytest.mark.parametrize(("command", "body"), LEAST)
def test_every_required_member_that_is_missing_is_named(command, body):
    assert faults(command, {}) == {f"/{name}": "INVALID_FIELD" for name in body}


def test_an_unknown_member_has_a_code_of_its_own_unless_others_are_wrong():
    unknown = refusal(CreateTask, {**TASK, "colour": "red"})
    assert (unknown.code, unknown.errors[0].pointer) == ("UNKNOWN_FIELD", "/colour")
    mixed = refusal(CreateTask, {**TASK, "colour": "red", "title": 7})
    assert mixed.code == "INVALID_FIELD"
    assert {e.pointer: e.code for e in mixed.errors} == {"/colour": "UNKNOWN_FIELD", "/title": "INVALID_FIELD"}


@pytest.mark.parametrize("name", ["client_task_key", "ClientTaskKey", "clienttaskkey"])
def test_a_member_has_one_spelling(name):
    assert faults(CreateTask, {"title": "T", name: "t1"}) == {
        f"/{name}": "UNKNOWN_FIELD",
        "/clientTaskKey": "INVALID_FIELD",
    }


@pytest.mark.parametrize("status", ["terminal", "severity", "lifecycleStatus", "colorToken", "taskVersion"])
def test_nobody_declares_what_a_status_means(status):
    assert faults(ReportEvent, event("STEP_STARTED", **{status: "X"})) == {f"/{status}": "UNKNOWN_FIELD"}


def test_a_fault_deep_inside_is_pointed_at():
    step = {"stepId": "s 1", "operationCode": "PAPER.READ", "colour": "red"}
    body = {**WORKFLOW, "initialTasks": [TASK, {**TASK, "clientTaskKey": "t2", "knownSteps": [step]}]}
    assert faults(CreateWorkflow, body) == {
        "/initialTasks/1/knownSteps/0/stepId": "INVALID_FIELD",
        "/initialTasks/1/knownSteps/0/colour": "UNKNOWN_FIELD",
    }


def test_a_pointer_escapes_what_has_a_meaning_in_pointers():
    assert faults(CreateTask, {**TASK, "a/b~c": 1}) == {"/a~1b~0c": "UNKNOWN_FIELD"}


@pytest.mark.parametrize("value", ["7", 7.5, True, [7], {}])
def test_a_number_is_no_text_and_a_text_no_number(value):
    assert faults(ActivateStep, {"attempt": value}) == {"/attempt": "INVALID_FIELD"}


def test_a_flood_of_faults_is_cut_short():
    body = {**TASK, **{f"x{number}": 1 for number in range(500)}}
    assert len(refusal(CreateTask, body).errors) == MAX_ERRORS


def test_a_refusal_repeats_nothing_that_was_sent():
    error = refusal(ReportEvent, event("STEP_STARTED", executionHandle="exh 0A1 SECRET", message="\x00SECRET"))
    assert "SECRET" not in str([error.detail, error.errors])


def test_a_command_never_changes():
    command = CreateTask.read(TASK)
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        command.title = "Another"


def test_content_leaves_out_who_calls_and_fills_in_defaults():
    plain = CreateTask.read(TASK)
    spelled_out = {**TASK, "tenantId": "acme", "authorityScope": "papers", "sensitive": False, "sharedWith": []}
    assert CreateTask.read(spelled_out).canonical() == plain.canonical()
    assert CreateTask.read({**TASK, "sensitive": True}).canonical() != plain.canonical()
