"""A06: Centrifugo, Redis or the database restarts under load: no acknowledged event is lost, no screen stays wrong."""

from collections import Counter

import pytest

from tests.deployment.load import PATIENCE_SECONDS, Load
from tests.deployment.parts import deployed
from tests.deployment.restarts import RESTARTS
from tests.deployment.streamed_screen import StreamedScreen
from tests.support.own_database import PASSWORD
from tests.support.screen import Screen
from tests.support.waiting import eventually

pytestmark = [pytest.mark.accepts("A06"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def deployment(tmp_path_factory):
    """MariaDB, Redis, Centrifugo, web server and relays of this module's own."""
    with deployed(tmp_path_factory.mktemp("deployment")) as parts:
        yield parts


@pytest.mark.parametrize("restart", RESTARTS)
def test_what_was_acknowledged_is_there_and_screens_are_right(deployment, restart):
    """Under load a server is killed and started again: each receipt's fact is in the log once, and screens converge."""
    load, screen = Load(deployment), StreamedScreen(deployment)
    load.begin()
    screen.open(load.task_ids[:5])
    load.more(50)
    restart(deployment, load)
    load.more(50)
    load.end()
    assert_each_is_in_the_log_once(deployment, load)
    eventually(lambda: not deployment.unsettled(), PATIENCE_SECONDS, "the last message")
    fresh = Screen.of(deployment.alice()).view()
    watched = {key: fresh["details"][key] for key in load.task_ids[:5]}
    eventually(lambda: screen.view()["tasks"] == fresh["tasks"], PATIENCE_SECONDS, "the list")
    eventually(lambda: watched.items() <= screen.view()["details"].items(), PATIENCE_SECONDS, "the details")
    assert screen.view()["workflows"] == fresh["workflows"]
    screen.close()


def assert_each_is_in_the_log_once(deployment, load):
    """Every receipt names the version under which its event is told, and each task's versions have no gap."""
    alice = deployment.alice()
    told = {}
    for task_id in load.task_ids:
        events = timeline(alice, task_id)
        assert [int(event["taskVersion"]) for event in events] == list(range(1, len(events) + 1))
        told |= {event["eventId"]: (task_id, event["taskVersion"]) for event in events}
        assert max(Counter(event["eventId"] for event in events).values()) == 1
    acknowledged = {event_id: (receipt["taskId"], receipt["taskVersion"]) for event_id, receipt in load.acknowledged}
    assert len(acknowledged) == len(load.acknowledged) > 100
    assert acknowledged.items() <= told.items()


def timeline(api, task_id):
    """Every event of a task."""
    events, after = [], "0"
    while after is not None:
        page = api.get(f"/tasks/{task_id}/events?afterTaskVersion={after}&limit=200").ok()
        events += page["items"]
        after = page["nextAfterTaskVersion"]
    return events


@pytest.mark.accepts("S06")
def test_no_key_is_in_what_the_processes_have_printed(deployment):
    """After all these outages, errors and retries: no signing key, no API key, no password, no token."""
    printed = "".join(path.read_text(encoding="utf-8") for path in deployment.logs())
    assert "the relay can't use the database" in printed
    names = ("SECRET_KEY", "SERVICE_TOKEN_SECRET", "USER_TOKEN_SECRET", "EXECUTION_TOKEN_KEYS", "CENTRIFUGO_API_KEY")
    names += ("CENTRIFUGO_TOKEN_SECRET", "CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET")
    secrets = [deployment.environment[name].rpartition(":")[2] for name in names] + [PASSWORD]
    assert [name for name, secret in zip((*names, "the database's"), secrets, strict=True) if secret in printed] == []
    assert "eyJ" not in printed, "the beginning of a token"
