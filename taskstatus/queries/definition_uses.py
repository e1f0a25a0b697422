"""How much is bound to definitions: counted up to a thousand, by index, in one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from registries.kinds import DefinitionRow
from registries.models import OperationDefinition, StatusDefinitionSet
from taskstatus.models import Step, Task

MOST_COUNTED: Final = 1_000
# What one compound SELECT may have on every database.
MOST_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class UseCount:
    """How many tasks or executions are bound; `is_more` says that counting stopped there."""

    count: int
    is_more: bool = False

    def __str__(self) -> str:
        return f"{self.count}+" if self.is_more else str(self.count)


def uses_of(rows: Sequence[DefinitionRow]) -> list[UseCount]:
    """Of each status set the tasks bound to it, of each operation the step attempts, planned ones too; else nothing.

    One query for up to 200 definitions. A set's scope should be loaded with it.
    """
    counted: list[UseCount] = []
    for start in range(0, len(rows), MOST_AT_ONCE):
        counted += _counted([_bound_to(row) for row in rows[start : start + MOST_AT_ONCE]])
    return counted


def _bound_to(row: DefinitionRow) -> "QuerySet[Any]":
    match row:
        case StatusDefinitionSet():
            return Task.objects.filter(
                tenant_id=row.scope.tenant_id,
                authority_scope=row.scope.authority_scope,
                task_type=row.task_type,
                status_definition_version=row.version,
            )
        case OperationDefinition():
            return Step.objects.filter(operation_definition_id=row.pk)
        case _:
            return Task.objects.none()


def _counted(found: Sequence["QuerySet[Any]"]) -> list[UseCount]:
    """Each query's rows, counted until one more than is told is found."""
    counts = dict.fromkeys(range(len(found)), 0)
    parts: list[str] = []
    values: list[Any] = []
    for number, rows in enumerate(found):
        if not rows.query.is_empty():
            sql, parameters = rows.order_by().values("pk")[: MOST_COUNTED + 1].query.sql_with_params()
            parts.append(f"SELECT {number}, COUNT(*) FROM ({sql}) AS bound_{number}")  # noqa: S608 - all of it is ours
            values += parameters
    if parts:
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts), values)
            counts |= dict(cursor.fetchall())
    return [UseCount(min(count, MOST_COUNTED), count > MOST_COUNTED) for count in counts.values()]
