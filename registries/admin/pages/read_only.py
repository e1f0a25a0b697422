"""A frozen definition's members, to be read: the labels of its form, and values instead of fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from registries.admin.forms.base import DefinitionForm
from registries.admin.forms.fields import JsonMapField, TextsField


@dataclass(frozen=True, slots=True)
class Fact:
    """One member: how it is called, what it says, and how that is shown (text, code, list, texts)."""

    label: Any
    value: Any
    look: str


def facts_of(form: DefinitionForm, content: Mapping[str, Any]) -> list[tuple[Any, list[Fact]]]:
    """The members by group; what is empty says so."""
    return [(title, [_fact(form.fields[name], content.get(name)) for name in names]) for title, names in form.fieldsets]


def _fact(field: forms.Field, value: Any) -> Fact:  # noqa: ANN401 - whatever a definition says
    if isinstance(field, JsonMapField):
        return Fact(field.label, field.prepare_value(value) if value else "", "code")
    if isinstance(field, TextsField):
        return Fact(field.label, list((value or {}).items()), "texts")
    if isinstance(value, bool):
        return Fact(field.label, _("yes") if value else _("no"), "text")
    if isinstance(value, list):
        return Fact(field.label, value, "list")
    return Fact(field.label, "" if value is None else value, "text")
