from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("taskstatus", "0005_browse_by_health"),
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
    ]
