"""The way of one task from its creation to its end, over HTTP."""

import pytest

from tests.support.cast import coordinator, step_body

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_task_runs_from_creation_to_success():
    carol = coordinator()
    task = carol.task(step_body())
    worker = carol.worker(task["taskId"])
    assert worker.started()["taskVersion"] == "3"
    assert worker.progress(current=3)["taskVersion"] == "4"
    done = worker.completed(durationMs=1200)
    assert (done["stepLifecycleStatus"], done["lifecycleStatus"]) == ("SUCCEEDED", "RUNNING")
    ended = carol.end(task["taskId"])
    assert ended["lifecycleStatus"] == "SUCCEEDED"
    detail = carol.detail(task["taskId"])
    assert detail["version"] == "6"
    assert detail["steps"][0]["durationMs"] == 1200
    assert detail["steps"][0]["progress"] == {"current": 3, "total": 10, "unit": "page"}
