"""Workflows and tasks at their creation: steps, what they depend on, rules, grants, outside numbers (protocol 4.1)."""

import pytest

from taskstatus.commands.executions import RegisterExecution
from taskstatus.commands.tasks import CreateTask, CreateWorkflow, PutGrant, ReportWorkflowEvent, RetryTask
from tests.unit.commands.bodies import REGISTRATION, STEP, TASK, WORKFLOW, faults

BAD = "INVALID_FIELD"


def with_steps(*steps):
    return {**TASK, "knownSteps": list(steps)}


def step(step_id, *needs, **members):
    return {**STEP, "stepId": step_id, "dependsOn": list(needs), **members}


def test_what_a_request_leaves_out_has_its_default():
    command = CreateWorkflow.read({**WORKFLOW, "initialTasks": [TASK]})
    assert (command.aggregation, command.shared_with) == ("EXPLICIT", [])
    task = command.initial_tasks[0]
    assert (task.sensitive, task.known_steps, task.external_refs) == (False, [], [])


def test_the_policys_limits_have_defaults():
    policy = {"allowedParentOperations": ["AGENT.RUN"], "allowedChildOperations": ["SEARCH.*", "*"]}
    read = CreateTask.read({**TASK, "dynamicRegistrationPolicy": policy}).dynamic_registration_policy
    assert read is not None
    assert read.model_dump(exclude={"allowed_parent_operations", "allowed_child_operations"}) == {
        "max_dynamic_steps": 100,
        "max_depth": 4,
        "max_parallel_executions": 10,
        "max_registrations_per_minute": 60,
    }


@pytest.mark.parametrize("pattern", ["", "search.*", "*.WEB", "A*B", "SEARCH.**", 7])
def test_a_policy_names_codes_or_beginnings_of_codes(pattern):
    policy = {"allowedParentOperations": [pattern], "allowedChildOperations": []}
    body = {**TASK, "dynamicRegistrationPolicy": policy}
    assert faults(CreateTask, body) == {"/dynamicRegistrationPolicy/allowedParentOperations/0": BAD}


@pytest.mark.parametrize("step_id", ["dyn_", "dyn_k1"])
def test_a_known_step_has_no_name_of_a_dynamic_one(step_id):
    assert faults(CreateTask, with_steps(step(step_id))) == {"/knownSteps/0/stepId": BAD}


@pytest.mark.parametrize("step_id", ["DYN_1", "dyn", "dyn-1", "_dyn_"])
def test_a_name_that_merely_looks_alike_is_taken(step_id):
    assert faults(CreateTask, with_steps(step(step_id))) == {}


def test_each_step_and_each_task_is_named_once():
    assert faults(CreateTask, with_steps(step("a"), step("b"), step("a"))) == {"/knownSteps/2/stepId": BAD}
    twice = {**WORKFLOW, "initialTasks": [TASK, TASK]}
    assert faults(CreateWorkflow, twice) == {"/initialTasks/1/clientTaskKey": BAD}


def test_names_that_differ_in_case_are_two():
    assert faults(CreateTask, with_steps(step("a"), step("A"))) == {}


@pytest.mark.parametrize(
    ("steps", "bad"),
    [
        ([step("a"), step("b", "a"), step("c", "a", "b")], []),
        ([step("b", "a"), step("a")], []),  # the order of the list doesn't matter
        ([step("a", "a")], ["/knownSteps/0/dependsOn"]),
        ([step("a", "b"), step("b", "a"), step("c")], ["/knownSteps/0/dependsOn", "/knownSteps/1/dependsOn"]),
        ([step("a", "nowhere")], ["/knownSteps/0/dependsOn/0"]),
        ([step("a"), step("b", "a", "A")], ["/knownSteps/1/dependsOn/1"]),
    ],
)
def test_steps_depend_on_each_other_without_a_circle(steps, bad):
    assert faults(CreateTask, with_steps(*steps)) == dict.fromkeys(bad, BAD)


