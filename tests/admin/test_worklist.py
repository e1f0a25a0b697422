"""The list of tasks that need a look: found by what is wrong with them, with the first reason (O06, S13)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from taskstatus.models import ServicePulse, Step, Task
from taskstatus.queries import task_windows
from tests.admin.support import operator, text_of
from tests.admin.tasks import TASKS, XSS, page_of, shown
from tests.support.cast import coordinator, step_body, task_body
from tests.support.plans import analyze, capturing
from tests.support.reconciling import reconciled, sign, silence

pytestmark = pytest.mark.django_db(transaction=True)

WORK = reverse("admin:taskstatus_task_work")


def task_of(worker):
    return worker.context["taskId"]


def silent(carol, number=1, **members):
    """So many tasks with a silent executor, the oldest first."""
    workers = [carol.running(**members) for _ in range(number)]
    silence(*workers)
    reconciled()
    return [task_of(worker) for worker in workers]


@pytest.mark.accepts("O06")
def test_the_silent_and_the_degraded_are_shown_the_oldest_first(vera, carol):
    first = silent(carol)
    late = carol.worker(carol.task(step_body(startDeadlineSeconds=30))["taskId"])
    silence(late)
    reconciled()
    carol.running()
    second = silent(carol)
    for task_id, minutes in ((first[0], 30), (task_of(late), 20), (second[0], 10)):
        Task.objects.filter(pk=task_id).update(created_at=Now() - timedelta(minutes=minutes))
    assert shown(vera.get(WORK)) == [*first, task_of(late), *second]
    assert shown(vera.get(WORK, {"trouble": "SILENT"})) == [*first, *second]
    assert shown(vera.get(WORK, {"trouble": "DEGRADED"})) == [task_of(late)]
    assert shown(vera.get(WORK, {"reason": "NOT_STARTED"})) == [task_of(late)]
    carol.end(first[0], "TASK_CANCELLED")
    assert shown(vera.get(WORK, {"trouble": "SILENT"})) == second


def test_each_row_says_why_and_leads_to_what_helps(vera, carol):
    (task_id,) = silent(carol, title=XSS)
    page = vera.get(WORK)
    (row,) = page.context["rows"]
    assert row["first"].sentence == "worker-a, which runs step s1, has been silent for 1 min."
    text = text_of(page)
    assert "<script>alert" not in text
    assert page_of(task_id, "why") in text
    assert page_of(task_id, "correct") not in text
    able = operator("rita", "view_task", "correct_task", "reconcile_task", "revoke_execution")
    text = text_of(able.get(WORK))
    for name in ("why", "correct", "reconcile", "revoke"):
        assert page_of(task_id, name) in text, name


def test_what_is_wrong_with_the_service_is_told_once_and_above_an_empty_list_too(vera, carol):
    silent(carol, 2)
    sign(ServicePulse.RECONCILER, seconds_ago=600)
    for query, number in (({}, 2), ({"producer": "worker-b"}, 0)):
        page = vera.get(WORK, query)
        assert [one.finding.kind for one in page.context["service"]] == ["NOBODY_JUDGES"]
        assert [row["first"].finding.kind for row in page.context["rows"]] == ["SILENT"] * number
        assert text_of(page).count("No reconciler has come by") == 1
    sign(ServicePulse.RECONCILER)
    assert vera.get(WORK).context["service"] == []


def test_the_admin_leads_to_tasks_work_list_and_messages_from_its_first_page(carol):
    able = text_of(operator("rita", "view_task", "view_outboxmessage").get(reverse("admin:index")))
    messages = reverse("admin:outbox_outboxmessage_changelist")
    places = [able.index(f'"{address}"') for address in (TASKS, WORK, messages)]
    assert places == sorted(places)
    assert f'"{WORK}"' not in text_of(operator("olga", "view_outboxmessage").get(reverse("admin:index")))


def test_tasks_that_wait_for_a_user_are_found(vera, carol):
    worker = carol.worker(carol.task(step_body(failurePolicy="WAIT_FOR_USER"))["taskId"])
    worker.started()
    worker.failed()
    carol.running()
    page = vera.get(WORK, {"trouble": "WAITING"})
    assert shown(page) == [task_of(worker)]
    assert page.context["rows"][0]["first"].sentence.startswith("It has waited for its user")
    assert shown(vera.get(WORK, {"trouble": "WAITING", "age": "1h"})) == []
    Task.objects.update(updated_at=Now() - timedelta(hours=2))
    assert shown(vera.get(WORK, {"trouble": "WAITING", "age": "1h"})) == [task_of(worker)]


def test_tasks_that_run_for_long_are_found_though_they_are_well(vera, carol):
    long, day = carol.running(), carol.running()
    carol.running()
    for worker, hours in ((long, 2), (day, 30)):
        then = Now() - timedelta(hours=hours)
        Task.objects.filter(pk=task_of(worker)).update(created_at=then, started_at=then)
    assert shown(vera.get(WORK, {"trouble": "LONG"})) == [task_of(day), task_of(long)]
    assert shown(vera.get(WORK, {"trouble": "LONG", "age": "1d"})) == [task_of(day)]
    assert len(shown(vera.get(WORK, {"trouble": "LONG", "age": "1m"}))) == 2
    assert shown(vera.get(WORK)) == []


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ({"producer": "worker-a"}, True),
        ({"producer": "worker-b"}, False),
        ({"operation": "OPS.RUN"}, True),
        ({"operation": "OPS.WALK"}, False),
        ({"type": "PAPER"}, True),
        ({"type": "LETTER"}, False),
        ({"scope": "content-platform"}, True),
        ({"scope": "billing"}, False),
        ({"reason": "NO_HEARTBEAT"}, True),
        ({"reason": "NO_PROGRESS"}, False),
        ({"age": "1m"}, True),
        ({"age": "1h"}, False),
        ({"producer": "worker-a", "operation": "OPS.RUN", "type": "PAPER", "age": "1m"}, True),
    ],
    ids=str,
)
def test_filters_narrow_the_list(vera, carol, query, matches):
    found = silent(carol, taskType="PAPER")
    Step.objects.update(health_since=Now() - timedelta(minutes=5))
    assert shown(vera.get(WORK, query)) == (found if matches else [])


@pytest.mark.parametrize(
    "query",
    [{"trouble": "DROP"}, {"reason": "\x00"}, {"age": "1s"}, {"type": "A" * 500}, {"after": "x"}, {"after": "W10"}],
    ids=["trouble", "reason", "age", "type", "cursor", "empty-list"],
)
def test_what_can_not_be_read_is_passed_over(vera, carol, query):
    found = silent(carol)
    assert shown(vera.get(WORK, query)) == found


def test_pages_follow_each_other_without_a_gap(vera, carol, monkeypatch):
    monkeypatch.setattr(task_windows, "PAGE_SIZE", 2)
    task_ids = silent(carol, 5)
    pages, query = [], "?"
    while query:
        page = vera.get(WORK + query)
        pages.append(shown(page))
        query = page.context["following"]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [task_id for page in pages for task_id in page] == task_ids


def test_a_rare_one_is_found_a_bounded_part_at_a_time(vera, carol, monkeypatch):
    monkeypatch.setattr(task_windows, "LOOKED_AT", 3)
    silent(carol, 7)
    (rare,) = silent(carol, taskType="RARE")
    page, looks = vera.get(WORK, {"type": "RARE"}), 1
    while not shown(page):
        assert "Only the oldest part" in text_of(page)
        page, looks = vera.get(WORK + page.context["following"]), looks + 1
    assert (shown(page), looks) == ([rare], 3)


@pytest.mark.accepts("S13")
def test_the_list_is_of_ones_own_tenant_and_takes_the_right_to_look(carol, root):
    ours = silent(carol)
    theirs = silent(coordinator(tenant="globex"))
    mallory = operator("mallory", "view_task", tenant="globex")
    assert shown(mallory.get(WORK, {"tenant": "acme"})) == theirs
    assert shown(operator("hans", "view_task", tenant=None).get(WORK)) == []
    assert operator("nemo", "reconcile_task").get(WORK).status_code == 403
    assert shown(root.get(WORK)) == ours
    assert shown(root.get(WORK, {"tenant": "globex"})) == theirs


# Session, account, two for its rights, profile; the clock twice and a read for each of lifecycle and health (four); the
# explanation of them all: ten.
BUDGET = 22


@pytest.mark.parametrize("number", [1, 20])
def test_a_page_costs_a_fixed_number_of_statements(vera, carol, number):
    silent(carol, number)
    with CaptureQueriesContext(connection) as captured:
        assert len(shown(vera.get(WORK))) == number
    assert len(captured) <= BUDGET, [query["sql"][:90] for query in captured]


@pytest.mark.usefixtures("row_locks")
def test_the_list_reads_only_what_it_is_about(vera, carol):
    for _ in range(3):
        carol.workflow(*(task_body(step_body()) for _ in range(100)))
    Task.objects.update(lifecycle_status="SUCCEEDED", finished_at=Now())
    for _ in range(5):
        carol.running()
        carol.task(step_body())
    silent(carol)
    analyze("task", "task_step", "task_execution_lease")
    for query in ({}, {"producer": "worker-a", "age": "1m"}, {"trouble": "LONG"}, {"trouble": "WAITING"}):
        with capturing() as statements:
            vera.get(WORK, query)
        reads = [one for one in statements if "ORDER BY `task`.`created_at`" in one.sql]
        assert reads
        for statement in reads:
            assert statement.access("task")["key"] == "task_browse_idx", statement.plan()
            assert "filesort" not in (statement.access("task")["extra"] or ""), statement.plan()
        assert not [one.sql for one in statements if {"task", "task_step"} & set(one.scanned())]
