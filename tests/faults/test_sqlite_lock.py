"""SQLite has one writer: who waits for it in vain is told that the database is busy (C32)."""

import pytest
from django.db import connection

from tests.support.cast import coordinator
from tests.support.rival import rival
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C32")]


@pytest.fixture
def impatient(transactional_db):
    """Let this connection wait a moment for the lock."""
    if connection.vendor != "sqlite":
        pytest.skip("the other databases lock rows")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    yield
    connection.close()


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_is_told_as_busy_and_changes_nothing():
    worker = coordinator().running()
    event = worker.event("STEP_COMPLETED")
    with rival(), unchanged():
        answer = worker.send(event)
    answer.refused(503, "DATABASE_BUSY")
    assert int(answer.headers["Retry-After"]) >= 1
    assert worker.send(event).ok()["duplicate"] is False
