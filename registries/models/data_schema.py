"""Data schemas: the shape of what events carry, and who may see what of it (source design 3.3.1)."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from registries.models.base import Definition, state_has_its_times
from registries.states import State
from taskstatus.fields import IdentifierField

MAX_SCHEMA_BYTES = 65_536


class DataSchemaDefinition(Definition):
    """One data schema; its name ends in its version, so an addition is a new row (ruling 41)."""

    name = IdentifierField(max_length=128, db_comment="Name, ending in .v and a number")
    max_bytes = models.PositiveIntegerField(default=4096, db_comment="Largest value, in bytes of canonical JSON")
    json_schema = models.JSONField(db_comment="JSON Schema, draft 2020-12")
    views = models.JSONField(default=dict, db_comment="Top-level members that may leave, by audience")
    masks = models.JSONField(default=dict, db_comment="What is done to a member before it leaves")

    class Meta:
        verbose_name = _("data schema")
        verbose_name_plural = _("data schemas")
        permissions = (
            ("publish_dataschemadefinition", "Can publish data schemas"),
            ("retire_dataschemadefinition", "Can retire data schemas"),
        )
        db_table = "data_schema"
        db_table_comment = "JSON Schemas of event data, with the views that leave the service"
        constraints = (
            state_has_its_times("data_schema_state_times"),
            models.UniqueConstraint(fields=["scope", "name"], name="data_schema_uk"),
            models.CheckConstraint(
                condition=Q(state=State.DRAFT.value) | Q(max_bytes__gte=1, max_bytes__lte=MAX_SCHEMA_BYTES),
                name="data_schema_max_bytes",
            ),
        )

    def __str__(self) -> str:
        return self.name
