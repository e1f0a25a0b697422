"""Who else may see or do something: grants on tasks and workflows, and outside numbers of tasks."""

from django.db import models

from taskstatus.domain.lifecycle import Permission, PrincipalType
from taskstatus.models._columns import identifier, moment, word, words_only
from taskstatus.models.task import Task
from taskstatus.models.workflow import Workflow


class _Grant(models.Model):
    """What both kinds of grant record."""

    principal_type = word("USER, PROJECT or ROLE")
    principal_id = identifier("Which user, project or role")
    permission = word("VIEW, OPERATE or ADMIN")
    granted_by = identifier("Service or user who gave it")
    created_at = moment("When it was given")
    revoked_at = moment("When it was taken back; null while it counts", null=True)

    class Meta:
        abstract = True


class TaskGrant(_Grant):
    """A principal's permission on one task (source design 5)."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="grants", db_index=False, db_comment="The task")

    class Meta:
        db_table = "task_acl"
        db_table_comment = "Permissions on tasks"
        constraints = [
            models.UniqueConstraint(fields=["task", "principal_type", "principal_id"], name="task_acl_uk"),
            words_only("task_acl_principal_known", "principal_type", PrincipalType),
            words_only("task_acl_permission_known", "permission", Permission),
        ]
        indexes = [
            models.Index(fields=["principal_type", "principal_id", "revoked_at", "task"], name="task_acl_principal_idx")
        ]

    def __str__(self) -> str:
        return f"{self.task_id}: {self.permission} for {self.principal_type} {self.principal_id}"


class WorkflowGrant(_Grant):
    """A principal's permission on one workflow."""

    workflow = models.ForeignKey(
        Workflow, models.PROTECT, related_name="grants", db_index=False, db_comment="The workflow"
    )

    class Meta:
        db_table = "workflow_acl"
        db_table_comment = "Permissions on workflows"
        constraints = [
            models.UniqueConstraint(fields=["workflow", "principal_type", "principal_id"], name="workflow_acl_uk"),
            words_only("workflow_acl_principal_known", "principal_type", PrincipalType),
            words_only("workflow_acl_permission_known", "permission", Permission),
        ]
        indexes = [
            models.Index(
                fields=["principal_type", "principal_id", "revoked_at", "workflow"], name="workflow_acl_principal_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.workflow_id}: {self.permission} for {self.principal_type} {self.principal_id}"


class ExternalRef(models.Model):
    """A number that another system has for a task; one task each within a tenant and scope."""

    tenant_id = identifier("Tenant of the task")
    authority_scope = identifier("Security namespace of the task")
    ref_type = identifier("What kind of number it is")
    ref_value = identifier("The number", 255)
    task = models.ForeignKey(Task, models.PROTECT, related_name="external_refs", db_comment="The task it names")
    created_at = moment("When it was recorded")

    class Meta:
        db_table = "task_external_ref"
        db_table_comment = "Outside numbers of tasks"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "authority_scope", "ref_type", "ref_value"], name="task_external_ref_uk"
            )
        ]

    def __str__(self) -> str:
        return f"{self.ref_type} {self.ref_value} -> {self.task_id}"
