"""The processes of the demo's pipeline: what each is told, and that none of them leaves another waiting."""

from pathlib import Path

import jwt
import pytest

from demo import PRODUCERS, pipeline_environments
from examples.document_pipeline import services
from examples.document_pipeline.coordinator import Coordinator
from examples.document_pipeline.ends import end_of, workflow_end
from examples.document_pipeline.files import title_of
from examples.document_pipeline.heartbeats import Pulse
from examples.document_pipeline.reporter import StepError, WorkCancelledError
from examples.document_pipeline.settings import Settings
from examples.document_pipeline.status_client import RefusedError, StatusClient


@pytest.fixture
def environments(tmp_path):
    return pipeline_environments("http://127.0.0.1:8000", "acme", "content-platform", tmp_path)


def test_each_process_has_the_tokens_of_its_own_producers_and_no_other(environments):
    for role, environment in environments.items():
        tokens = Settings.from_environment(environment).tokens
        assert tokens.keys() == PRODUCERS[role].keys()
        for producer, token in tokens.items():
            claims = jwt.decode(token, options={"verify_signature": False})
            assert (claims["sub"], claims["tenant"], claims["scope"]) == (producer, "acme", "content-platform")
            assert sorted(claims["roles"]) == sorted(PRODUCERS[role][producer])


def test_each_process_listens_on_a_port_of_its_own_that_all_know(environments):
    told = {tuple(Settings.from_environment(one).ports.items()) for one in environments.values()}
    ((*pairs,),) = told
    assert {role for role, _ in pairs} == environments.keys()
    assert len({port for _, port in pairs}) == len(environments)


@pytest.mark.parametrize(
    ("name", "title"), [("plain.txt", "plain.txt"), ("two\nlines.txt", "two?lines.txt"), ("caf\udce9.txt", "caf?.txt")]
)
def test_a_files_name_is_always_a_title(name, title):
    assert title_of(Path(name)) == title
    assert len(title_of(Path("x" * 300))) == 255


def work_of_the_parser(environments, monkeypatch, does):
    """Let the parser do this with one piece of work; what is answered to whoever asked for it."""
    answered = []
    monkeypatch.setitem(services.ROLES["parse"], "DOCUMENT.PARSE", does)
    monkeypatch.setattr(services, "send_work", lambda address, answer: answered.append((address, answer)))
    context = {"producerId": "document-parser", "operationCode": "DOCUMENT.PARSE", "taskId": "t", "executionId": "e"}
    context |= {"executionHandle": "h", "stepAttempt": 1, "sourceSeqStart": 1, "heartbeatIntervalSeconds": 15}
    settings = Settings.from_environment(environments["parse"])
    pulses = {"document-parser": Pulse(StatusClient(settings.url, "token"))}
    work = {"context": context, "replyTo": "http://127.0.0.1:1/"}
    services.handle(work, "parse", settings, pulses)
    return answered


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (StepError("DEPENDENCY", "INDEX_UNAVAILABLE", "Later.", retryable=True), "INDEX_UNAVAILABLE"),
        (ZeroDivisionError("of a library"), "WORKER_FAULT"),
    ],
)
def test_whatever_goes_wrong_is_reported_and_answered(monkeypatch, environments, trouble, code):
    reported = []

    def fail(*_):
        raise trouble

    monkeypatch.setattr(services.Reporter, "failed", lambda _, error, status: reported.append((error.body, status)))
    answered = work_of_the_parser(environments, monkeypatch, fail)
    ((body, status),) = reported
    assert (body["code"], status) == (code, "PARSE_FAILED")
    assert answered == [("http://127.0.0.1:1/", {"executionId": "e", "outcome": {"failed": body}})]
    assert "of a library" not in body["userMessage"]


def test_work_that_somebody_wants_cancelled_is_reported_and_answered_so(monkeypatch, environments):
    reported = []

    def give_up(*_):
        raise WorkCancelledError(children=["c"])

    monkeypatch.setattr(services.Reporter, "_report", lambda _, kind, **members: reported.append((kind, members)))
    answered = work_of_the_parser(environments, monkeypatch, give_up)
    ((kind, members),) = reported
    assert (kind, members["businessStatus"]) == ("STEP_CANCELLED", "CANCELLED")
    outcome = {"cancelled": True, "children": ["c"]}
    assert answered == [("http://127.0.0.1:1/", {"executionId": "e", "outcome": outcome})]


def test_work_on_a_task_that_was_ended_meanwhile_leaves_nobody_waiting(monkeypatch, environments):
    def refused(*_, **__):
        raise RefusedError({"code": "TERMINAL_STATE"})

    monkeypatch.setattr(services.Reporter, "_report", refused)
    ((_, answer),) = work_of_the_parser(environments, monkeypatch, lambda _, reporter, __: reporter.started())
    assert answer == {"executionId": "e", "outcome": {"refused": "TERMINAL_STATE"}}
    coordinator = Coordinator(Settings.from_environment(environments["coordinator"]))
    coordinator.hear(answer)
    assert end_of(lambda _: coordinator._wait("e"))("t") == "ELSEWHERE"


@pytest.mark.parametrize(
    ("ends", "end"),
    [
        ({"TASK_COMPLETED"}, "WORKFLOW_COMPLETED"),
        ({"TASK_COMPLETED", "TASK_CANCELLED"}, "WORKFLOW_COMPLETED"),
        ({"TASK_CANCELLED"}, "WORKFLOW_CANCELLED"),
        ({"TASK_CANCELLED", "ELSEWHERE"}, "WORKFLOW_COMPLETED"),
        ({"TASK_COMPLETED", "TASK_CANCELLED", "TASK_FAILED"}, "WORKFLOW_FAILED"),
    ],
    ids=["all done", "some cancelled", "all cancelled", "one elsewhere", "some failed"],
)
def test_a_workflow_ends_as_its_tasks_did(ends, end):
    assert workflow_end(ends) == end
