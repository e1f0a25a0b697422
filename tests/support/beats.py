"""Heartbeats as workers send them, many in one request."""

from typing import Any

from tests.support.api import Api, service_api
from tests.support.cast import Worker

PATH = "/task-heartbeats:batch"


def beat(worker: Worker, heartbeat_seq: int = 1, **members: Any) -> dict[str, Any]:
    """A beat of the worker's execution, by its handle or its token; `None` leaves a member out."""
    proof = "executionHandle" if worker.handle else "executionToken"
    body = {"executionId": worker.context["executionId"], "heartbeatSeq": heartbeat_seq, proof: worker.context[proof]}
    return {name: value for name, value in {**body, **members}.items() if value is not None}


def send(*beats: dict[str, Any], api: Api | None = None) -> dict[str, Any]:
    """The answer to a batch of these beats, sent by producer `worker-a` unless another calls."""
    return (api or service_api("worker-a", "worker")).post(PATH, {"heartbeats": list(beats)}).ok()


def results(*beats: dict[str, Any], api: Api | None = None) -> list[dict[str, Any]]:
    """What became of each of these beats."""
    found: list[dict[str, Any]] = send(*beats, api=api)["results"]
    return found


def verdicts(*beats: dict[str, Any], api: Api | None = None) -> list[str]:
    """ACCEPTED, DUPLICATE or the reason, for each of these beats."""
    return [_verdict(item) for item in results(*beats, api=api)]


def _verdict(item: dict[str, Any]) -> str:
    reason: str | None = item["reason"]
    assert item["accepted"] == (reason is None), item
    return reason or ("DUPLICATE" if item["duplicate"] else "ACCEPTED")
