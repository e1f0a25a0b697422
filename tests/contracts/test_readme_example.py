"""The README's worked example, run as a newcomer pastes it: line by line, by a shell, against a running service."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from django.core.management import call_command

from registries.resolver import forget
from taskstatus.config.env import BASE_DIR

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLE = (BASE_DIR / "README.md").read_text(encoding="utf-8").partition("## A worked example")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"```bash\n(.*?)```", EXAMPLE, re.DOTALL)
ADDRESS = "API=http://127.0.0.1:${PORT:-8000}\n"
LOAD = "manage load_definitions examples/definitions/worked_example.yaml\n"


def script(url: str) -> str:
    """The example's lines for this server; the definitions are loaded here, into the suite's own database."""
    lines = "".join(BLOCKS).replace(".venv/bin/python", sys.executable)
    assert ADDRESS in lines
    assert LOAD in lines
    call_command("load_definitions", str(BASE_DIR / "examples" / "definitions" / "worked_example.yaml"))
    return "set -eu\n" + lines.replace(ADDRESS, f"API={url}\n").replace(LOAD, "")


@pytest.fixture
def no_cached_definitions():
    """Forget definitions that this test's database alone has."""
    forget()
    yield
    forget()


@pytest.mark.skipif(not (shutil.which("bash") and shutil.which("curl")), reason="bash or curl is missing")
def test_it_runs_from_the_creation_to_the_end(live_server, no_cached_definitions):
    environment = {**os.environ, "DEBUG": "on", "DJANGO_SETTINGS_MODULE": "taskstatus.config.settings"}
    done = subprocess.run(
        ["bash", "-c", script(live_server.url)],
        cwd=BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    created, allowed, *receipts, detail, timeline = answers(done.stdout)
    assert created["created"] is True
    assert "STEP_COMPLETED" in allowed
    assert [receipt["taskVersion"] for receipt in receipts] == ["3", "4", "5", "5", "6"]
    assert [receipt["duplicate"] for receipt in receipts] == [False, False, False, True, False]
    assert receipts[2]["lifecycleStatus"] == "RUNNING"
    assert (detail["lifecycleStatus"], detail["businessStatus"]) == ("SUCCEEDED", "COMPLETED")
    assert detail["steps"][0]["progress"]["current"] == 12
    assert len(timeline["items"]) == 6


def answers(text: str) -> list[object]:
    """Every JSON value that was printed, in order."""
    decoder, found, at = json.JSONDecoder(), [], 0
    text = text.strip()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        while at < len(text) and text[at].isspace():
            at += 1
    return found
