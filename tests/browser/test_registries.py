"""The admin of the registries in a real browser: from a draft to a report, a bad draft, another tenant's operator."""

from collections.abc import Iterator

import pytest
from django.db.models import Q
from playwright.sync_api import Browser, Page, expect

from registries.actors import Actor
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.models import DataSchemaDefinition, StatusDefinitionSet
from tests.browser.axe import AXE, findings
from tests.browser.operators import admin_page, operator
from tests.registries.support import SCOPE, TENANT, schema, status, status_set, statuses
from tests.support.cast import Coordinator
from tests.support.definitions import draft_of
from tests.support.server import Server

EVERY_RIGHT = Q(content_type__app_label="registries")


def draft(tenant: str = TENANT, **changes: object) -> StatusDefinitionSet:
    content = draft_of(status_set(**changes))
    row = make_draft(StatusDefinitionSet, content, tenant, SCOPE, Actor("olga", tenant))
    assert isinstance(row, StatusDefinitionSet)
    return row


@pytest.fixture
def page(chromium: Browser, service: Server) -> Iterator[Page]:
    """Return Olga's browser, logged in to the admin."""
    operator("olga", EVERY_RIGHT, TENANT)
    with admin_page(chromium, service, "olga") as page:
        yield page


def visit(page: Page, path: str) -> None:
    page.goto(f"/admin/registries/{path}")


@pytest.mark.accepts("G01")
def test_a_draft_is_written_published_and_used_by_a_report(page: Page, carol: Coordinator) -> None:
    visit(page, "statusdefinitionset/add/")
    page.get_by_label("Authority scope").fill(SCOPE)
    page.get_by_label("Task type").fill("REVIEW")
    for code, lifecycle, follows in (
        ("QUEUED", "PENDING", ""),
        ("READING", "RUNNING", "QUEUED"),
        ("READ", "SUCCEEDED", "READING"),
    ):
        page.get_by_role("button", name="Add a code").click()
        row = page.locator("[data-row]").last
        row.get_by_label("Code", exact=True).fill(code)
        row.get_by_label("Lifecycle").select_option(lifecycle)
        row.get_by_label("May follow").fill(follows)
    page.locator("[data-row]").first.get_by_label("The beginning").check()
    expect(page.locator("#graph svg .box-code")).to_have_text(["QUEUED", "READING", "READ"])
    page.get_by_role("button", name="Save, then publish…").click()
    expect(page.get_by_text("nothing speaks against it")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Published and frozen")).to_be_visible()
    expect(page.locator("#definition-form")).to_have_count(0)

    task = carol.task(taskType="REVIEW")["taskId"]
    answer = carol.report("TASK_STATUS_CHANGED", task, businessStatus="READING")
    assert answer.status == 200
    assert carol.detail(task)["businessStatus"] == "READING"
    page.reload()
    expect(page.get_by_text("bound tasks: 1")).to_be_visible()


@pytest.mark.accepts("G02")
def test_a_bad_draft_says_what_is_wrong_and_where_until_it_is_put_right(page: Page) -> None:
    row = draft()
    visit(page, f"statusdefinitionset/{row.pk}/change/")
    done = page.locator("[data-row]", has=page.locator("[data-row-title]", has_text="DONE"))
    done.get_by_label("May follow").fill("NOWHERE")
    expect(page.get_by_text("There are changes that are not saved.")).to_be_visible()
    page.get_by_role("button", name="Save the draft").click()
    faults = page.get_by_role("region", name="keep this draft from being published")
    expect(faults).to_contain_text("names NOWHERE, which the set lacks; add or remove it")
    page.get_by_role("link", name="Publish…").click()
    expect(page.get_by_text("This can't be done yet:")).to_be_visible()
    expect(page.get_by_role("button", name="Publish", exact=True)).to_have_count(0)
    page.go_back()
    faults.get_by_role("link", name="DONE").first.click()
    done.get_by_label("May follow").fill("PARSING")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_text("Nothing keeps this draft from being published.")).to_be_visible()


