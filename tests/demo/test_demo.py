"""`make demo`: real workers on real files, and an end that leaves nothing behind."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from pypdf import PdfWriter

from taskstatus.config.env import BASE_DIR
from tests.support.ports import free_port
from tests.support.waiting import eventually

START_SECONDS, WORK_SECONDS, CANCEL_SECONDS, END_SECONDS = 150, 240, 180, 60
# The reading of the file that is cancelled in its midst, once it has begun: its task, and how both stand.
READING = (
    "SELECT task.id, task.lifecycle_status, task_step.lifecycle_status FROM task JOIN task_step ON task.id = task_id "
    "WHERE title = 'endless.txt' AND step_id = '02_parse' AND task_step.started_at IS NOT NULL"
)
WORDS = "The parser reads this page and counts the words of it. " * 20


@dataclass
class Demo:
    """A running demo."""

    process: subprocess.Popen[bytes]
    var: Path

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """What the demo's database answers."""
        with contextlib.closing(sqlite3.connect(self.var / "db.sqlite3", timeout=60)) as database:
            return database.execute(question).fetchall()

    def processes(self) -> list[int]:
        """The live processes that were started with this demo's folder."""
        marked = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"VAR_DIR={self.var}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    marked.append(int(entry.name))
        return marked


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file of each kind, and one that nobody can read."""
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("letter.txt", "notes.md", "code.py"):
        (folder / name).write_text(WORDS, encoding="utf-8")
    (folder / "page.html").write_text(f"<html><body><p>{WORDS}</p></body></html>", encoding="utf-8")
    (folder / "photo.raw").write_bytes(os.urandom(2000))
    writer = PdfWriter()
    for _ in range(3):
        writer.add_blank_page(200, 200)
    writer.write(folder / "empty.pdf")
    return folder


@pytest.fixture
def demo(tmp_path: Path, folder: Path) -> Iterator[Demo]:
    """A demo of that folder, on a port of its own."""
    var = tmp_path / "var"
    told = {"PORT": str(free_port()), "VAR_DIR": str(var), "DEMO_INPUT": str(folder), "DEBUG": "on", "PYTHONPATH": "."}
    environment = {**os.environ, **told, "DATABASE_URL": "", "REDIS_URL": "", "REALTIME_TRANSPORT": "sse"}
    environment |= {"DJANGO_SETTINGS_MODULE": "taskstatus.config.settings", "PIPELINE_SECONDS_PER_PAGE": "0.05"}
    with (tmp_path / "output").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "scripts/demo.py"], cwd=BASE_DIR, env=environment, stdout=output, stderr=output
        )
    running = Demo(process, var)
    try:
        yield running
    finally:
        for pid in running.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()


def ask_to_cancel(document: dict[str, Any], task_id: str) -> None:
    """Ask as the person who owns the task, with the page's own login."""
    login = next(user for user in document["users"] if user["role"] == "user")
    browser = requests.Session()
    browser.get(f"{document['url']}login", timeout=END_SECONDS)
    form = {"username": login["username"], "password": login["password"]}
    form["csrfmiddlewaretoken"] = browser.cookies["csrftoken"]
    browser.post(f"{document['url']}login", data=form, timeout=END_SECONDS).raise_for_status()
    token = {"X-CSRFToken": browser.cookies["csrftoken"]}
    path = f"{document['url']}api/v1/tasks/{task_id}:requestCancel"
    browser.post(path, headers=token, json={"reason": "Too long."}, timeout=END_SECONDS).raise_for_status()


@pytest.mark.timeout(START_SECONDS + 2 * WORK_SECONDS + CANCEL_SECONDS + 2 * END_SECONDS)
def test_real_files_are_processed_and_all_of_it_ends(demo: Demo, folder: Path):
    told = demo.var / "demo.json"
    eventually(told.exists, START_SECONDS)
    document = json.loads(told.read_text(encoding="utf-8"))
    assert {user["role"] for user in document["users"]} == {"user", "operator", "admin"}
    assert all(Path(f"/proc/{service['pid']}").exists() for service in document["services"])

    def everything_was_shown() -> bool:
        ended = dict(demo.rows("SELECT lifecycle_status, COUNT(*) FROM task GROUP BY 1"))
        retried = demo.rows("SELECT COUNT(*) FROM task_step WHERE attempt = 2 AND lifecycle_status = 'SUCCEEDED'")
        found = demo.rows("SELECT COUNT(*) FROM task_step WHERE is_dynamic AND lifecycle_status = 'SUCCEEDED'")
        kinds = (ended.get("SUCCEEDED", 0) >= 5, ended.get("FAILED", 0) >= 1, retried[0][0] > 0, found[0][0] > 0)
        return all(kinds)

    eventually(everything_was_shown, WORK_SECONDS)
    assert demo.rows("SELECT DISTINCT failure_code FROM task WHERE lifecycle_status = 'FAILED'") == [
        ("UNSUPPORTED_FILE_FORMAT",)
    ]
    # Far more pages than the next beat leaves time for.
    (folder / "endless.txt").write_text(WORDS * 9000, encoding="utf-8")
    eventually(lambda: demo.rows(READING), WORK_SECONDS)
    ((task_id, *_),) = demo.rows(READING)
    ask_to_cancel(document, task_id)
    eventually(lambda: demo.rows(READING) == [(task_id, "CANCELLED", "CANCELLED")], CANCEL_SECONDS)
    demo.process.send_signal(signal.SIGTERM)
    assert demo.process.wait(END_SECONDS) == 0
    eventually(lambda: demo.processes() == [])
    assert not told.exists()
