"""Registries that operators run: made, judged, remembered and carried (G01, G02, G04, G06-G08)."""

from collections.abc import Callable

import pytest
import yaml

from registries.actors import Actor
from registries.editing.contents import content_of
from registries.editing.copy_definition import copy_definition
from registries.editing.delete_draft import delete_draft
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.editing.save_draft import save_draft
from registries.exchange.export import export_definitions
from registries.exchange.load import load_definitions
from registries.history import history_of
from registries.models import DataSchemaDefinition, DefinitionScope, StatusDefinitionSet
from registries.problems import DefinitionsRefusedError
from registries.resolver import forget
from tests.support.definitions import define, draft_of, operation, status, status_set
from tests.support.papers import CODES, PAGES, READ, SCOPE, TENANT

pytestmark = pytest.mark.django_db(transaction=True)

ALICE = Actor("alice", TENANT)


def problems_of(call: Callable[[], object]) -> list[str]:
    with pytest.raises(DefinitionsRefusedError) as caught:
        call()
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.accepts("G01")
def test_a_set_is_drafted_published_frozen_and_copied(carol):
    """A draft binds nothing, a published set binds and is frozen, a copy is the next draft."""
    draft = make_draft(StatusDefinitionSet, draft_of(status_set(*CODES[:1])), TENANT, SCOPE, ALICE)
    draft = save_draft(draft, draft_of(status_set(*CODES)), ALICE)
    forget()
    assert carol.detail(carol.task(taskType="PAPER")["taskId"])["statusDefinitionVersion"] is None
    first = publish_definition(draft, ALICE)
    forget()
    assert carol.detail(carol.task(taskType="PAPER")["taskId"])["businessStatus"] == "NEW"
    (said,) = problems_of(lambda: save_draft(first, draft_of(status_set(*CODES[:2])), ALICE))
    assert "is published and frozen" in said
    second = copy_definition(first, ALICE)
    assert content_of(second) == content_of(first) | {"version": 2}
    assert (second.state, StatusDefinitionSet.objects.get(version=1).state) == ("draft", "published")


@pytest.mark.accepts("G02")
@pytest.mark.parametrize(
    ("codes", "said"),
    [
        (
            [*CODES, status("LOST", "FAILED", "TASK")],
            "allowedFrom (PAPER v1, LOST): lets no task come here",
        ),
        (
            [*CODES, status("AGAIN", "RUNNING", "TASK", allowedFrom=["NEVER"])],
            "allowedFrom (PAPER v1, AGAIN): names NEVER, which the set lacks; add or remove it",
        ),
        (
            [*CODES[:2], CODES[2] | {"lifecycle": "RUNNING", "terminal": True}],
            "terminal (PAPER v1, DONE): contradicts RUNNING; leave it out, or say false",
        ),
        ([*CODES, CODES[1]], "statuses (PAPER v1, READING): define READING 2 times for TASK; keep one"),
        (
            [*CODES, status("STUCK", "RUNNING", "TASK", allowedFrom=["READING"])],
            "code (PAPER v1, STUCK): leads nowhere",
        ),
    ],
    ids=["unreachable", "unknown", "terminal", "alike", "dead-end"],
)
def test_publishing_refuses_a_set_that_no_task_could_live_in(codes, said):
    """By the file and one by one alike; the message names the row and says what to do."""
    row = status_set(*codes)

    def publish() -> None:
        publish_definition(make_draft(StatusDefinitionSet, draft_of(row), TENANT, SCOPE, ALICE), ALICE)

    for way in (lambda: define(sets=[row]), publish):
        found = problems_of(way)
        assert any(said in problem for problem in found), found
    assert not StatusDefinitionSet.objects.filter(state="published").exists()


