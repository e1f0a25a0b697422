"""The export is a definitions file that loads without a change."""

from itertools import count
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registries.exchange.export import export_definitions
from registries.exchange.load import load_definitions
from registries.models import DefinitionScope
from tests.registries.support import (
    SCOPE,
    TENANT,
    load,
    operation,
    schema,
    status,
    status_set,
    statuses,
)

WORKED_EXAMPLE = Path(__file__).parents[2] / "examples" / "definitions" / "worked_example.yaml"

pytestmark = pytest.mark.django_db


def exported() -> str:
    return export_definitions(TENANT, SCOPE)


def changes_of_loading_it() -> set[str]:
    return {str(step.change) for step in load_definitions(exported().encode()).steps}


def test_an_empty_scope_is_a_header_with_empty_lists():
    assert yaml.safe_load(export_definitions("nobody", "nothing")) == {
        "apiVersion": "task-status/v1",
        "tenant": "nobody",
        "authorityScope": "nothing",
        "dataSchemas": [],
        "statusSets": [],
        "operations": [],
    }


def test_the_worked_example_comes_back():
    load_definitions(WORKED_EXAMPLE.read_bytes())
    assert changes_of_loading_it() == {"unchanged"}


def test_all_states_come_back():
    load(
        schemas=[schema()],
        sets=[
            status_set(),
            status_set(version=2, state="draft", statuses=[status("A", terminal=True)]),
            status_set(version=3, state="retired"),
        ],
        operations=[
            operation(),
            operation(version=2, state="draft", taskTypePattern="*_X"),
            operation(version=3, state="retired"),
        ],
    )
    content = yaml.safe_load(exported())
    for member in ("operations", "statusSets"):
        states = {row["version"]: row["state"] for row in content[member]}
        assert states == {1: "published", 2: "draft", 3: "retired"}
    assert changes_of_loading_it() == {"unchanged"}


def test_it_loads_into_an_empty_installation():
    load(schemas=[schema()], sets=[status_set(), status_set(version=3, state="retired")], operations=[operation()])
    text = exported().replace(f"tenant: {TENANT}", "tenant: other")
    assert {str(step.change) for step in load_definitions(text.encode()).steps} == {"created"}
    assert export_definitions("other", SCOPE) == text


def test_nulls_inside_a_schema_stay():
    load(schemas=[schema(schema={"properties": {"a": {"const": None, "default": None, "enum": [None, 1, True]}}})])
    assert changes_of_loading_it() == {"unchanged"}
    (row,) = yaml.safe_load(exported())["dataSchemas"]
    assert row["schema"]["properties"]["a"] == {"const": None, "default": None, "enum": [None, 1, True]}


def test_one_scope_shows_nothing_of_another():
    load(operations=[operation()])
    load(operations=[operation("OTHER.ONE")], authorityScope="other")
    assert "OTHER.ONE" not in exported()


def test_nothing_is_written_by_exporting():
    load(operations=[operation()])
    stamp = DefinitionScope.objects.get().stamp
    exported()
    assert DefinitionScope.objects.get().stamp == stamp


TENANTS = count()
TEXT = st.text(
    st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from("1e5.0:-#'\"{}[]&*!|>%@`"),
    min_size=1,
    max_size=20,
)
NUMBER = st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(name=TEXT, value=JSON, member=TEXT, interval=st.floats(0.1, 60), order=st.integers(-(2**31) + 1, 2**31 - 1))
def test_any_content_comes_back(name, value, member, interval, order):
    tenant = f"t-{next(TENANTS)}"
    codes = [code | {"displayName": {"en": name}, "order": order} for code in statuses()]
    load(
        tenant=tenant,
        schemas=[schema(schema={"properties": {member: {"const": value}}}, views={"TASK_DETAIL": [member]})],
        sets=[status_set(statuses=codes)],
        operations=[operation(progressMinIntervalSeconds=interval, displayName={"zh-Hans": name})],
    )
    text = export_definitions(tenant, SCOPE)
    assert {str(step.change) for step in load_definitions(text.encode()).steps} == {"unchanged"}
