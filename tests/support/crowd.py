"""Callers that act at the same moment: each a process of its own, with a connection of its own."""

import multiprocessing
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from typing import Any, Generic, TypeVar, cast

from django.db import connection, connections
from django.urls import get_resolver

T = TypeVar("T")

START_SECONDS = 60
# A child takes everything that is loaded with it, so that eight of them start in a moment.
_FORK = multiprocessing.get_context("fork")


def together(calls: Sequence[Callable[[], T]], *, seconds: float = 120) -> list[T]:
    """Release all calls by one barrier and return their results in order; fail if one raised or took too long."""
    connections.close_all()  # a socket that two processes share mixes answers
    assert get_resolver().url_patterns  # loads all views now, and not once in every child
    start = _FORK.Barrier(len(calls))
    members = [_Member(call, start) for call in calls]
    try:
        return [member.result(seconds) for member in members]
    finally:
        for member in members:
            member.end()


class _Member(Generic[T]):
    """One call in its process."""

    def __init__(self, call: Callable[[], T], start: Barrier) -> None:
        self._answers, given = _FORK.Pipe(duplex=False)
        self._process: BaseProcess = _FORK.Process(target=_act, args=(call, start, given), daemon=True)
        self._process.start()
        given.close()

    def result(self, seconds: float) -> T:
        """What the call returned."""
        assert self._answers.poll(seconds), f"a racing process gave no answer within {seconds} s"
        succeeded, value = self._answers.recv()
        assert succeeded, value
        return cast("T", value)

    def end(self) -> None:
        """Leave no process behind."""
        self._process.join(30)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(5)
        self._answers.close()


def _act(call: Callable[[], Any], start: Barrier, answers: "Connection") -> None:
    try:
        connection.ensure_connection()
        start.wait(START_SECONDS)
        answers.send((True, call()))
    except BaseException:  # noqa: BLE001 - whatever it is, the parent shall tell it
        answers.send((False, traceback.format_exc()))
    finally:
        connections.close_all()
