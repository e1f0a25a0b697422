"""C23: a reader goes on in a task's timeline where they left off, and hears of it where that is no longer kept."""

import pytest

from taskstatus.models import TaskEvent
from tests.support.api import user_api
from tests.support.cast import ALICE, BOB
from tests.support.projected import messages

pytestmark = pytest.mark.accepts("C23")
FACTS = ["TASK_CREATED", "STEP_ACTIVATED", "STEP_STARTED", "STEP_COMPLETED", "TASK_COMPLETED"]


@pytest.fixture
def task_id(carol):
    """A task whose story is five facts long."""
    worker = carol.running()
    worker.completed()
    carol.end(worker.context["taskId"])
    return worker.context["taskId"]


def read(task_id, query="", api=None):
    """What Alice is answered about the timeline."""
    return (api or user_api(ALICE)).get(f"/tasks/{task_id}/events{query}")


def versions(page):
    """The versions on a page, in its order."""
    return [int(event["taskVersion"]) for event in page["items"]]


def purge(task_id, up_to):
    """Let the facts up to this version be older than they are kept."""
    TaskEvent.objects.filter(task_id=task_id, task_version__lte=up_to).delete()


def test_it_tells_all_that_happened_oldest_first(task_id):
    """From the beginning, every fact of the task is there, each with its version, and none twice."""
    page = read(task_id).ok()
    assert [event["eventType"] for event in page["items"]] == FACTS
    assert versions(page) == [1, 2, 3, 4, 5]
    assert (page["nextAfterTaskVersion"], page["oldestTaskVersion"], page["epoch"]) == (None, "1", "1")


@pytest.mark.parametrize("after", range(6))
def test_after_a_version_come_the_facts_behind_it(task_id, after):
    """Who knows a version is told exactly what came after it, and nothing once they know all."""
    assert versions(read(task_id, f"?afterTaskVersion={after}").ok()) == list(range(after + 1, 6))


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_page_by_page_it_is_the_same_whole(task_id, limit):
    """Each page names where the next begins, until the last; together they are the timeline without seam."""
    told, query = [], f"?limit={limit}"
    while query is not None:
        page = read(task_id, query).ok()
        told += page["items"]
        after = page["nextAfterTaskVersion"]
        query = f"?limit={limit}&afterTaskVersion={after}" if after is not None else None
    assert told == read(task_id).ok()["items"]


def test_what_happens_between_two_pages_is_on_the_next(carol):
    """A fact that is committed while somebody reads is neither left out nor told twice."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    first = read(task_id, "?limit=2").ok()
    worker.completed()
    rest = read(task_id, f"?afterTaskVersion={first['nextAfterTaskVersion']}").ok()
    assert versions(first) + versions(rest) == [1, 2, 3, 4]


def test_an_entry_is_the_one_that_was_pushed(carol):
    """The timeline that is read and the events that ride on pushed details are told by the same words."""
    worker = carol.running()
    worker.failed()
    task_id = worker.context["taskId"]
    pushed = [message["triggerEvent"] for message in messages("task.detail", task_id)]
    assert read(task_id).ok()["items"] == pushed


def test_where_the_window_was_purged_it_says_so_and_from_where_it_goes_on(task_id):
    """A reader whose place is gone gets a refusal of its own with the oldest version kept, and from there all."""
    purge(task_id, 3)
    for after in (0, 1, 2):
        gone = read(task_id, f"?afterTaskVersion={after}").refused(410, "TIMELINE_PURGED")
        assert (gone["current"], gone["retryable"]) == ({"oldestTaskVersion": "4"}, False)
    assert versions(read(task_id, "?afterTaskVersion=3").ok()) == [4, 5]


def test_who_names_no_place_gets_what_is_kept(task_id):
    """Without a version it begins at the oldest fact there is, and says which that is."""
    purge(task_id, 3)
    page = read(task_id).ok()
    assert (versions(page), page["oldestTaskVersion"]) == ([4, 5], "4")


def test_where_nothing_is_kept_that_is_said_too(task_id):
    """After the whole timeline was purged, older places are refused, and the newest one simply has nothing after it."""
    purge(task_id, 5)
    gone = read(task_id, "?afterTaskVersion=2").refused(410, "TIMELINE_PURGED")
    assert gone["current"] == {"oldestTaskVersion": "6"}
    page = read(task_id, "?afterTaskVersion=5").ok()
    assert (page["items"], page["nextAfterTaskVersion"], page["oldestTaskVersion"]) == ([], None, None)


def test_a_fact_after_the_purge_is_told_to_who_knew_all_before(carol):
    """A purge takes nothing from a reader who was up to date."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    purge(task_id, 3)
    worker.completed()
    assert versions(read(task_id, "?afterTaskVersion=3").ok()) == [4]


def test_the_purge_of_one_task_is_no_other_tasks_business(task_id, carol):
    """Each task has a window of its own."""
    other = carol.running().context["taskId"]
    purge(task_id, 4)
    assert versions(read(other, "?afterTaskVersion=0").ok()) == [1, 2, 3]


def test_nobody_else_learns_whether_there_was_a_timeline(task_id):
    """To a stranger the purged timeline of a task and that of no task are alike."""
    purge(task_id, 3)
    bob = user_api(BOB)
    unseen = read(task_id, "?afterTaskVersion=0", bob).refused(404, "TASK_NOT_FOUND")
    assert unseen == read("tsk_none", "?afterTaskVersion=0", bob).body


@pytest.mark.parametrize("value", ["-1", "x", "1.5", "", "9223372036854775808"])
def test_what_is_no_version_is_refused(task_id, value):
    """A place that never was is not taken for the beginning."""
    read(task_id, f"?afterTaskVersion={value}").refused(400, "INVALID_FIELD")
