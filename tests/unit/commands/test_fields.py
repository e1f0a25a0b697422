"""Characters, lengths and ranges of members (protocol 1), each tried where a caller can send it."""

import pytest

from taskstatus.commands.events import ReportEvent
from taskstatus.commands.executions import ActivateStep, RegisterExecution
from taskstatus.commands.tasks import CreateTask, CreateWorkflow
from tests.unit.commands.bodies import ACTIVATION, ERROR, REGISTRATION, TASK, WORKFLOW, event, faults

PROGRESS = event("STEP_PROGRESS")
KEY, CODE, NAME, PRINTABLE, LINE, TEXT = "key", "code", "name", "printable", "line", "text"

# Where a member can be sent, which characters it takes, and how many.
MEMBERS = [
    (CreateWorkflow, WORKFLOW, "clientWorkflowKey", KEY, 124),
    (CreateWorkflow, WORKFLOW, "ownerId", NAME, 64),
    (CreateWorkflow, WORKFLOW, "projectId", NAME, 64),
    (CreateWorkflow, WORKFLOW, "workflowType", CODE, 128),
    (CreateWorkflow, WORKFLOW, "title", LINE, 255),
    (CreateTask, TASK, "clientTaskKey", KEY, 124),
    (CreateTask, TASK, "taskType", CODE, 128),
    (CreateTask, TASK, "productId", PRINTABLE, 64),
    (CreateTask, TASK, "batchId", PRINTABLE, 128),
    (CreateTask, TASK, "billingAccountId", PRINTABLE, 128),
    (CreateTask, TASK, "retentionPolicyId", PRINTABLE, 128),
    (CreateTask, TASK, "dataClassification", PRINTABLE, 128),
    (CreateTask, TASK, "tenantId", NAME, 64),
    (CreateTask, TASK, "authorityScope", NAME, 64),
    (ActivateStep, ACTIVATION, "commandId", KEY, 128),
    (ActivateStep, ACTIVATION, "producerId", NAME, 64),
    (RegisterExecution, REGISTRATION, "clientStepKey", KEY, 124),
    (RegisterExecution, REGISTRATION, "operationCode", CODE, 128),
    (RegisterExecution, REGISTRATION, "displayName", LINE, 255),
    (ReportEvent, PROGRESS, "eventId", KEY, 64),
    (ReportEvent, PROGRESS, "stepId", KEY, 128),
    (ReportEvent, PROGRESS, "operationCode", CODE, 128),
    (ReportEvent, PROGRESS, "businessStatus", CODE, 64),
    (ReportEvent, PROGRESS, "phaseCode", CODE, 64),
    (ReportEvent, PROGRESS, "phaseLabel", LINE, 255),
    (ReportEvent, PROGRESS, "message", TEXT, 2000),
]
IDS = [f"{command.__name__}.{member}" for command, _, member, _, _ in MEMBERS]
NEVER = ["", "\x00", "a\x00b", "\x1b[31m", "a\x7f", "a\x85b", 7, True, [], {}]
TAKEN = {
    KEY: ["a", "A0._:-"],
    CODE: ["A", "PAPER.READ_2"],
    NAME: ["a", "A0._-"],
    PRINTABLE: ["!", "~", "a/b?c=d", "<b>"],
    LINE: ["x", " x ", "文档解析", "👩‍🚀", "<b>'\"\\", "مرحبا"],
    TEXT: ["two\nlines\tand a tab", "👩‍🚀"],
}
REFUSED = {
    KEY: ["a b", "a ", "é", "a/b", "a\n", "\uff41"],
    CODE: ["lower", "0A", "_A", ".A", "A-B", "A B", "A\n", "É"],
    NAME: ["a:b", "a b", "a/b", "é", "a\n"],
    PRINTABLE: ["a b", "é", "a\n", "\t"],
    LINE: ["a\nb", "a\tb", "a\r"],
    TEXT: ["a\rb", "a\x0bb"],
}
LONGEST = {KEY: "k", CODE: "K", NAME: "k", PRINTABLE: "k", LINE: "字", TEXT: "字"}


def fault_of(command, body, member, value):
    return faults(command, {**body, member: value})


@pytest.mark.parametrize(("command", "body", "member", "kind", "longest"), MEMBERS, ids=IDS)
def test_a_member_takes_its_characters_up_to_its_length_and_no_others(command, body, member, kind, longest):
    for value in [*TAKEN[kind], LONGEST[kind] * longest]:
        assert fault_of(command, body, member, value) == {}, value
    for value in [*REFUSED[kind], *NEVER, LONGEST[kind] * (longest + 1)]:
        assert fault_of(command, body, member, value) == {f"/{member}": "INVALID_FIELD"}, value


NUMBERS = [
    (ReportEvent, PROGRESS, "sourceSeq", 1, 2**63 - 1),
    (ReportEvent, PROGRESS, "progressSeq", 1, 2**63 - 1),
    (ReportEvent, PROGRESS, "heartbeatSeq", 1, 2**63 - 1),
    (ReportEvent, PROGRESS, "durationMs", 0, 2**63 - 1),
    (ReportEvent, PROGRESS, "taskAttempt", 1, 2**31 - 1),
    (ActivateStep, ACTIVATION, "attempt", 1, 2**31 - 1),
    (CreateTask, TASK, "operationDefinitionVersion", 1, 2**31 - 1),
    (CreateTask, TASK, "maxDurationSeconds", 1, 315_360_000),
]


@pytest.mark.parametrize(("command", "body", "member", "least", "most"), NUMBERS)
def test_a_number_is_whole_and_within_its_range(command, body, member, least, most):
    for value in (least, most):
        assert fault_of(command, body, member, value) == {}, value
    for value in (least - 1, most + 1, 1.0, 1.5, "1", True, [1]):
        assert fault_of(command, body, member, value) == {f"/{member}": "INVALID_FIELD"}, value


@pytest.mark.parametrize(
    "text", ["1970-01-01T00:00:00Z", "2999-12-31T23:59:59.999999999+14:00", "2026-09-21t07:10:18z"]
)
def test_a_moment_of_any_offset_and_fraction_is_taken(text):
    assert fault_of(ReportEvent, PROGRESS, "occurredAt", text) == {}


@pytest.mark.parametrize(
    "text",
    ["", "2026-09-21", "2026-09-21T07:10:18", "1969-12-31T23:59:59Z", "3000-01-01T00:00:00Z", "9999-01-01T00:00:00Z",
     "1900-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "yesterday", 1758438618, 1.5, True],
)  # fmt: skip
def test_no_other_moment_is(text):
    assert fault_of(ReportEvent, PROGRESS, "occurredAt", text) == {"/occurredAt": "INVALID_FIELD"}


@pytest.mark.parametrize("actions", [[], ["REUPLOAD"], ["A"] * 20])
def test_actions_are_codes(actions):
    assert fault_of(ReportEvent, PROGRESS, "actions", actions) == {}


@pytest.mark.parametrize(("actions", "pointer"), [(["no"], "/actions/0"), (["A"] * 21, "/actions"), ("A", "/actions")])
def test_nothing_else_is_an_action(actions, pointer):
    assert fault_of(ReportEvent, PROGRESS, "actions", actions) == {pointer: "INVALID_FIELD"}


def test_a_users_message_may_have_512_characters_of_any_script():
    body = event("STEP_FAILED", error={**ERROR, "userMessage": "字" * 512})
    assert faults(ReportEvent, body) == {}
