"""One tenant's authority scope: owner of definitions, lock of their writers, stamp of their caches."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from taskstatus.fields import IdentifierField


class DefinitionScope(models.Model):
    """The root of one scope's registries.

    Whoever changes a definition locks this row first and gives it a new stamp. The stamp is random, not
    counted: after a restore a count could come to a number that a cache still holds for other content.
    """

    tenant_id = IdentifierField(max_length=64, db_comment="Tenant that owns the definitions")
    authority_scope = IdentifierField(max_length=64, db_comment="Security namespace the definitions are valid in")
    stamp = models.CharField(max_length=32, db_comment="Changes with every change below; caches compare it")
    updated_at = models.DateTimeField(auto_now=True, db_comment="When the stamp last changed")

    class Meta:
        verbose_name = _("scope")
        verbose_name_plural = _("scopes")
        permissions = (
            ("import_definitions", "Can import a definitions file"),
            ("export_definitions", "Can export a scope as a definitions file"),
            ("try_events", "Can try events, with nothing written"),
        )
        db_table = "definition_scope"
        db_table_comment = "One row for each tenant and authority scope that has definitions"
        constraints = (models.UniqueConstraint(fields=["tenant_id", "authority_scope"], name="definition_scope_uk"),)

    def __str__(self) -> str:
        return f"{self.tenant_id}/{self.authority_scope}"

    def renew_stamp(self) -> None:
        """Make every process read the definitions again; to be called with this row locked."""
        self.stamp = uuid.uuid4().hex
        self.save(update_fields=["stamp", "updated_at"])
