from django.db import migrations, models


class Migration(migrations.Migration):
    """What operators look through tasks by, and what they may do about them."""

    dependencies = [
        ("taskstatus", "0003_health_watch"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="task",
            options={
                "permissions": (
                    ("correct_task", "Can correct the state of tasks and of their steps"),
                    ("reconcile_task", "Can have the health of a task judged at once"),
                    ("revoke_execution", "Can withdraw the credentials of executions"),
                ),
                "verbose_name": "task",
                "verbose_name_plural": "tasks",
            },
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(fields=["tenant_id", "object_id", "created_at", "id"], name="audit_object_idx"),
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(
                fields=["tenant_id", "lifecycle_status", "health", "created_at", "id"], name="task_browse_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(fields=["tenant_id", "client_task_key", "id"], name="task_client_key_idx"),
        ),
    ]
