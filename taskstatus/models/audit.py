"""What was refused and what was done by whom: the ledger of refusals, the audit, and the data epoch."""

from django.db import models
from django.db.models import Q

from taskstatus.models._columns import count, identifier, moment, public_id


class RefusedReport(models.Model):
    """One of the latest refusals of a task, for operators who ask why it does not move (ruling 17).

    `slot` makes the ledger a ring: the task's refusal_count modulo its capacity, so it can't outgrow it.
    """

    CAPACITY = 200

    task_id = public_id("Task the report was about")
    slot = count("Place in the ring")
    event_id = identifier("eventId of the report")
    event_type = identifier("What it wanted to report")
    execution_id = public_id("Execution it came from", null=True)
    producer_id = identifier("Service that sent it")
    code = identifier("Why it was refused")
    detail = models.CharField(max_length=1000, db_comment="The refusal's words")
    refused_at = moment("When it was refused")

    class Meta:
        db_table = "task_refusal"
        db_table_comment = "Latest refused reports of each task"
        constraints = [models.UniqueConstraint(fields=["task_id", "slot"], name="task_refusal_slot_uk")]

    def __str__(self) -> str:
        return f"{self.task_id}: {self.code} for {self.event_type}"


class AuditEntry(models.Model):
    """One action or violation that must be traceable to its actor; never holds a credential."""

    tenant_id = identifier("Tenant of the actor")
    authority_scope = identifier("Security namespace of the actor", null=True)
    actor = identifier("Service or user who acted")
    action = identifier("What was done or attempted")
    outcome = identifier("DONE, or the code of the refusal")
    object_id = identifier("What it was about", 128, null=True)
    detail = models.JSONField(default=dict, db_comment="Ids and values that explain it")
    created_at = moment("When it happened")

    class Meta:
        db_table = "audit_entry"
        db_table_comment = "Who did or attempted what"
        indexes = [
            models.Index(fields=["tenant_id", "created_at", "id"], name="audit_tenant_time_idx"),
            models.Index(fields=["tenant_id", "object_id", "created_at", "id"], name="audit_object_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.actor} {self.action}: {self.outcome}"


class DataEpoch(models.Model):
    """The single row whose number grows after a restore, so that clients take lower versions (ruling 14)."""

    FIRST = 1
    ROW = 1

    # Not an AUTO_INCREMENT key: MariaDB refuses those in CHECK constraints.
    id = models.PositiveSmallIntegerField(primary_key=True, default=ROW, db_comment="Always 1")
    epoch = count("Current data epoch", default=FIRST)
    raised_at = moment("When it last rose", null=True)

    class Meta:
        db_table = "data_epoch"
        db_table_comment = "Data epoch: one row"
        constraints = [
            models.CheckConstraint(name="data_epoch_single_row", condition=Q(pk=1)),
            models.CheckConstraint(name="data_epoch_from_one", condition=Q(epoch__gte=1)),
        ]

    def __str__(self) -> str:
        return str(self.epoch)
