"""The coordinator: makes workflows of the files, activates step after step, hands work on, and ends tasks.

It alone decides what comes next; the status service is told, and shows.

    python -m examples.document_pipeline.coordinator
"""

import itertools
import logging
import os
import secrets
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from examples.document_pipeline.ends import end_of, workflow_end
from examples.document_pipeline.files import files_of, title_of
from examples.document_pipeline.settings import Settings
from examples.document_pipeline.status_client import RefusedError, StatusClient
from examples.document_pipeline.work_server import Work, WorkServer, send_work

OWNER: Final = "alice"
BATCH_SIZE: Final = 5
FIRST_PASS: Final = 40
SECONDS_BETWEEN_BATCHES: Final = 8
STEPS: Final = (
    ("01_prepare", "FILE.PREPARE", "file-service", "prepare"),
    ("02_parse", "DOCUMENT.PARSE", "document-parser", "parse"),
    ("03_store", "RESULT.PERSIST", "result-service", "store"),
)
log = logging.getLogger(__name__)


class Coordinator:
    """One run over a folder; every task is followed by a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._status = StatusClient(settings.url, settings.tokens["coordinator"])
        self._answers: dict[str, dict[str, Any]] = {}
        self._answered = threading.Condition()
        self._run = secrets.token_hex(4)
        self.stop = threading.Event()

    def hear(self, work: Work) -> None:
        """Take a worker's word about how its execution ended."""
        with self._answered:
            self._answers[work["executionId"]] = work["outcome"]
            self._answered.notify_all()

    def run(self) -> None:
        """One pass over the folder in batches, then small batches for as long as it runs."""
        files = self._endless_files()
        for number in itertools.count():
            is_first_pass = number * BATCH_SIZE < FIRST_PASS
            batch = list(itertools.islice(files, BATCH_SIZE if is_first_pass else 2))
            if batch:
                self._process(number, batch)
            if self.stop.wait(0 if is_first_pass else SECONDS_BETWEEN_BATCHES):
                return

    def _endless_files(self) -> Iterator[Path]:
        """The folder's files again and again, with those that have come meanwhile."""
        while not self.stop.is_set():
            found = list(files_of(self._settings.input, self._settings.file_bytes))
            if not found:
                log.warning("there is nothing to read in %s", self._settings.input)
                self.stop.wait(SECONDS_BETWEEN_BATCHES)
            yield from found

    def _process(self, number: int, files: list[Path]) -> None:
        workflow = self._status.post(
            "/workflows",
            {
                "clientWorkflowKey": f"batch-{self._run}-{number}",
                "ownerId": OWNER,
                "title": f"Documents, batch {number + 1}",
                "initialTasks": [self._envelope(position, path) for position, path in enumerate(files)]
                + [_catalogue_envelope()],
            },
        )
        *tasks, catalogue = [task["taskId"] for task in workflow["tasks"]]
        with ThreadPoolExecutor(len(tasks)) as pool:
            ends = set(pool.map(end_of(self._follow), tasks, files))
        ends.add(end_of(self._catalogue)(catalogue))
        self._status.post(
            f"/workflows/{workflow['workflowId']}/events",
            {"eventId": f"{self._run}:{number}:end", "eventType": workflow_end(ends)},
        )

    def _envelope(self, position: int, path: Path) -> dict[str, Any]:
        steps = [
            {"stepId": step, "operationCode": operation, "expectedProducer": producer}
            for step, operation, producer, _ in STEPS
        ]
        return {
            "clientTaskKey": f"file-{position}",
            "title": title_of(path),
            "taskType": "DOCUMENT_PROCESS",
            "knownSteps": steps,
        }

    def _follow(self, task_id: str, path: Path) -> str:
        """Take one file through its steps, and say how its task ended."""
        known: dict[str, Any] = {"title": title_of(path), "path": str(path)}
        for step, _, _, role in STEPS:
            outcome = self._step(task_id, step, role, known)
            if "cancelled" in outcome:
                return self._end(task_id, "TASK_CANCELLED", businessStatus="CANCELLED")
            if "failed" in outcome:
                error = outcome["failed"]
                return self._end(task_id, "TASK_FAILED", businessStatus="REJECTED", error=error, failedStepId=step)
            known |= outcome
        return self._end(task_id, "TASK_COMPLETED", businessStatus="COMPLETED")

    def _step(self, task_id: str, step: str, role: str, known: dict[str, Any]) -> dict[str, Any]:
        """Activate the step until an attempt succeeds, its failure is final, or its attempts are used up."""
        for attempt in itertools.count(1):
            context = self._activate(task_id, step, attempt)
            outcome = self._ask(role, {**known, "context": context})
            error = outcome.get("failed")
            if error is None or not error["retryable"] or attempt == 3:
                return outcome
        raise AssertionError("unreachable: the loop returns")

    def _catalogue(self, task_id: str) -> str:
        """The task whose steps are found while it runs; how it ended."""
        plan = self._ask("parse", {"context": self._activate(task_id, "plan", 1)})
        if "failed" in plan:
            return self._end(task_id, "TASK_FAILED", error=plan["failed"], failedStepId="plan")
        outcomes = [plan, *map(self._wait, plan["children"])]
        is_cancelled = any("cancelled" in outcome for outcome in outcomes)
        return self._end(task_id, "TASK_CANCELLED" if is_cancelled else "TASK_COMPLETED")

    def _activate(self, task_id: str, step: str, attempt: int) -> dict[str, Any]:
        body = {"attempt": attempt, "commandId": f"{step}:{attempt}"}
        return self._status.post(f"/tasks/{task_id}/steps/{step}:activate", body)

    def _ask(self, role: str, work: Work) -> dict[str, Any]:
        send_work(self._settings.address(role), {**work, "replyTo": self._settings.address("coordinator")})
        return self._wait(work["context"]["executionId"])

    def _wait(self, execution_id: str) -> dict[str, Any]:
        with self._answered:
            self._answered.wait_for(lambda: execution_id in self._answers)
            outcome = self._answers.pop(execution_id)
        if "refused" in outcome:
            raise RefusedError({"code": outcome["refused"]})
        return outcome

    def _end(self, task_id: str, event_type: str, **members: Any) -> str:
        """End the task; returns by which event."""
        event = {"eventId": f"{task_id}:end", "eventType": event_type, "taskId": task_id, "taskAttempt": 1}
        self._status.post("/task-events", {**event, **members})
        return event_type


def _catalogue_envelope() -> dict[str, Any]:
    return {
        "clientTaskKey": "catalogue",
        "title": "Catalogue of the library",
        "knownSteps": [{"stepId": "plan", "operationCode": "AGENT.RUN", "expectedProducer": "agent-librarian"}],
        "dynamicRegistrationPolicy": {
            "allowedParentOperations": ["AGENT.RUN"],
            "allowedChildOperations": ["SEARCH.*"],
        },
    }


def main() -> None:
    """Run until SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="coordinator: %(message)s")
    settings = Settings.from_environment(os.environ)
    coordinator = Coordinator(settings)
    server = WorkServer(settings.ports["coordinator"], coordinator.hear)
    server.start()
    settings.announce("coordinator")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: coordinator.stop.set())
    worker = threading.Thread(target=coordinator.run, daemon=True)
    worker.start()
    log.info("reading %s", settings.input)
    while worker.is_alive() and not coordinator.stop.wait(0.5):
        pass
    # Threads that wait for a worker's answer would keep the process; what they know is safe with the service.
    os._exit(0)


if __name__ == "__main__":
    main()
