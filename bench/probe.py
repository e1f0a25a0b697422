"""A worker whose every report becomes a version, one at a time and for as long as is wanted."""

import http.client
import json
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from bench.board import Version
from bench.fleet import Execution, new_executions


@dataclass
class Probe:
    """A running execution; `version` is that of its last report."""

    execution: Execution
    number: int = 0
    version: Version = ("", "")

    @classmethod
    def started(cls, port: int, count: int, owner_id: str) -> list[Self]:
        """So many probes on tasks of this owner, each of which has begun."""
        probes = [cls(execution) for execution in new_executions(count, owner_id)]
        for probe in probes:
            probe.report(port)
        return probes

    @property
    def task_id(self) -> str:
        """Its task."""
        return self.execution.task_id

    def report(self, port: int) -> tuple[Version, float]:
        """Report; the version that it became, and when it was committed, in Unix milliseconds."""
        self.number += 1
        receipt = _post(port, self.execution.token, self._event())
        self.version = (self.task_id, receipt["taskVersion"])
        return self.version, datetime.fromisoformat(receipt["committedAt"]).timestamp() * 1000

    def _event(self) -> dict[str, Any]:
        event = {"eventId": f"evt-{secrets.token_hex(10)}", "sourceSeq": self.number}
        if self.number == 1:
            return event | {"eventType": "STEP_STARTED", "businessStatus": "PARSING"}
        progress = {"progressSeq": self.number, "progress": {"current": self.number, "unit": "page"}}
        # Another phase than the last one makes it a version (ruling 35).
        return event | progress | {"eventType": "STEP_PROGRESS", "phaseCode": ("READ", "PARSE")[self.number % 2]}


def _post(port: int, token: str, event: dict[str, Any]) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/internal/v1/task-events", json.dumps(event), headers)
    receipt: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    assert receipt.get("accepted"), receipt
    return receipt
