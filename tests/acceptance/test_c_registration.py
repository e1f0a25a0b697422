"""C09: what is registered while a task runs keeps to namespaces and limits, each with its own refusal."""

from datetime import timedelta

import pytest
from django.db.models import F

from taskstatus.models import Step
from tests.support.api import fresh, service_api
from tests.support.cast import Worker, step_body
from tests.support.definitions import define, operation
from tests.support.unchanged import unchanged

OPEN = {"allowedParentOperations": ["*"], "allowedChildOperations": ["*"]}


def child(operation_code="SEARCH.WEB", **members):
    return {"clientStepKey": fresh("call"), "operationCode": operation_code, "producerId": "searcher", **members}


def register(api, task_id, body=None):
    return api.post(f"/tasks/{task_id}/executions:register", body or child())


@pytest.fixture
def agent(carol):
    """A function that makes a running agent, the only known step of a task with this policy."""

    def make(**policy):
        task = carol.task(step_body(operation_code="AGENT.RUN"), dynamicRegistrationPolicy={**OPEN, **policy})
        worker = carol.worker(task["taskId"])
        worker.started()
        return worker

    return make


def limited(answer, code, *, retryable):
    """The registration is refused by a limit, and says whether and when to try again."""
    problem = answer.refused(429, code)
    assert problem["retryable"] is retryable
    assert ("Retry-After" in answer.headers) is retryable


@pytest.mark.accepts("C09")
def test_the_rules_are_judged_in_their_order(carol):
    """Parent, child operation, depth, count, parallel executions, rate: lifted one by one, the next one refuses."""
    policy = {"allowedParentOperations": [], "allowedChildOperations": []}
    policy |= dict.fromkeys(("maxDepth", "maxDynamicSteps", "maxParallelExecutions", "maxRegistrationsPerMinute"), 0)
    lifted = [
        (403, "PARENT_NOT_ALLOWED", {"allowedParentOperations": ["AGENT.*"]}),
        (403, "CHILD_OPERATION_NOT_ALLOWED", {"allowedChildOperations": ["SEARCH.WEB"]}),
        (429, "DEPTH_LIMIT", {"maxDepth": 1}),
        (429, "DYNAMIC_STEP_LIMIT", {"maxDynamicSteps": 1}),
        (429, "PARALLEL_LIMIT", {"maxParallelExecutions": 1}),
        (429, "REGISTRATION_RATE_LIMIT", {"maxRegistrationsPerMinute": 1}),
    ]
    for status, code, relief in lifted:
        task = carol.task(step_body(operation_code="AGENT.RUN"), dynamicRegistrationPolicy=policy)
        worker = carol.worker(task["taskId"])
        with unchanged():
            register(worker.api, task["taskId"]).refused(status, code)
        policy |= relief
    task = carol.task(step_body(operation_code="AGENT.RUN"), dynamicRegistrationPolicy=policy)
    worker = carol.worker(task["taskId"])
    assert register(worker.api, task["taskId"]).status == 201


@pytest.mark.accepts("C09")
def test_namespaces_bind_parents_and_children(carol):
    """Exact codes and trailing stars say which operations may have children, and which may be one."""
    policy = {"allowedParentOperations": ["AGENT.RUN"], "allowedChildOperations": ["SEARCH.*", "TOOL"]}
    steps = step_body("s1", "AGENT.RUN"), step_body("s2", "AGENT.RUNNER")
    task_id = carol.task(*steps, dynamicRegistrationPolicy=policy)["taskId"]
    agent, stranger = carol.worker(task_id, "s1"), carol.worker(task_id, "s2")
    for code in ("SEARCH.WEB", "SEARCH.", "TOOL"):
        register(agent.api, task_id, child(code)).ok()
    with unchanged():
        for code in ("SEARCH", "SEARCHX", "TOOL.X", "AGENT.RUN"):
            register(agent.api, task_id, child(code)).refused(403, "CHILD_OPERATION_NOT_ALLOWED")
        register(stranger.api, task_id).refused(403, "PARENT_NOT_ALLOWED")


@pytest.mark.accepts("C09")
def test_a_parent_is_live_of_this_task_and_oneself(carol, agent):
    """An execution registers children of its own only, in its own task, and not once it has ended or was fenced."""
    worker, other = agent(), agent()
    task_id, other_id = worker.context["taskId"], other.context["executionId"]
    with unchanged():
        register(worker.api, task_id, child(parentExecutionId=other_id)).refused(403, "PARENT_NOT_ALLOWED")
        register(worker.api, other.context["taskId"]).refused(404, "EXECUTION_NOT_FOUND")
        register(carol.api, task_id, child(parentExecutionId=other_id)).refused(404, "EXECUTION_NOT_FOUND")
        register(service_api("worker-a", "worker"), task_id).refused(403, "ROLE_REQUIRED")
    assert register(worker.api, task_id, child(parentExecutionId=worker.context["executionId"])).status == 201
    worker.completed()
    carol.activate(other.context["taskId"], supersede=True)
    with unchanged():
        register(worker.api, task_id).refused(409, "TERMINAL_STATE")
        body = child(parentExecutionId=worker.context["executionId"])
        register(carol.api, task_id, body).refused(409, "TERMINAL_STATE")
        register(other.api, other.context["taskId"]).refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C09")
