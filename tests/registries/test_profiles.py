"""What serves an operation that no definition names (rulings 33, 34)."""

import pytest

from registries.resolver import registry
from taskstatus.domain.definitions import BUILTIN_VERSION
from taskstatus.domain.lifecycle import EventType
from tests.registries.support import SCOPE, TENANT, bind, bound, load, operation

pytestmark = pytest.mark.django_db


def test_the_built_in_profile_serves_what_nothing_defines():
    found = bind("ANYTHING.AT_ALL", None)
    assert found is not None
    assert (found.code, found.version, found.definition_id) == ("ANYTHING.AT_ALL", BUILTIN_VERSION, None)
    assert found.allowed_data_schemas[EventType.STEP_PROGRESS] == {"generic.progress.v1"}


def test_it_serves_an_operation_that_is_defined_for_other_task_types():
    load(operations=[operation(taskTypePattern="DOCUMENT_*")])
    found = bind("DOCUMENT.PARSE", None)
    assert found is not None
    assert found.version == BUILTIN_VERSION


def test_it_can_be_switched_off(settings):
    settings.BUILTIN_PROFILE_OFF = frozenset({(TENANT, SCOPE)})
    assert bind("ANYTHING", None) is None
    assert registry(TENANT, "other").bind_operation("ANYTHING", None) is not None
    assert registry("other", SCOPE).bind_operation("ANYTHING", None) is not None


def test_the_scopes_generic_profile_comes_first(settings):
    settings.BUILTIN_PROFILE_OFF = frozenset({(TENANT, SCOPE)})
    load(operations=[operation("ANY", generic=True, maxAttempts=9), operation()])
    found = bind("TOOL.RUN", None)
    assert found is not None
    assert (found.code, found.max_attempts, found.generic) == ("TOOL.RUN", 9, True)
    assert found.definition_id is not None
    assert bound("DOCUMENT.PARSE", None) == ("*", 1)


def test_the_generic_profile_has_patterns_and_versions_too():
    load(
        operations=[
            operation("ANY", generic=True, version=5),
            operation("ANY", generic=True, taskTypePattern="VIDEO_*", version=1),
            operation("ANY", generic=True, taskTypePattern="VIDEO_*", version=2),
        ]
    )
    assert bound("TOOL.RUN", "VIDEO_EXPORT") == ("VIDEO_*", 2)
    assert bound("TOOL.RUN", "VIDEO_EXPORT", default_version=1) == ("VIDEO_*", 1)
    assert bound("TOOL.RUN", "VIDEO_EXPORT", version=1) == ("VIDEO_*", 1)
    assert bound("TOOL.RUN", None) == ("*", 5)


def test_the_built_in_profile_of_a_code_is_made_once():
    assert bind("TOOL.RUN", None) is registry(TENANT, SCOPE).operation(None, "TOOL.RUN")
