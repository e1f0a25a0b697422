"""Loaders that run at once end in one row each, and none of them fails."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import OperationalError, connection

from registries.exchange import retry
from registries.exchange.load import load_definitions
from registries.models import DefinitionScope, OperationDefinition, StatusDefinition, StatusDefinitionSet
from registries.problems import DefinitionsRefusedError
from tests.registries.support import file, operation, schema, status_set

LOADERS = 4
WAIT_SECONDS = 120

pytestmark = pytest.mark.django_db(transaction=True)


def race(contents: list[bytes]) -> list[str]:
    """What each loader says at last: the kinds of change, or that it was refused."""
    start = Barrier(len(contents))

    def run(content: bytes) -> str:
        try:
            start.wait(WAIT_SECONDS)
            return ",".join(sorted({str(step.change) for step in load_definitions(content).steps}))
        except DefinitionsRefusedError:
            return "refused"
        finally:
            connection.close()

    with ThreadPoolExecutor(len(contents)) as pool:
        return [future.result(WAIT_SECONDS) for future in [pool.submit(run, content) for content in contents]]


def test_the_same_new_file_at_once():
    content = file(schemas=[schema()], sets=[status_set()], operations=[operation()])
    said = Counter(race([content] * LOADERS))
    assert said == {"created": 1, "unchanged": LOADERS - 1}
    assert DefinitionScope.objects.count() == 1
    assert OperationDefinition.objects.count() == 1
    assert StatusDefinitionSet.objects.count() == 1
    assert StatusDefinition.objects.count() == 3


def test_two_contents_for_one_version_at_once():
    contents = [file(operations=[operation(maxAttempts=number)]) for number in range(1, LOADERS + 1)]
    said = Counter(race(contents))
    assert said == {"created": 1, "refused": LOADERS - 1}
    assert OperationDefinition.objects.count() == 1


def test_two_versions_at_once():
    contents = [file(operations=[operation(version=number)]) for number in range(1, LOADERS + 1)]
    assert race(contents) == ["created"] * LOADERS
    assert OperationDefinition.objects.count() == LOADERS


@pytest.fixture
def conflicts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Errors that locking the scope meets before it succeeds."""
    errors: list[int] = []
    renew = DefinitionScope.renew_stamp

    def renew_or_fail(self: DefinitionScope) -> None:
        renew(self)
        if errors:
            raise OperationalError(errors.pop(), "from the server")

    monkeypatch.setattr(DefinitionScope, "renew_stamp", renew_or_fail)
    monkeypatch.setattr(retry, "LONGEST_PAUSE_SECONDS", 0)
    return errors


@pytest.mark.parametrize("errors", [[1213], [1205], [1020], [1213, 1205, 1213]])
def test_a_lock_conflict_is_tried_again(conflicts, errors):
    conflicts.extend(errors)
    report = load_definitions(file(operations=[operation()]))
    assert [step.change for step in report.steps] == ["created"]
    assert OperationDefinition.objects.count() == 1


@pytest.mark.parametrize("errors", [[1213] * 4, [1146]])
def test_other_errors_and_endless_conflicts_are_raised(conflicts, errors):
    conflicts.extend(errors)
    with pytest.raises(OperationalError):
        load_definitions(file(operations=[operation()]))
    assert OperationDefinition.objects.count() == 0
    assert conflicts == []
