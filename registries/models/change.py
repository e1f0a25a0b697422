"""The history of definitions: who did what to which, and what it said then (acceptance G06)."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from registries.models.base import one_of
from registries.models.scope import DefinitionScope
from registries.states import State
from taskstatus.fields import IdentifierField


class DefinitionChange(models.Model):
    """One change of one definition, written in the transaction that made it, and never touched again.

    It keeps the whole content: the difference to the row's earlier change is what this one changed, also after
    the definition is gone.
    """

    scope = models.ForeignKey(
        DefinitionScope, models.PROTECT, related_name="+", db_index=False, db_comment="Tenant and authority scope"
    )
    kind = IdentifierField(max_length=16, db_comment="data schema, status set or operation")
    # No foreign key: three tables have definitions, and a deleted draft keeps its history.
    definition_id = models.PositiveBigIntegerField(db_comment="Row of the definition in the table of its kind")
    name = models.CharField(max_length=300, db_comment="What people call it, version included")
    action = IdentifierField(max_length=16, db_comment="created, updated, published, retired or deleted")
    source = IdentifierField(max_length=16, db_comment="editor, or file for a definitions file")
    actor = models.CharField(max_length=150, db_comment="Who did it")
    changed_at = models.DateTimeField(db_comment="When it was done")
    state = IdentifierField(max_length=16, db_comment="State it was left in; of a deleted one, that it had")
    digest_before = IdentifierField(max_length=64, null=True, db_comment="SHA-256 of the content before; null if new")
    digest_after = IdentifierField(max_length=64, null=True, db_comment="SHA-256 of the content after; null if deleted")
    content = models.JSONField(db_comment="Content as a file spells it: after the change, or what was deleted")

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("history of changes")
        db_table = "definition_change"
        db_table_comment = "Who changed which definition, and what it said then"
        constraints = (
            models.CheckConstraint(
                condition=Q(action="created", digest_before=None, digest_after__isnull=False)
                | Q(action="deleted", digest_before__isnull=False, digest_after=None)
                | (
                    Q(action__in=["updated", "published", "retired"])
                    & Q(digest_before__isnull=False, digest_after__isnull=False)
                ),
                name="definition_change_digests_by_action",
            ),
            one_of("state", State, "definition_change_state_known"),
            models.CheckConstraint(condition=Q(source__in=["editor", "file"]), name="definition_change_source_known"),
        )
        indexes = (
            models.Index(fields=["kind", "definition_id", "id"], name="definition_change_row_idx"),
            models.Index(fields=["scope", "id"], name="definition_change_scope_idx"),
        )

    def __str__(self) -> str:
        return f"{self.actor} {self.action} {self.name}"
