"""What the server did for this process's connection: rows that it read, statements that it ran."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from django.db import connection

_ASKED = "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read%' OR Variable_name = 'Questions'"


@dataclass(slots=True)
class Work:
    """What a block of code took; `rows` counts each reading of a row or of a key, also of one that is not there."""

    rows: int = 0
    statements: int = 0
    seconds: float = 0.0


@contextmanager
def counted() -> Iterator[Work]:
    """Count what the block has the server do; what the counting itself does is left out."""
    work = Work()
    first = _status()
    before = _status()
    begun = perf_counter()
    yield work
    work.seconds = perf_counter() - begun
    after = _status()
    work.rows = after.rows - before.rows - (before.rows - first.rows)
    work.statements = after.statements - before.statements - (before.statements - first.statements)


def _status() -> Work:
    with connection.cursor() as cursor:
        cursor.execute(_ASKED)
        values = {name: int(value) for name, value in cursor.fetchall()}
    statements = values.pop("Questions")
    return Work(sum(values.values()), statements)
