"""Places and watched tasks that have lapsed go, batch by batch; what is held or was taken anew never does."""

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from realtime import purge, tasks
from realtime.models import Seat, WatchedTask
from realtime.seats import Held
from realtime.seats.database import DatabaseSeats
from tests.support.plans import analyze, capturing

pytestmark = pytest.mark.django_db(transaction=True)

AN_HOUR = timedelta(hours=1)
A_MINUTE = timedelta(minutes=1)
BUDGET_SECONDS = 60


def seat(lease, ago, number=0):
    """A place that lapsed so long ago, or is held while that is negative."""
    return Seat.objects.create(holder=f"holder-{lease}", number=number, lease=lease, expires_at=Now() - ago)


def watched(task, ago):
    return WatchedTask.objects.create(
        session_key="session", task_id=task, channel=f"task_detail:acme/{task}", expires_at=Now() - ago
    )


def left():
    return sorted(
        [*Seat.objects.values_list("lease", flat=True), *WatchedTask.objects.values_list("task_id", flat=True)]
    )


def test_only_what_has_lapsed_for_long_goes():
    seat("held", -A_MINUTE)
    seat("lapsed", AN_HOUR - A_MINUTE)
    seat("long ago", AN_HOUR + A_MINUTE)
    watched("tsk_held", -A_MINUTE)
    watched("tsk_lapsed", AN_HOUR - A_MINUTE)
    watched("tsk_long_ago", AN_HOUR + A_MINUTE)
    assert purge.purge_lapsed(BUDGET_SECONDS) == 2
    assert left() == ["held", "lapsed", "tsk_held", "tsk_lapsed"]


def test_it_goes_batch_by_batch_and_stops_when_the_budget_is_spent(monkeypatch):
    monkeypatch.setattr(purge, "BATCH_SIZE", 2)
    for number in range(5):
        seat(f"l{number}", 2 * AN_HOUR)
        watched(f"tsk_{number}", 2 * AN_HOUR)
    assert purge.purge_lapsed(0) == 0
    with CaptureQueriesContext(connection) as queries:
        assert purge.purge_lapsed(BUDGET_SECONDS) == 10
    assert len([query for query in queries if query["sql"].startswith("DELETE")]) == 6
    assert left() == []


def test_a_place_that_somebody_takes_meanwhile_stays_theirs():
    seat("old", 2 * AN_HOUR)
    taken = []

    def taking(execute, sql, params, many, context):
        if sql.startswith("DELETE") and not taken:
            taken.append(DatabaseSeats().take("holder-old", "new", 1, 60))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(taking):
        assert purge.purge_lapsed(BUDGET_SECONDS) == 0
    assert taken == [True]
    assert left() == ["new"]


def test_who_could_not_renew_for_a_while_finds_the_place_again():
    seat("stream", A_MINUTE)
    purge.purge_lapsed(BUDGET_SECONDS)
    DatabaseSeats().renew([Held("holder-stream", "stream")], 60)
    assert not DatabaseSeats().take("holder-stream", "another", 1, 60)


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize(
    ("table", "index"),
    [("realtime_seat", "realtime_seat_purge_idx"), ("realtime_watched_task", "realtime_watch_purge_idx")],
)
def test_the_oldest_are_found_by_their_index(table, index):
    for number in range(200):
        seat(f"l{number}", -A_MINUTE)
        watched(f"tsk_{number}", -A_MINUTE)
    seat("long ago", 2 * AN_HOUR)
    watched("tsk_long_ago", 2 * AN_HOUR)
    analyze("realtime_seat", "realtime_watched_task")
    with capturing() as statements:
        purge.purge_lapsed(BUDGET_SECONDS)
    search = next(s for s in statements if s.sql.startswith("SELECT") and table in s.sql)
    access = search.access(table)
    assert access["key"] == index, search.plan()
    assert "filesort" not in (access["extra"] or ""), search.plan()


def test_the_schedule_drives_it_and_no_tick_outlives_the_next_one():
    entry = django_settings.CELERY_BEAT_SCHEDULE["purge-realtime"]
    assert entry["task"] == tasks.purge.name
    assert entry["options"]["expires"] <= entry["schedule"]
    seat("long ago", 2 * AN_HOUR)
    tasks.purge()
    assert left() == []
