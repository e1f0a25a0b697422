"""A database that fails at a chosen statement, and everything that it holds."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest import mock

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from taskstatus.models import AuditEntry, RefusedReport
from tests.support.unchanged import Rows, stored

COMMIT = "COMMIT"
# A table that can't be written: no retry mends it, so the use case must give up and leave nothing behind.
NUMBER = 1036
LEDGERS: tuple[Any, ...] = (AuditEntry, RefusedReport)
_WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b", re.IGNORECASE)


class Fault:
    """Fails the statement of that place, counted from 1; a commit counts as one."""

    def __init__(self, place: int) -> None:
        self._left = place
        self.hit: str | None = None

    def statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run the statement or fail: a write after it took effect, so that only the rollback can undo it."""
        if not self._is_due():
            return execute(sql, params, many, context)
        if _WRITES.match(sql):
            execute(sql, params, many, context)
        self._fail(sql)
        return None

    def before_commit(self, commit: Any) -> None:
        """Commit or fail."""
        if self._is_due():
            self._fail(COMMIT)
        commit()

    def _is_due(self) -> bool:
        self._left -= 1
        return self._left == 0

    def _fail(self, sql: str) -> None:
        self.hit = sql
        raise OperationalError(NUMBER, "injected")


@contextmanager
def failing_at(place: int) -> Iterator[Fault]:
    """Let this connection fail at one statement, or at a commit."""
    fault = Fault(place)
    backend: Any = connections[DEFAULT_DB_ALIAS]
    with (
        backend.execute_wrapper(fault.statement),
        mock.patch.object(backend, "_commit", partial(fault.before_commit, backend._commit)),
    ):
        yield fault


def everything() -> Rows:
    """Every row of the service's tables, the ledgers and the audit too."""
    ledgers: Rows = {model._meta.db_table: list(model.objects.order_by("pk").values()) for model in LEDGERS}
    return stored() | ledgers
