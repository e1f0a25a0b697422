"""Corrections as requests that are ready to be sent, and may be sent again."""

from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.errors import DomainError
from taskstatus.services.correct_task import correct_task
from tests.faults.reports import Request, with_progress_of_this_moment
from tests.support.api import Answer
from tests.support.cast import Coordinator
from tests.support.corrections import OLGA, stated


def correct_a_task(carol: Coordinator) -> Request:
    return _correction(carol, "FAILED", failureCode="LOST")


def correct_a_step(carol: Coordinator) -> Request:
    return _correction(carol, "FAILED", stepId="s1", failureCode="LOST")


def _correction(carol: Coordinator, lifecycle: str, **members: object) -> Request:
    worker = with_progress_of_this_moment(carol)
    worker.progress(current=2)
    task_id = worker.context["taskId"]
    command = stated(task_id, lifecycle, **members)
    return lambda: _corrected(task_id, command)


def _corrected(task_id: str, command: CorrectTask) -> Answer:
    try:
        correct_task(task_id, command, OLGA)
    except DomainError as error:
        # Sent again, it finds that the task has moved on: by itself.
        if error.code != "VERSION_MISMATCH":
            raise
    return Answer(200, {}, {})