def test_without_a_policy_only_a_coordinator_registers_and_without_a_parent(carol):
    """A task that names no policy has no children; its coordinator may still add steps, within the usual limits."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    with unchanged():
        register(worker.api, task_id).refused(403, "PARENT_NOT_ALLOWED")
        body = child(parentExecutionId=worker.context["executionId"])
        register(carol.api, task_id, body).refused(403, "PARENT_NOT_ALLOWED")
    for _ in range(10):
        register(carol.api, task_id).ok()
    with unchanged():
        limited(register(carol.api, task_id), "PARALLEL_LIMIT", retryable=True)
    assert {step["depth"] for step in carol.detail(task_id)["steps"]} == {0}


@pytest.mark.accepts("C09")
def test_depth_counts_from_the_known_step(carol, agent):
    """A known step's child is one deep, and the chain ends where the policy says."""
    worker = agent(maxDepth=2)
    task_id = worker.context["taskId"]
    for depth in (1, 2):
        worker = Worker(register(worker.api, task_id, child("AGENT.RUN")).ok()["context"])
        assert carol.detail(task_id)["steps"][depth]["depth"] == depth
    with unchanged():
        limited(register(worker.api, task_id), "DEPTH_LIMIT", retryable=False)


@pytest.mark.accepts("C09")
def test_the_count_includes_what_has_ended_and_begins_anew_with_the_task(carol, agent):
    """All dynamic executions of the task attempt count; a replay takes no place, a new task attempt has all of them."""
    worker = agent(maxDynamicSteps=2)
    task_id, first = worker.context["taskId"], child()
    Worker(register(worker.api, task_id, first).ok()["context"]).report("STEP_CANCELLED").ok()
    register(worker.api, task_id).ok()
    with unchanged():
        limited(register(worker.api, task_id), "DYNAMIC_STEP_LIMIT", retryable=False)
        limited(register(worker.api, task_id, {**first, "attempt": 2}), "DYNAMIC_STEP_LIMIT", retryable=False)
    assert register(worker.api, task_id, first).status == 200
    carol.end(task_id, "TASK_CANCELLED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    assert register(carol.worker(task_id).api, task_id).status == 201


@pytest.mark.accepts("C09")
def test_an_end_makes_room_for_another_at_once(agent):
    """Executions side by side are limited; the end of one lets the next in."""
    worker = agent(maxParallelExecutions=1)
    task_id = worker.context["taskId"]
    only = Worker(register(worker.api, task_id).ok()["context"])
    with unchanged():
        limited(register(worker.api, task_id), "PARALLEL_LIMIT", retryable=True)
    only.report("STEP_CANCELLED").ok()
    assert register(worker.api, task_id).status == 201


@pytest.mark.accepts("C09")
def test_the_rate_is_that_of_the_last_minute(agent):
    """Within a minute only so many are registered; a minute later there is room again."""
    worker = agent(maxRegistrationsPerMinute=2)
    task_id = worker.context["taskId"]
    for _ in range(2):
        register(worker.api, task_id).ok()
    with unchanged():
        limited(register(worker.api, task_id), "REGISTRATION_RATE_LIMIT", retryable=True)
    Step.objects.filter(is_dynamic=True).update(created_at=F("created_at") - timedelta(seconds=60))
    assert register(worker.api, task_id).status == 201


@pytest.mark.accepts("C09")
def test_the_registries_say_who_executes_what(carol, settings):
    """A producer that the operation doesn't allow, or an operation that nothing covers, is not registered."""
    define(operations=[operation("SEARCH.WEB", producerPattern="search-*", maxAttempts=1)])
    settings.BUILTIN_PROFILE_OFF = frozenset({("acme", "content-platform")})
    task_id = carol.task()["taskId"]
    with unchanged():
        register(carol.api, task_id, child(producerId="video")).refused(403, "PRODUCER_MISMATCH")
        register(carol.api, task_id, child("SEARCH.MAPS")).refused(422, "UNKNOWN_OPERATION")
        register(carol.api, task_id, child(operationDefinitionVersion=7)).refused(404, "DEFINITION_NOT_FOUND")
    allowed = child(producerId="search-1")
    Worker(register(carol.api, task_id, allowed).ok()["context"]).report("STEP_CANCELLED").ok()
    with unchanged():
        register(carol.api, task_id, {**allowed, "attempt": 2}).refused(409, "ATTEMPT_LIMIT")
