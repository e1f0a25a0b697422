"""The history is read by its indexes, newest first, without sorting."""

import pytest

from registries.actors import Actor
from registries.editing.make_draft import make_draft
from registries.editing.save_draft import save_draft
from registries.history import history_of, history_of_scope
from registries.models import OperationDefinition
from tests.registries.support import SCOPE, TENANT, Row, operation
from tests.support.definitions import draft_of
from tests.support.plans import analyze, capturing

CHANGES = 40
ALICE = Actor("alice")

pytestmark = pytest.mark.django_db(transaction=True)


def content(number: int, attempts: int = 1) -> Row:
    return draft_of(operation(f"OPS.N{number}", maxAttempts=attempts))


@pytest.mark.usefixtures("row_locks")
def test_each_index_serves_the_query_that_it_is_named_for():
    rows = [make_draft(OperationDefinition, content(number), TENANT, SCOPE, ALICE) for number in range(3)]
    for attempts in range(2, CHANGES):
        save_draft(rows[0], content(0, attempts), ALICE)
    make_draft(OperationDefinition, content(0), TENANT, "other", ALICE)
    analyze("definition_change")
    with capturing() as statements:
        assert len(history_of(rows[1])) == 1
        assert len(history_of_scope(rows[0].scope, most=5)) == 5
    for statement, index in zip(statements, ("definition_change_row_idx", "definition_change_scope_idx"), strict=True):
        access = statement.access("definition_change")
        assert access["key"] == index, statement.plan()
        assert "filesort" not in (access["extra"] or ""), statement.plan()
