"""Which status set a task binds to, and what is in it (rulings 8, 9, 33, 37)."""

import pytest

from registries.resolver import registry
from taskstatus.domain.definitions import GENERIC_SET
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle, Severity
from tests.registries.support import SCOPE, TENANT, load, status, status_set, statuses

pytestmark = pytest.mark.django_db


def test_a_task_finds_its_set_again_though_it_was_retired():
    load(sets=[status_set(), status_set(version=2, state="draft")])
    load(sets=[status_set(state="retired"), status_set(version=3)])
    found = registry(TENANT, SCOPE)
    assert found.status_set("DOCUMENT_PROCESS", 1).version == 1
    assert found.named_status_set("DOCUMENT_PROCESS", 1) is None
    assert found.named_status_set("DOCUMENT_PROCESS", 2) is None
    assert found.named_status_set("OTHER", 3) is None
    with pytest.raises(DomainError):
        found.status_set("DOCUMENT_PROCESS", 2)


def test_new_tasks_get_the_newest_published_set():
    load(sets=[status_set(version=2), status_set(version=10), status_set(version=11, state="retired")])
    newest = registry(TENANT, SCOPE).newest_status_set("DOCUMENT_PROCESS")
    assert newest is not None
    assert newest.version == 10
    assert registry(TENANT, SCOPE).newest_status_set("OTHER") is None


def test_an_unclassified_task_has_the_generic_set():
    assert registry(TENANT, SCOPE).status_set(None, None) is GENERIC_SET
    assert registry(TENANT, SCOPE).status_set("DOCUMENT_PROCESS", None) is GENERIC_SET


def test_every_set_has_the_reserved_codes_in_its_own_display():
    own = status("RETRY_WAIT", displayName={"en": "Again soon"}, severity="INFO", allowedFrom=["QUEUED"], order=7)
    load(sets=[status_set(statuses=[*statuses(), own])])
    found = registry(TENANT, SCOPE).status_set("DOCUMENT_PROCESS", 1)
    retry, waiting = (found.get(code, AppliesTo.TASK) for code in ("RETRY_WAIT", "WAITING_USER_ACTION"))
    assert retry is not None
    assert waiting is not None
    assert (retry.display_name, retry.severity, retry.order) == ({"en": "Again soon"}, Severity.INFO, 7)
    assert retry.allowed_from == waiting.allowed_from == {"*"}
    assert retry.lifecycle is waiting.lifecycle is Lifecycle.RUNNING
    assert waiting.display_name == {"en": "Waiting for you"}
    assert found.get("RETRY_WAIT", AppliesTo.STEP) is None
    assert found.initial_code == "QUEUED"


def test_a_code_has_a_meaning_for_tasks_and_another_for_steps():
    codes = [
        *statuses(),
        status("PARSED", allowedFrom=["PARSING"]),
        status("PARSED", "SUCCEEDED", appliesTo=["STEP"]),
        status("PREPARED", "SUCCEEDED", appliesTo=["STEP"]),
        status("END", "FAILED", allowedFrom=["PARSED"]),
    ]
    load(sets=[status_set(statuses=codes)])
    found = registry(TENANT, SCOPE).status_set("DOCUMENT_PROCESS", 1)
    meanings = {
        (code, scope): meaning.lifecycle
        for code in ("PARSED", "PREPARED", "PARSING")
        for scope in AppliesTo
        if (meaning := found.get(code, scope))
    }
    assert meanings == {
        ("PARSED", AppliesTo.TASK): Lifecycle.RUNNING,
        ("PARSED", AppliesTo.STEP): Lifecycle.SUCCEEDED,
        ("PREPARED", AppliesTo.STEP): Lifecycle.SUCCEEDED,
        ("PARSING", AppliesTo.TASK): Lifecycle.RUNNING,
        ("PARSING", AppliesTo.STEP): Lifecycle.RUNNING,
    }
