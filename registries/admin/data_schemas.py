"""Data schemas in the admin."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from registries.admin.base import DefinitionAdmin
from registries.admin.columns import column
from registries.admin.forms.data_schema import DataSchemaForm
from registries.models import DataSchemaDefinition


@admin.register(DataSchemaDefinition)
class DataSchemaAdmin(DefinitionAdmin):
    """Data schemas."""

    form_class = DataSchemaForm
    list_display = (
        column("name", _("Name")),
        "state_shown",
        "scope_shown",
        column("max_bytes", _("Bytes at most")),
        "uses_shown",
        "latest_shown",
    )
    search_fields = ("name",)
    search_help_text = _("Part of a name.")
    ordering = ("scope", "name")
