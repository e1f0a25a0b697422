"""The messages of every use case in the store that the pages use: the client's gates and the service's words agree."""

import json
import shutil
import subprocess

import pytest

from outbox.models import OutboxMessage
from registries.resolver import forget
from taskstatus.config.env import BASE_DIR
from tests.conftest import unavailable
from tests.faults.scenarios import SCENARIOS
from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator

SDK = BASE_DIR / "sdk" / "js"


def answers(reader):
    """What a page reads that shows everything."""
    pages, cursor = [], ""
    while cursor is not None:
        pages.append(reader.get(f"/me/tasks?limit=200{cursor}").ok())
        cursor = f"&cursor={pages[-1]['nextCursor']}" if pages[-1]["nextCursor"] else None
    details = [reader.get(f"/tasks/{task['id']}").ok() for page in pages for task in page["items"]]
    return {"pages": pages, "details": details, "workflows": reader.get("/me/workflows?limit=200").ok()["items"]}


@pytest.mark.django_db(transaction=True)
@pytest.mark.accepts("R04")
def test_the_messages_of_every_use_case_end_in_what_a_snapshot_shows():
    program = shutil.which("node")
    if program is None:
        unavailable("Node.js 20 or later")
    forget()
    carol, alice = coordinator(), user_api(ALICE)
    requests = [scenario.prepare(carol) for scenario in SCENARIOS]
    before = answers(alice)
    for request in requests:
        request().ok()
    payloads = OutboxMessage.objects.exclude(channel__startswith="workflow_summary:").values_list("payload", flat=True)
    messages = [json.loads(payload) for payload in payloads]
    case = json.dumps({"before": before, "messages": messages, "fresh": answers(alice)})
    command = [program, str(SDK / "testkit" / "replay.js")]
    result = subprocess.run(command, cwd=SDK, input=case, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-4000:]
    assert result.stdout.startswith(f"{len(messages)} messages")
