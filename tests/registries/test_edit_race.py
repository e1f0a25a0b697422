"""Two operators at one draft: one of them is told that the other was faster."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from registries.actors import Actor
from registries.editing.contents import content_of, digest_of
from registries.editing.copy_definition import copy_definition
from registries.editing.delete_draft import delete_draft
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.editing.save_draft import save_draft
from registries.models import DefinitionChange, OperationDefinition
from registries.problems import DefinitionConflictError, DefinitionsRefusedError
from tests.registries.support import SCOPE, TENANT, Row, operation
from tests.support.definitions import draft_of

WAIT_SECONDS = 60
ACTORS = [Actor(name) for name in ("alice", "bob", "carol", "dave")]

pytestmark = pytest.mark.django_db(transaction=True)


def content(**changes: Any) -> Row:
    return draft_of(operation(**changes))


@pytest.fixture
def row() -> OperationDefinition:
    made = make_draft(OperationDefinition, content(), TENANT, SCOPE, ACTORS[0])
    assert isinstance(made, OperationDefinition)
    return made


def race(actions: list[Callable[[], object]]) -> list[str]:
    """What becomes of each action, all of them begun at once."""
    start = Barrier(len(actions))

    def run(action: Callable[[], object]) -> str:
        try:
            start.wait(WAIT_SECONDS)
            action()
        except DefinitionConflictError as error:
            return str(error)
        except DefinitionsRefusedError:
            return "refused"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(actions)) as pool:
        return [future.result(WAIT_SECONDS) for future in [pool.submit(run, action) for action in actions]]


def test_a_draft_is_published_once(row):
    said = race([lambda actor=actor: publish_definition(row, actor) for actor in ACTORS])
    assert said.count("done") == 1
    winner = ACTORS[said.index("done")].name
    told = {words for words in said if words != "done"}
    assert told == {
        f"DOCUMENT.PARSE v1: is published and frozen, last changed by {winner}; copy it to the next version"
    }
    assert DefinitionChange.objects.filter(action="published").count() == 1


def test_what_is_published_is_what_was_seen_or_nothing(row):
    seen = digest_of(row)
    said = race(
        [
            lambda: publish_definition(row, ACTORS[0], seen=seen),
            lambda: save_draft(row, content(maxAttempts=9), ACTORS[1], seen=seen),
        ]
    )
    assert said.count("done") == 1
    now = OperationDefinition.objects.get()
    assert (now.state, now.max_attempts) == (("published", 3) if said[0] == "done" else ("draft", 9))


def test_of_those_who_edit_the_same_all_but_the_first_are_told(row):
    seen = digest_of(row)
    said = race(
        [
            lambda actor=actor, attempts=attempts: save_draft(row, content(maxAttempts=attempts), actor, seen=seen)
            for attempts, actor in enumerate(ACTORS, 7)
        ]
    )
    assert said.count("done") == 1
    assert all("since you opened it" in words for words in said if words != "done")


def test_a_draft_is_published_or_deleted_and_not_both(row):
    said = race([lambda: publish_definition(row, ACTORS[0]), lambda: delete_draft(row, ACTORS[1])])
    assert said.count("done") == 1
    assert OperationDefinition.objects.exists() == (said[0] == "done")


def test_copies_get_versions_of_their_own(row):
    publish_definition(row, ACTORS[0])
    assert race([lambda actor=actor: copy_definition(row, actor) for actor in ACTORS]) == ["done"] * len(ACTORS)
    assert sorted(OperationDefinition.objects.values_list("version", flat=True)) == [1, 2, 3, 4, 5]


def test_one_key_is_made_once(row):
    body = content_of(row) | {"version": 2}
    said = race([lambda actor=actor: make_draft(OperationDefinition, body, TENANT, SCOPE, actor) for actor in ACTORS])
    assert Counter(said) == {"done": 1, "refused": 3}
