"""Operators look through the tasks of their tenant, and see all that is on file about one (acceptance S13, O06)."""

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from taskstatus.models import Task
from taskstatus.queries import task_browser, task_file, task_windows
from tests.admin.support import operator, text_of
from tests.admin.tasks import TASKS, XSS, page_of, shown
from tests.support.cast import coordinator, error_body, step_body, task_body

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_list_shows_what_has_not_ended_the_newest_first(vera, carol):
    first, second, third = (carol.task(step_body())["taskId"] for _ in range(3))
    carol.end(second)
    assert shown(vera.get(TASKS)) == [third, first]
    assert shown(vera.get(TASKS, {"lifecycle": "SUCCEEDED"})) == [second]
    assert shown(vera.get(TASKS, {"lifecycle": "ALL"})) == [third, second, first]


def test_filters_narrow_the_list(vera, carol):
    paper, letter = (carol.task(taskType=name)["taskId"] for name in ("PAPER", "LETTER"))
    other = coordinator(scope="billing").task()["taskId"]
    Task.objects.filter(pk=letter).update(health="STALE", health_reason="NO_HEARTBEAT")
    assert shown(vera.get(TASKS, {"type": "PAPER"})) == [paper]
    assert shown(vera.get(TASKS, {"health": "STALE"})) == [letter]
    assert shown(vera.get(TASKS, {"scope": "billing"})) == [other]
    assert shown(vera.get(TASKS, {"scope": "billing", "type": "PAPER"})) == []
    assert shown(vera.get(TASKS, {"age": "10m"})) == []
    assert shown(vera.get(TASKS, {"lifecycle": "RUNNING"})) == []


@pytest.mark.parametrize(
    "query",
    [{"lifecycle": "DROP"}, {"health": "\x00"}, {"age": "1s"}, {"type": "A" * 500}, {"after": "x"}, {"after": "W10"}],
    ids=["lifecycle", "health", "age", "type", "cursor", "empty-list"],
)
def test_what_can_not_be_read_is_passed_over(vera, carol, query):
    task_id = carol.task()["taskId"]
    assert shown(vera.get(TASKS, query)) == [task_id]


def test_pages_follow_each_other_without_a_gap(vera, carol, monkeypatch):
    monkeypatch.setattr(task_windows, "PAGE_SIZE", 2)
    task_ids = [task["taskId"] for task in carol.workflow(*(task_body() for _ in range(5)))["tasks"]]
    pages, query = [], "?"
    while query:
        page = vera.get(TASKS + query)
        pages.append(shown(page))
        query = page.context["following"]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert sorted(task_id for page in pages for task_id in page) == sorted(task_ids)


def test_a_rare_task_is_found_a_bounded_part_at_a_time(vera, carol, monkeypatch):
    monkeypatch.setattr(task_windows, "LOOKED_AT", 3)
    rare = carol.task(taskType="RARE")["taskId"]
    for _ in range(7):
        carol.task()
    page, looks = vera.get(TASKS, {"type": "RARE"}), 1
    while not shown(page):
        assert page.context["found"].was_cut
        assert "Only the newest part" in text_of(page)
        page, looks = vera.get(TASKS + page.context["following"]), looks + 1
    assert (shown(page), looks) == ([rare], 3)


@pytest.mark.parametrize("name", ["taskId", "clientTaskKey", "executionId", "eventId"])
def test_a_name_leads_to_the_task_itself(vera, carol, name):
    body = task_body(step_body())
    created = carol.workflow(body)["tasks"][0]
    worker = carol.worker(created["taskId"])
    names = {
        **created,
        **worker.context,
        "clientTaskKey": body["clientTaskKey"],
        "eventId": worker.started()["eventId"],
    }
    answer = vera.get(TASKS, {"q": f" {names[name]} "})
    assert (answer.status_code, answer["Location"]) == (302, page_of(created["taskId"]))


def test_a_workflow_leads_to_all_of_its_tasks(vera, carol):
    created = carol.workflow(task_body(), task_body())
    carol.task()
    page = vera.get(TASKS, {"q": created["workflowId"]})
    assert sorted(shown(page)) == sorted(task["taskId"] for task in created["tasks"])


@pytest.mark.parametrize("term", ["nothing", "tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV", "Parse", XSS, "a" * 129, "'"])
def test_what_names_nothing_finds_nothing(vera, carol, term):
    carol.task()
    page = vera.get(TASKS, {"q": term})
    assert page.status_code == 200
    assert "<script>alert" not in text_of(page)
    assert len(term) > task_browser.MAX_TERM or shown(page) == []


