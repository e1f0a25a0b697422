"""Which database errors mean "again", which mean "not now", on each supported database."""

from enum import StrEnum
from typing import Final

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError

from taskstatus.domain.errors import DomainError


class Trouble(StrEnum):
    """What a database error means for the transaction that met it."""

    CONFLICT = "CONFLICT"
    DUPLICATE = "DUPLICATE"
    LOST = "LOST"


# MySQL and MariaDB: deadlock, lock wait timeout, snapshot conflict, statement killed; duplicate key.
_CONFLICT: Final = frozenset({1213, 1205, 1020, 1317})
_DUPLICATE: Final = frozenset({1062})
# Server gone or unreachable, full of connections, or read-only while another takes over.
_LOST: Final = frozenset({2002, 2003, 2006, 2013, 2055, 1053, 1927, 4031, 1040, 1203, 1290, 1836})


def trouble_of(error: DatabaseError | InterfaceError) -> Trouble | None:
    """What the error means; None for one that no retry can mend, which is a fault of ours."""
    number = error.args[0] if error.args and isinstance(error.args[0], int) else None
    text = str(error)
    if isinstance(error, IntegrityError):
        duplicate = number in _DUPLICATE or text.startswith("UNIQUE constraint failed")
        return Trouble.DUPLICATE if duplicate else None
    if number in _CONFLICT or "database is locked" in text or "database table is locked" in text:
        return Trouble.CONFLICT
    if number in _LOST or isinstance(error, InterfaceError):
        return Trouble.LOST
    if isinstance(error, OperationalError) and "unable to open database" in text:
        return Trouble.LOST
    return None


def refusal_of(trouble: Trouble) -> DomainError:
    """What a caller is told of trouble that no further try has mended."""
    if trouble is Trouble.LOST:
        return DomainError("DATABASE_UNAVAILABLE", "The database can't be reached. Nothing was changed; try again.")
    return DomainError("DATABASE_BUSY", "The data is being changed by others. Nothing was changed; try again.")
