"""The workflow: the name and version under which independent tasks are grouped."""

from django.db import models
from django.db.models import Q

from taskstatus.domain.lifecycle import TERMINAL, Aggregation, Lifecycle
from taskstatus.models._columns import count, identifier, moment, public_id, word, words_only


class Workflow(models.Model):
    """One user request or business process; its version orders its own facts only (source design 3.1, 5)."""

    id = public_id("workflowId", primary_key=True)
    tenant_id = identifier("Tenant, from the creator's credential")
    owner_id = identifier("User who sees the workflow by owning it")
    authority_scope = identifier("Security namespace, from the creator's credential; never changes")
    coordinator_id = identifier("Service that created the workflow")
    client_workflow_key = identifier("The creator's own key, for creating once", 128)
    creation_hash = identifier("SHA-256 of the canonical creation request; tells a replay from a reused key")
    workflow_type = identifier("Kind of process, if known", 128, null=True)
    project_id = identifier("Project the workflow belongs to, if any", null=True)
    title = models.CharField(max_length=255, db_comment="What users read")
    aggregation = word("How the workflow ends: EXPLICIT or ALL_SETTLED")
    sealed = models.BooleanField(default=False, db_comment="No further task may be added")
    lifecycle_status = word("Lifecycle of the whole", default=Lifecycle.PENDING)
    version = count("workflowVersion: one more with every fact about the workflow", default=1)
    task_count = count("How many tasks were added", default=0)
    end_reason = models.TextField(null=True, db_comment="Why it ended, in the coordinator's words")
    created_at = moment("When it was created")
    started_at = moment("When it first ran", null=True)
    finished_at = moment("When it ended", null=True)
    updated_at = moment("When its version last rose")

    class Meta:
        db_table = "workflow"
        db_table_comment = "Workflows: grouping, own version, explicit end"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "authority_scope", "client_workflow_key"], name="workflow_client_key_uk"
            ),
            words_only("workflow_lifecycle_known", "lifecycle_status", Lifecycle),
            words_only("workflow_aggregation_known", "aggregation", Aggregation),
            models.CheckConstraint(name="workflow_version_from_one", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="workflow_finished_iff_terminal",
                condition=Q(lifecycle_status__in=sorted(TERMINAL), finished_at__isnull=False)
                | (~Q(lifecycle_status__in=sorted(TERMINAL)) & Q(finished_at__isnull=True)),
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "owner_id", "updated_at", "id"], name="workflow_owner_updated_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.id}"


class WorkflowEvent(models.Model):
    """One immutable fact about a workflow; (workflow, version) is its place in the order."""

    workflow_id = public_id("Workflow the fact is about")
    workflow_version = count("workflowVersion that the fact received")
    event_id = identifier("Caller's eventId, or one made by the service")
    event_type = identifier("What happened")
    producer_id = identifier("Service that said so")
    lifecycle_status = word("Lifecycle after the fact")
    payload = models.JSONField(null=True, db_comment="What the fact carries")
    committed_at = moment("When it became a fact")

    class Meta:
        db_table = "workflow_event"
        db_table_comment = "Immutable log of facts about workflows"
        constraints = [
            models.UniqueConstraint(fields=["workflow_id", "workflow_version"], name="workflow_event_version_uk"),
            words_only("workflow_event_lifecycle_known", "lifecycle_status", Lifecycle),
        ]

    def __str__(self) -> str:
        return f"{self.workflow_id}@{self.workflow_version} {self.event_type}"
