"""Calls to every path of the document with right addresses and credentials, so that only what is varied is wrong."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlencode

from django.test import Client

from tests.support.api import Answer, Api, answer, fresh, service_api, user_api
from tests.support.bad_bodies import BadBody
from tests.support.cast import ALICE, coordinator, step_body
from tests.support.openapi import Operation, check, operations

_OWN: Final[Any] = object()
# What required query parameters are sent as, unless a test says otherwise.
QUERY: Final = {"refType": "DOCUMENT", "refValue": "4711", "authorityScope": "content-platform"}


def guarded() -> list[Operation]:
    """Every operation that needs a credential."""
    return [operation for operation in operations() if operation.described["security"] != [{}]]


@dataclass
class Calls:
    """A running task with everything that paths name, and a caller of each kind."""

    values: dict[str, str]
    services: Api
    worker: Api
    execution: Api
    user: Api

    @classmethod
    def prepared(cls) -> Self:
        """Alice's workflow with one task, whose first step runs and whose second waits."""
        carol = coordinator()
        task = carol.task(step_body(), step_body("s2"))
        worker = carol.worker(task["taskId"])
        started = worker.started()
        values = {
            "workflowId": task["workflowId"],
            "taskId": task["taskId"],
            "stepId": "s2",
            "executionId": worker.context["executionId"],
            "eventId": started["eventId"],
            "principalType": "USER",
            "principalId": "bob",
            "refType": "DOCUMENT",
            "refValue": fresh("doc"),
            "lease": "0" * 64,
        }
        return cls(values, carol.api, service_api("worker-a", "worker"), worker.api, user_api(ALICE))

    def token(self, operation: Operation) -> str:
        """A token that may call this operation."""
        caller = self.user if {"userToken": []} in operation.described["security"] else self.services
        caller = {
            "renewCredentials": self.worker,
            "renewLeases": self.worker,
            "reportEvent": self.execution,
            "reportEvents": self.execution,
        }.get(operation.name, caller)
        assert caller.token is not None
        return caller.token

    def send(
        self,
        name: str,
        *,
        body: Any = None,
        raw: bytes | None = None,
        path: Mapping[str, str] | None = None,
        query: str | None = None,
        token: str | None = _OWN,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
        environ: Mapping[str, Any] | None = None,
        foreseen: bool = True,
    ) -> Answer:
        """Call an operation; `path` replaces parts of its address, and the document has to foresee the answer."""
        (operation,) = [o for o in operations() if o.name == name]
        address = operation.path.format_map({**self.values, **(path or {})})
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent = dict(headers or {})
        proof = self.token(operation) if token is _OWN else token
        if proof is not None:
            sent["Authorization"] = proof if token is not _OWN else f"Bearer {proof}"
        asked = right_query(operation) if query is None else query
        response: Any = Client().generic(
            operation.method, f"{address}?{asked}", data, content_type, headers=sent, **dict(environ or {})
        )
        got = answer(response)
        if foreseen:
            check(operation, got.status, got.headers, got.body)
        return got

    def fault(self, name: str, bad: BadBody) -> str | None:
        """What is wrong with the answer to a bad body; None if it was refused as it has to be."""
        try:
            got = self.send(name, raw=bad.body)
        except AssertionError as error:
            return f"{bad.how}: {error}"
        if (got.status, got.code) != (bad.status, bad.code):
            return f"{bad.how}: {got.status} {got.code or got.body} {got.body.get('errors', '')}"
        named = [error["pointer"] for error in got.body.get("errors", ())]
        if len(set(named)) != len(named):
            return f"{bad.how}: named twice in {named}"
        return None if bad.pointer is None or bad.pointer in named else f"{bad.how}: not among {named}"


def right_query(operation: Operation) -> str:
    """The query parameters that the operation can't do without."""
    needed = [p["name"] for p in operation.described.get("parameters", ()) if p["in"] == "query" and p.get("required")]
    return urlencode({name: QUERY[name] for name in needed})
