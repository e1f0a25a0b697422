"""An operator of one tenant sees and edits that tenant only (acceptance S13)."""

import pytest
from django.urls import reverse

from registries.models import DefinitionChange, DefinitionScope, StatusDefinitionSet
from tests.admin.support import KINDS, address, draft, filled_in, list_of, operator, published, text_of
from tests.registries.support import SCOPE, file, schema

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S13")]
ANY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
PAGES = ["change", "history", "delete", "publish", "retire", "copy", "compare", "try"]


@ANY_KIND
def test_lists_filters_and_search_show_the_own_tenant_alone(olga, mallory, root, kind):
    ours, theirs = draft(kind), draft(kind, tenant="globex")
    for client, rows in ((olga, [ours]), (mallory, [theirs]), (root, [ours, theirs])):
        page = client.get(list_of(kind))
        assert {row.pk for row in page.context["cl"].result_list} == {row.pk for row in rows}
        assert {f"{row.scope}" in text_of(page) for row in rows} == {True}
    page = olga.get(list_of(kind), {"scope": theirs.scope_id})
    assert list(page.context["cl"].result_list) == []
    assert "globex" not in text_of(page)


@ANY_KIND
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_another_tenants_is_absent_to_get_and_to_post(mallory, kind, page):
    row = published(kind) if page == "retire" else draft(kind)
    missing = address(row, page).replace(f"/{row.pk}/", f"/{row.pk + 1000}/")
    theirs, none = mallory.get(address(row, page)), mallory.get(missing)
    assert theirs.status_code == none.status_code == 404
    assert mallory.post(address(row, page), {}).status_code == 404
    row.refresh_from_db()
    assert row.state == ("published" if page == "retire" else "draft")


def test_actions_leave_other_tenants_rows_alone(mallory):
    row = draft()
    for action in ("publish_selected", "retire_selected", "copy_selected"):
        act = {"action": action, "_selected_action": [row.pk], "confirmed": "yes"}
        assert mallory.post(list_of(StatusDefinitionSet), act).status_code in {200, 302}
    assert StatusDefinitionSet.objects.get().state == "draft"


def test_a_new_draft_comes_into_the_own_tenant_whatever_the_form_says(mallory):
    new = reverse("admin:registries_dataschemadefinition_add")
    data = filled_in(mallory.get(new), tenant="acme", authorityScope=SCOPE, name="stolen.v1", rows=None)
    mallory.post(new, {key: value for key, value in data.items() if value is not None})
    assert list(DefinitionScope.objects.values_list("tenant_id", flat=True)) == ["globex"]


def test_comparing_takes_no_other_tenants_version(mallory):
    ours, theirs = draft(), draft(tenant="globex")
    page = mallory.get(address(theirs, "compare"), {"before": ours.pk, "after": ours.pk})
    assert page.context["before"] == page.context["after"] == theirs
    assert [one["pk"] for one in page.context["family"]] == [theirs.pk]


def test_the_history_is_the_own_tenants(olga, mallory):
    draft(), draft(tenant="globex")
    page = mallory.get(list_of(DefinitionChange))
    assert [change.scope.tenant_id for change in page.context["cl"].result_list] == ["globex"]
    ours = DefinitionChange.objects.get(scope__tenant_id="acme")
    one = reverse("admin:registries_definitionchange_change", args=[ours.pk])
    assert olga.get(one).status_code == 200
    assert mallory.get(one).status_code == 404


def test_scopes_and_their_export_are_the_own_tenants(olga, mallory):
    scope = draft().scope
    assert text_of(mallory.get(list_of(DefinitionScope))).count(SCOPE) == 0
    for page in ("change", "export"):
        one = reverse(f"admin:registries_definitionscope_{page}", args=[scope.pk])
        assert olga.get(one).status_code == 200
        assert mallory.get(one).status_code == 404


def test_a_file_of_another_tenant_is_neither_compared_nor_loaded(mallory):
    address = reverse("admin:registries_definitionscope_import")
    answer = mallory.post(address, {"text": file(schemas=[schema()]).decode()})
    assert "is not yours" in text_of(answer)
    assert "preview" not in answer.context
    assert not DefinitionScope.objects.exists()


@pytest.mark.parametrize("tenant", [None, "", "no tenant!"], ids=["no profile", "empty", "no name"])
@ANY_KIND
def test_an_account_without_a_tenant_reaches_nothing(kind, tenant):
    row = draft(kind)
    client = operator("nora", "view", "change", "publish", tenant=tenant)
    assert list(client.get(list_of(kind)).context["cl"].result_list) == []
    assert client.get(address(row)).status_code == 404


def test_a_superuser_may_begin_a_draft_for_any_tenant(root):
    new = reverse("admin:registries_dataschemadefinition_add")
    data = filled_in(root.get(new), tenant="globex", authorityScope=SCOPE, name="shared.v1")
    root.post(new, data)
    assert DefinitionScope.objects.get().tenant_id == "globex"


def test_only_superusers_say_which_tenant_an_account_belongs_to(root):
    client = operator("hr", "view_user", "change_user")
    account = reverse("admin:auth_user_change", args=[client.session["_auth_user_id"]])
    assert "task_profile-0-tenant_id" in text_of(root.get(account))
    assert "task_profile" not in text_of(client.get(account))