@pytest.mark.accepts("G04")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": {"type": "text"}}, "schema.type (pages.v1): is no valid JSON Schema"),
        ({"schema": {"$ref": "https://example.org/s"}}, "schema.$ref (pages.v1): leaves the document"),
        ({"views": {"TASK_DETAIL": ["other"]}}, "views.TASK_DETAIL (pages.v1): names 'other', which the schema's"),
        ({"views": {"EVERYBODY": ["pages"]}}, "views.EVERYBODY (pages.v1): "),
        ({"masks": {"other": "HASH"}}, "masks.other (pages.v1): is a member that the schema's properties lack"),
        ({"maxBytes": 0}, "maxBytes (pages.v1): is 0; choose 1 to 65536"),
        (
            {"schema": {"properties": {"pages": {"pattern": "(a+)+$"}}}},
            "schema.properties.pages.pattern (pages.v1): the pattern '(a+)+$' could run away",
        ),
    ],
    ids=["no-schema", "outside", "view", "audience", "mask", "size", "run-away"],
)
def test_publishing_judges_the_data_schema_itself(changes, said):
    """Each fault is named with its place and the schema; nothing is published."""

    def publish() -> None:
        publish_definition(make_draft(DataSchemaDefinition, PAGES | changes, TENANT, SCOPE, ALICE), ALICE)

    found = problems_of(publish)
    assert any(problem.startswith(said) for problem in found), found
    assert not DataSchemaDefinition.objects.filter(state="published").exists()


@pytest.mark.accepts("G06")
def test_it_is_known_who_changed_what_and_what_was_in_use_stays(carol):
    """Each change has its actor, time and difference; only the draft can be deleted."""
    draft = make_draft(StatusDefinitionSet, draft_of(status_set(*CODES[:1])), TENANT, SCOPE, ALICE)
    draft = save_draft(draft, draft_of(status_set(*CODES)), Actor("bob"))
    row = publish_definition(draft, ALICE)
    forget()
    carol.task(taskType="PAPER")
    told = [(past.change.actor, past.change.action, [d.path for d in past.differences]) for past in history_of(row)]
    assert told[:2] == [
        ("alice", "published", []),
        ("bob", "updated", ["statuses[READING]", "statuses[DONE]"]),
    ]
    assert (told[2][0], told[2][1]) == ("alice", "created")
    assert all(past.change.changed_at for past in history_of(row))
    (said,) = problems_of(lambda: delete_draft(row, ALICE))
    assert "is published and frozen" in said
    delete_draft(copy_definition(row, ALICE), ALICE)
    assert [one.version for one in StatusDefinitionSet.objects.all()] == [1]


@pytest.mark.accepts("G07")
def test_one_file_carries_a_scope_and_is_taken_whole_or_not_at_all():
    """One bad row and nothing is loaded; else the export of what was loaded is the file."""
    define(schemas=[PAGES], sets=[status_set(*CODES)], operations=[READ])
    text = export_definitions(TENANT, SCOPE)
    assert {step.change for step in load_definitions(text.encode()).steps} == {"unchanged"}
    content = yaml.safe_load(text)
    content["tenant"] = "other"
    content["operations"].append(operation(heartbeatTimeoutSeconds=1))
    (said,) = problems_of(lambda: load_definitions(yaml.safe_dump(content).encode()))
    assert said.startswith("operations[1].heartbeatTimeoutSeconds (OPS.RUN v1): is 1, under three intervals")
    assert not DefinitionScope.objects.filter(tenant_id="other").exists()
    del content["operations"][1]
    assert {step.change for step in load_definitions(yaml.safe_dump(content).encode()).steps} == {"created"}
    assert export_definitions("other", SCOPE) == text.replace(f"tenant: {TENANT}", "tenant: other")


@pytest.mark.accepts("G08")
@pytest.mark.parametrize(
    "presentation",
    [
        {"colorToken": "<b>red</b>"},
        {"iconKey": "<img src=x onerror=alert(1)>"},
        {"labelKey": "javascript:alert(1)"},
        {"colorToken": "#ff0000"},
        {"html": "b"},
        {"style": "red"},
    ],
)
def test_presentation_takes_tokens_and_keys_only(presentation):
    """Markup, scripts, colours and unknown members are refused by name."""
    row = status_set(*CODES[:2], CODES[2] | {"presentation": presentation})
    ((member, _),) = presentation.items()
    found = problems_of(lambda: define(sets=[row]))
    assert [problem.partition(":")[0] for problem in found] == [
        f"statusSets[0].statuses[2].presentation.{member} (PAPER v1, DONE)"
    ]
