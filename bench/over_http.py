"""Reports over HTTP: one by one, in batches, and the bare view beside them."""

import json
from collections.abc import Iterator

from bench.environment import SCOPE, TENANT, WORKER
from bench.fleet import Body, Execution, Fleet
from bench.load import Load
from bench.servers import Server
from taskstatus.identity.minting import mint_service

CONNECTIONS = 4
_HOUR = 3600


def connect_evenly(load: Load, server: Server) -> None:
    """Open the connections, as many to each worker.

    Left to the kernel they fall to the workers as it happens, for as long as they last, and one that has none is idle.
    """
    workers = server.workers()
    for pid in workers:
        with server.served_by(pid):
            load.connect(server.port, CONNECTIONS // len(workers))


class _Http:
    """Prepared requests for each connection, whose executions are its own."""

    name = ""
    size = 1

    def __init__(self, load: Load, port: int, width: int) -> None:
        """Keep `width` executions going on each connection."""
        self._load, self._port = load, port
        self._fleets = [Fleet(width) for _ in range(CONNECTIONS)]
        self._requests: list[list[bytes]] = []

    def prepare(self, count: int) -> int:
        """Write the requests; every connection gets as many."""
        each = -(-count // (CONNECTIONS * self.size))
        self._requests = [[self._request(fleet) for _ in range(each)] for fleet in self._fleets]
        return each * CONNECTIONS * self.size

    def run(self) -> float:
        """Send them and check that every report became a version."""
        seconds, answers = self._load.send(self._port, self._requests)
        for answer in _flat(answers):
            assert answer.count(b'"committedAt":"') == self.size, answer[:2000]
        return seconds

    def _request(self, fleet: Fleet) -> bytes:
        raise NotImplementedError


class HttpSingle(_Http):
    """One report a request, by execution token."""

    name = "http_single"

    def _request(self, fleet: Fleet) -> bytes:
        ((execution, body),) = fleet.take(1)
        return request("/task-events", execution.token, body)


class DrfView(HttpSingle):
    """The same requests to the bare view."""

    name = "drf_view"


class HttpBatch(_Http):
    """Reports of distinct tasks in one request, by handles."""

    name = "http_batch50"

    def __init__(self, load: Load, port: int, size: int) -> None:
        """Send batches of this size."""
        super().__init__(load, port, size)
        self.size = size

    def _request(self, fleet: Fleet) -> bytes:
        return batch_request(fleet.take(self.size))


def batch_request(reports: list[tuple[Execution, Body]]) -> bytes:
    """The request of a batch, by a service token and handles."""
    events = [body | {"executionHandle": execution.handle} for execution, body in reports]
    token = mint_service(tenant=TENANT, scope=SCOPE, producer_id=WORKER, roles=["worker"], ttl_seconds=_HOUR)
    return request("/task-events:batch", token, {"events": events})


def request(path: str, token: str, body: object) -> bytes:
    """A whole POST as it goes over the wire."""
    content = json.dumps(body, separators=(",", ":")).encode()
    head = (
        f"POST /internal/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def _flat(answers: list[list[bytes]]) -> Iterator[bytes]:
    for of_connection in answers:
        yield from of_connection
