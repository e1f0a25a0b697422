"""What the errors of each database mean to a use case."""

import pytest
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, ProgrammingError

from taskstatus.services.database_errors import Trouble, trouble_of

MEANINGS = [
    (OperationalError(1213, "Deadlock found when trying to get lock"), Trouble.CONFLICT),
    (OperationalError(1205, "Lock wait timeout exceeded"), Trouble.CONFLICT),
    (OperationalError(1020, "Record has changed since last read"), Trouble.CONFLICT),
    (OperationalError(1317, "Query execution was interrupted"), Trouble.CONFLICT),
    (OperationalError("database is locked"), Trouble.CONFLICT),
    (IntegrityError(1062, "Duplicate entry 'acme-e1' for key 'event_dedup_uk'"), Trouble.DUPLICATE),
    (IntegrityError("UNIQUE constraint failed: task_event_dedup.tenant_id"), Trouble.DUPLICATE),
    (OperationalError(2003, "Can't connect to server"), Trouble.LOST),
    (OperationalError(2006, "Server has gone away"), Trouble.LOST),
    (OperationalError(2013, "Lost connection to server during query"), Trouble.LOST),
    (OperationalError(1927, "Connection was killed"), Trouble.LOST),
    (OperationalError(1040, "Too many connections"), Trouble.LOST),
    (OperationalError(1290, "running with the --read-only option"), Trouble.LOST),
    (OperationalError("unable to open database file"), Trouble.LOST),
    (InterfaceError("connection already closed"), Trouble.LOST),
    (IntegrityError(4025, "CONSTRAINT `task_version_from_one` failed"), None),
    (IntegrityError("CHECK constraint failed: task_version_from_one"), None),
    (ProgrammingError(1146, "Table doesn't exist"), None),
    (DataError(1406, "Data too long for column"), None),
    (OperationalError("no such table: task"), None),
    (OperationalError(), None),
]


@pytest.mark.accepts("C32")
@pytest.mark.parametrize(("error", "meaning"), MEANINGS, ids=lambda value: str(value)[:40])
def test_only_what_a_retry_can_mend_is_tried_again(error, meaning):
    assert trouble_of(error) == meaning