def test_a_long_chain_of_steps_is_judged_without_deep_recursion():
    chain = [step("s0"), *[step(f"s{n}", f"s{n - 1}") for n in range(1, 1000)]]
    assert faults(CreateTask, with_steps(*chain)) == {}
    closed = [step("s0", "s999"), *chain[1:]]
    assert len(faults(CreateTask, with_steps(*closed))) > 0


@pytest.mark.parametrize(
    ("members", "bad"),
    [
        ({"heartbeatIntervalSeconds": 15, "heartbeatTimeoutSeconds": 45}, []),
        ({"heartbeatIntervalSeconds": 15, "heartbeatTimeoutSeconds": 44}, ["heartbeatTimeoutSeconds"]),
        ({"heartbeatIntervalSeconds": 3600}, []),  # the timeout is worked out with the operation's
        ({"heartbeatIntervalSeconds": 0}, ["heartbeatIntervalSeconds"]),
        ({"heartbeatIntervalSeconds": 3601}, ["heartbeatIntervalSeconds"]),
        ({"heartbeatIntervalSeconds": 15.0}, ["heartbeatIntervalSeconds"]),
        ({"noProgressSeconds": 0}, ["noProgressSeconds"]),
    ],
)
def test_a_timeout_covers_three_beats_of_known_and_of_dynamic_steps(members, bad):
    known = faults(CreateTask, with_steps(step("a", **members)))
    assert known == {f"/knownSteps/0/{name}": BAD for name in bad}
    assert faults(RegisterExecution, {**REGISTRATION, **members}) == {f"/{name}": BAD for name in bad}


def test_a_faulty_step_is_found_in_the_first_tasks_of_a_workflow_too():
    body = {**WORKFLOW, "initialTasks": [with_steps(step("dyn_1"))]}
    assert faults(CreateWorkflow, body) == {"/initialTasks/0/knownSteps/0/stepId": BAD}


def test_a_version_of_a_status_set_needs_the_task_type_it_belongs_to():
    assert faults(CreateTask, {**TASK, "statusDefinitionVersion": 3}) == {"/statusDefinitionVersion": BAD}
    assert faults(CreateTask, {**TASK, "statusDefinitionVersion": 3, "taskType": "PAPER"}) == {}


@pytest.mark.parametrize(
    ("member", "wrong"),
    [("principalType", "GROUP"), ("principalType", "user"), ("principalId", "a b"), ("permission", "OWN")],
)
def test_a_grant_says_to_whom_and_what(member, wrong):
    grant = {"principalType": "USER", "principalId": "bob", "permission": "VIEW"}
    body = {**WORKFLOW, "sharedWith": [grant, {**grant, member: wrong}]}
    assert faults(CreateWorkflow, body) == {f"/sharedWith/1/{member}": BAD}


@pytest.mark.parametrize("permission", ["VIEW", "OPERATE", "ADMIN"])
def test_a_grant_in_a_path_says_what_in_its_body(permission):
    assert PutGrant.read({"permission": permission}).permission == permission


@pytest.mark.parametrize(
    ("event_type", "members", "bad"),
    [
        ("WORKFLOW_RETITLED", {"title": "New"}, []),
        ("WORKFLOW_RETITLED", {}, ["/title"]),
        ("WORKFLOW_SEALED", {"title": "New"}, ["/title"]),
        ("WORKFLOW_COMPLETED", {"reason": "All\nis\tdone."}, []),
        ("WORKFLOW_FAILED", {"reason": ""}, ["/reason"]),
        ("WORKFLOW_REOPENED", {}, ["/eventType"]),
    ],
)
def test_a_title_goes_with_retitling_and_with_nothing_else(event_type, members, bad):
    body = {"eventId": "evt-1", "eventType": event_type, **members}
    assert faults(ReportWorkflowEvent, body) == dict.fromkeys(bad, BAD)


def test_a_retry_says_why():
    assert faults(RetryTask, {"eventId": "evt-1"}) == {"/reason": BAD}
