"""Operators of the registries, and what they fill in."""

import json
from typing import Any

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from registries.actors import Actor
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.kinds import DefinitionRow
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinitionSet
from taskstatus.models import UserProfile
from tests.registries.support import SCOPE, TENANT, Row, operation, schema, status_set
from tests.support.definitions import draft_of

KINDS: tuple[type[DefinitionRow], ...] = (StatusDefinitionSet, OperationDefinition, DataSchemaDefinition)
CONTENTS: dict[type[DefinitionRow], Row] = {
    StatusDefinitionSet: status_set(),
    OperationDefinition: operation(),
    DataSchemaDefinition: schema(),
}


def operator(name: str, *rights: str, tenant: str | None = TENANT) -> Client:
    """A logged-in member of staff with these rights: `view`, `publish` and the like mean those of all three kinds."""
    user = User.objects.create_user(name, is_staff=True)
    names = {f"{right}_{kind._meta.model_name}" for right in rights for kind in KINDS} | set(rights)
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    if tenant is not None:
        UserProfile.objects.create(account=user, tenant_id=tenant)
    client = Client()
    client.force_login(user)
    return client


def draft(kind: type[DefinitionRow] = StatusDefinitionSet, tenant: str = TENANT, **changes: Any) -> Any:
    content = draft_of(CONTENTS[kind]) | changes
    return make_draft(kind, content, tenant, SCOPE, Actor("olga", tenant))


def published(kind: type[DefinitionRow] = StatusDefinitionSet, tenant: str = TENANT, **changes: Any) -> Any:
    return publish_definition(draft(kind, tenant, **changes), Actor("olga", tenant))


def address(row: Any, page: str = "change") -> str:
    name = row._meta.model_name
    if page == "try":
        return reverse("try_event", args=[name, row.pk])
    return reverse(f"admin:registries_{name}_{page}", args=[row.pk])


def list_of(kind: type[Any]) -> str:
    return reverse(f"admin:registries_{kind._meta.model_name}_changelist")


def text_of(response: Any) -> str:
    return str(response.content.decode())


def filled_in(response: Any, **changes: Any) -> dict[str, Any]:
    """What a browser would send of the page's form, with some fields filled in otherwise."""
    context = response.context
    data = {"seen": context.get("seen", "")}
    forms = [context["form"], *([context["rows"].management_form, *context["rows"]] if context["rows"] else [])]
    for form in [*forms, *([context["place"]] if "place" in context else [])]:
        for field in form:
            value = field.value()
            if value is not None and value is not False:
                prepared = field.field.prepare_value(value)
                data[field.html_name] = "on" if prepared is True else prepared
    return data | changes


def messages_of(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def as_json(value: object) -> str:
    return json.dumps(value)
