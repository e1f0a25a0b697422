"""Executions that run at once, each on a task of its own, and the reports that their workers send."""

import itertools
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bench.environment import SCOPE, TENANT, WORKER
from taskstatus.commands.executions import ActivateStep
from taskstatus.commands.tasks import CreateWorkflow
from taskstatus.domain.lifecycle import Role
from taskstatus.identity.principals import Service
from taskstatus.services.activate_step import activate_step
from taskstatus.services.create_workflow import create_workflow

Body = dict[str, Any]

REPORTS_PER_EXECUTION = 20
_COORDINATOR = Service(TENANT, SCOPE, "bench-coordinator", frozenset({Role.COORDINATOR, Role.BUSINESS}))
_STEPS = [
    {"stepId": "parse", "operationCode": "BENCH.PARSE"},
    {"stepId": "store", "operationCode": "BENCH.STORE", "dependsOn": ["parse"]},
]


@dataclass(slots=True)
class Execution:
    """An execution of step `parse`, which numbers the reports of its worker."""

    task_id: str
    execution_id: str
    token: str
    handle: str
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def next_report(self) -> Body:
        """The next report as a worker sends it: a start, progress in two phases by turns, and a completion.

        Another phase than the last one makes every progress a version (ruling 35).
        """
        number = next(self._numbers)
        report = {
            "eventId": f"evt-{secrets.token_hex(10)}",
            "sourceSeq": number,
            "taskId": self.task_id,
            "stepId": "parse",
            "occurredAt": "2026-01-01T12:00:00.000Z",
        }
        if number == 1:
            return report | {"eventType": "STEP_STARTED", "businessStatus": "PARSING"}
        data = {"schema": "page.progress.v1", "value": {"page": number, "language": "en"}}
        if number == REPORTS_PER_EXECUTION:
            ended = {"eventType": "STEP_COMPLETED", "businessStatus": "PARSED", "durationMs": 12_000}
            return report | ended | {"data": data}
        return report | {
            "eventType": "STEP_PROGRESS",
            "progressSeq": number,
            "progress": {"current": number, "total": REPORTS_PER_EXECUTION, "unit": "page"},
            "phaseCode": ("READ", "PARSE")[number % 2],
            "data": data,
        }


class Fleet:
    """Executions that report by turns, so that any `width` reports in a row are of distinct tasks."""

    def __init__(self, width: int) -> None:
        """Nothing is created before the first report is taken."""
        self._width = width
        self._stream = self._reports()

    def take(self, count: int) -> list[tuple[Execution, Body]]:
        """The next reports, in the order in which they have to arrive."""
        return list(itertools.islice(self._stream, count))

    def _reports(self) -> Iterator[tuple[Execution, Body]]:
        while True:
            executions = new_executions(self._width)
            for _ in range(REPORTS_PER_EXECUTION):
                for execution in executions:
                    yield execution, execution.next_report()


def new_executions(count: int, owner_id: str = "alice") -> list[Execution]:
    """Create tasks of one workflow and activate the first step of each."""
    tasks = [
        {
            "clientTaskKey": f"task-{number}",
            "title": "Parse the contract of the new supplier",
            "taskType": "BENCH_DOCUMENT",
            "productId": "bench",
            "knownSteps": _STEPS,
        }
        for number in range(count)
    ]
    body = {"clientWorkflowKey": secrets.token_hex(8), "ownerId": owner_id, "title": "Bench", "initialTasks": tasks}
    created = create_workflow(CreateWorkflow.read(body), _COORDINATOR)
    return [_activated(task.id) for task in created.tasks]


def _activated(task_id: str) -> Execution:
    command = ActivateStep.read({"producerId": WORKER})
    active = activate_step(task_id, "parse", command, _COORDINATOR)
    assert active.step.execution_id is not None
    return Execution(task_id, active.step.execution_id, active.credentials.token, active.credentials.handle)
