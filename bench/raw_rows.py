"""What one of our reports leaves behind, read back from the database: the reference writes rows of the same sizes."""

# ruff: noqa: SLF001 - Django documents Model._meta

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import MySQLdb
from django.db import connection, models

from bench.fleet import Execution, new_executions
from outbox.models import OutboxMessage
from taskstatus.commands.events import ReportEvent
from taskstatus.identity import execution_tokens
from taskstatus.models import EventDedup, Step, Task, TaskEvent
from taskstatus.services.accept_events import accept_event

# The database fills them in; the service leaves them to it too.
_MADE_BY_DATABASE = frozenset({"id", "available_at", "created_at"})


@dataclass(frozen=True)
class Written:
    """One inserted row: the columns that are not null, and their values."""

    table: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """The inserted rows of a typical progress report, and the new state of its step as JSON text."""

    event: Written
    dedup: Written
    messages: tuple[Written, Written]
    progress: str
    state_data: str


def running_executions(count: int) -> list[Execution]:
    """Executions whose start was reported."""
    executions = new_executions(count)
    for execution in executions:
        _report(execution)
    return executions


def sample() -> Sample:
    """Let the service accept a start and a progress, and read what the progress wrote."""
    execution = running_executions(1)[0]
    event_id = _report(execution)
    message, detail = OutboxMessage.objects.filter(event_id=event_id).order_by("pk")
    step = Step.objects.get(execution_id=execution.execution_id)
    return Sample(
        _written(TaskEvent.objects.get(task_id=execution.task_id, event_id=event_id)),
        _written(EventDedup.objects.get(event_id=event_id), keep=("created_at",)),
        (_written(message), _written(detail)),
        _stored(step, "progress"),
        _stored(step, "state_data"),
    )


@contextmanager
def connected() -> Iterator[MySQLdb.Connection]:
    """A connection with the options of the service's, and none of Django's machinery."""
    options = connection.get_connection_params()
    raw = MySQLdb.connect(**{name: value for name, value in options.items() if name != "conv"})
    raw.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
    try:
        yield raw
    finally:
        raw.close()


def collation() -> str:
    """The collation of identifiers on this server: a text that is joined with one has to have it."""
    return str(Task._meta.get_field("id").db_parameters(connection)["collation"])


def _report(execution: Execution) -> str:
    report = ReportEvent.read(execution.next_report())
    accept_event(report, execution_tokens.verify(execution.token))
    return report.event_id


def _written(row: models.Model, keep: tuple[str, ...] = ()) -> Written:
    left_out = _MADE_BY_DATABASE.difference(keep)
    columns = [field for field in row._meta.concrete_fields if field.name not in left_out]
    values = {str(f.column): f.get_db_prep_save(getattr(row, f.attname), connection) for f in columns}
    return Written(row._meta.db_table, {name: value for name, value in values.items() if value is not None})


def _stored(row: models.Model, name: str) -> str:
    field = row._meta.get_field(name)
    assert isinstance(field, models.Field)
    return str(field.get_db_prep_save(getattr(row, field.attname), connection))