@pytest.mark.accepts("S13")
def test_another_tenants_task_is_nowhere(carol):
    body = task_body(step_body())
    task = carol.workflow(body)
    task_id = task["tasks"][0]["taskId"]
    worker = carol.worker(task_id)
    event_id = worker.started()["eventId"]
    mallory = operator("mallory", "view_task", "correct_task", tenant="globex")
    own = coordinator(tenant="globex").task()["taskId"]
    assert shown(mallory.get(TASKS, {"lifecycle": "ALL", "tenant": "acme"})) == [own]
    names = (task_id, task["workflowId"], worker.context["executionId"], event_id, body["clientTaskKey"])
    for name in names:
        assert shown(mallory.get(TASKS, {"q": name, "tenant": "acme"})) == []
    theirs, none = mallory.get(page_of(task_id)), mallory.get(page_of("tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV"))
    assert (theirs.status_code, none.status_code) == (404, 404)


@pytest.mark.accepts("S13")
def test_looking_takes_a_right_and_a_tenant(carol):
    task_id = carol.task()["taskId"]
    for nobody in (operator("nemo"), operator("rita", "correct_task"), operator("olga", "view_operationdefinition")):
        assert nobody.get(TASKS).status_code == 403
        assert nobody.get(page_of(task_id)).status_code == 404
    homeless = operator("hans", "view_task", tenant=None)
    assert shown(homeless.get(TASKS)) == []
    assert homeless.get(page_of(task_id)).status_code == 404


def test_who_may_not_is_told_so_on_a_page_that_leads_on(vera, carol):
    page = vera.get(page_of(carol.task()["taskId"], "correct"))
    assert page.status_code == 403
    assert "This account has no right to do this" in text_of(page)
    assert reverse("admin:index") in text_of(page)


def test_a_superuser_chooses_the_tenant(root, carol):
    ours, theirs = carol.task()["taskId"], coordinator(tenant="globex").task()["taskId"]
    assert shown(root.get(TASKS)) == [ours]
    assert shown(root.get(TASKS, {"tenant": "globex"})) == [theirs]
    assert root.get(TASKS, {"q": theirs})["Location"] == page_of(theirs)


def test_the_page_shows_attempts_timeline_and_the_workflows_other_tasks(vera, carol):
    first, second = carol.workflow(task_body(step_body(), title=XSS), task_body(title="The other"))["tasks"]
    worker = carol.worker(first["taskId"])
    worker.started(message="My password is hunter2.")
    worker.failed(code="TORN")
    carol.end(first["taskId"], "TASK_FAILED", error=error_body(diagnosticsRef="trace-4711"))
    page = vera.get(page_of(first["taskId"]))
    text = text_of(page)
    assert "<script>alert" not in text
    assert [event["event"].task_version for event in page.context["events"]] == [5, 4, 3, 2, 1]
    for words in ("TORN", "TASK_FAILED", "The other", page_of(second["taskId"]), worker.context["executionId"]):
        assert words in text
    for hidden in ("trace-4711", "hunter2"):
        assert hidden not in text
    assert "Correct…" not in text


def test_lifecycles_are_words_and_no_time_at_all_is_a_time(vera, carol):
    worker = carol.running()
    task_id = worker.context["taskId"]
    carol.end(task_id)
    Task.objects.filter(pk=task_id).update(duration_ms=0)
    page = vera.get(page_of(task_id))
    assert "· 0 ·" in text_of(page)
    lifecycles = [strip_tags(event["lifecycle"]) for event in page.context["events"]]
    assert lifecycles == ["Succeeded", "Running", "Pending", "Pending"]


def test_a_long_timeline_is_shown_in_parts(vera, carol, monkeypatch):
    monkeypatch.setattr(task_file, "EVENTS", 2)
    worker = carol.running()
    page = vera.get(page_of(worker.context["taskId"]))
    assert [event["event"].task_version for event in page.context["events"]] == [3, 2]
    page = vera.get(page_of(worker.context["taskId"]), {"before": page.context["file"].older_than})
    assert [event["event"].task_version for event in page.context["events"]] == [1]
    assert vera.get(page_of(worker.context["taskId"]), {"before": "x"}).status_code == 200


@pytest.mark.parametrize("path", ["add/", "delete/", "history/", "change/"])
def test_django_s_own_pages_of_a_task_are_gone(root, carol, path):
    task_id = carol.task()["taskId"]
    assert root.post(f"{page_of(task_id)}{path}", {"post": "yes"}).status_code == 404
    assert root.post(f"{TASKS}add/", {}).status_code == 404
    assert Task.objects.filter(pk=task_id).exists()