def test_the_editor_shows_the_fault_at_its_line_and_lets_the_keyboard_leave(page: Page) -> None:
    content = draft_of(schema())
    row = make_draft(DataSchemaDefinition, content, TENANT, SCOPE, Actor("olga", TENANT))
    visit(page, f"dataschemadefinition/{row.pk}/change/")
    area = page.get_by_label("JSON Schema")
    expect(page.locator("#field-schema .j-key").first).to_have_text('"type"')
    area.fill('{\n  "type": "object",\n  "properties": {\n    "a" 1\n  }\n}')
    expect(page.locator("#field-schema .bad-number")).to_have_text("4")
    expect(area).to_have_attribute("aria-invalid", "true")
    area.fill("{}")
    expect(area).to_have_attribute("aria-invalid", "false")
    area.press("Home")
    area.press("Tab")
    expect(area).to_have_value("  {}")
    expect(area).to_be_focused()
    area.press("Escape")
    area.press("Tab")
    expect(area).not_to_be_focused()


@pytest.mark.accepts("S13")
def test_an_operator_of_another_tenant_sees_their_own_alone(chromium: Browser, page: Page, service: Server) -> None:
    ours, theirs = draft(), draft("globex", taskType="GLOBEX_WORK")
    visit(page, "statusdefinitionset/")
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    expect(page.get_by_role("link", name="DOCUMENT_PROCESS")).to_be_visible()
    operator("mallory", EVERY_RIGHT, "globex")
    with admin_page(chromium, service, "mallory") as other:
        visit(other, "statusdefinitionset/")
        expect(other.locator("#result_list tbody tr")).to_have_count(1)
        expect(other.get_by_role("link", name="GLOBEX_WORK")).to_be_visible()
        for pk, code in ((ours.pk, 404), (theirs.pk, 200)):
            answer = other.goto(f"/admin/registries/statusdefinitionset/{pk}/change/")
            assert answer is not None
            assert answer.status == code


@pytest.mark.accepts("G07")
def test_a_scope_is_exported_changed_looked_at_and_imported(page: Page) -> None:
    row = draft()
    visit(page, f"definitionscope/{row.scope_id}/change/")
    with page.expect_download() as told:
        page.get_by_role("link", name="Export as a file").click()
    text = told.value.path().read_text(encoding="utf-8")
    page.get_by_role("link", name="Import a file").click()
    page.get_by_label("or its text").fill(text.replace("version: 1", "version: 2"))
    page.get_by_role("button", name="Show what it would change").click()
    expect(page.get_by_text("DOCUMENT_PROCESS v2")).to_be_visible()
    assert StatusDefinitionSet.objects.count() == 1
    page.get_by_role("button", name="Load all of it").click()
    expect(page.get_by_text("1 definition was changed.")).to_be_visible()
    assert StatusDefinitionSet.objects.count() == 2


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_its_screen(page: Page, width: int, scheme: str) -> None:
    row = draft()
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    pages = [f"statusdefinitionset/{row.pk}/{name}/" for name in ("change", "publish", "history", "compare", "try")]
    for path in ["statusdefinitionset/", "definitionscope/import/", *pages]:
        visit(page, path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make setup-js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_those_who_look_after_definitions(page: Page, scheme: str) -> None:
    row = draft(statuses=[*statuses(), status("LOST")])
    old = publish_definition(draft(version=2), Actor("olga", TENANT))
    content = draft_of(schema())
    data = make_draft(DataSchemaDefinition, content, TENANT, SCOPE, Actor("olga", TENANT))
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    sets = [f"statusdefinitionset/{row.pk}/{name}/" for name in ("change", "publish", "history", "compare", "try")]
    others = ["statusdefinitionset/", f"statusdefinitionset/{old.pk}/change/", "definitionscope/import/"]
    found = {}
    for path in [*sets, *others, f"dataschemadefinition/{data.pk}/change/", f"definitionscope/{row.scope_id}/change/"]:
        visit(page, path)
        found[path] = findings(page)
    assert {path: faults for path, faults in found.items() if faults} == {}
