from django.db import migrations, models


class Migration(migrations.Migration):
    """The index that tasks of a lifecycle are found by leads to those of a health as well."""

    dependencies = [
        ("taskstatus", "0004_task_browser"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="task",
            name="task_browse_idx",
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(
                fields=["tenant_id", "lifecycle_status", "health", "created_at", "id"], name="task_browse_idx"
            ),
        ),
    ]
