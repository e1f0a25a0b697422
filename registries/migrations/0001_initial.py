import django.db.models.deletion
import django.db.models.expressions
import taskstatus.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='DefinitionScope',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tenant_id', taskstatus.fields.IdentifierField(db_comment='Tenant that owns the definitions', max_length=64)),
                ('authority_scope', taskstatus.fields.IdentifierField(db_comment='Security namespace the definitions are valid in', max_length=64)),
                ('stamp', models.CharField(db_comment='Changes with every change below; caches compare it', max_length=32)),
                ('updated_at', models.DateTimeField(auto_now=True, db_comment='When the stamp last changed')),
            ],
            options={
                'db_table': 'definition_scope',
                'db_table_comment': 'One row for each tenant and authority scope that has definitions',
                'constraints': [models.UniqueConstraint(fields=('tenant_id', 'authority_scope'), name='definition_scope_uk')],
            },
        ),
        migrations.CreateModel(
            name='StatusDefinitionSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', taskstatus.fields.IdentifierField(choices=[('draft', 'draft'), ('published', 'published'), ('retired', 'retired')], db_comment='draft, published or retired', default='draft', max_length=16)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_comment='When the row was made')),
                ('published_at', models.DateTimeField(db_comment='When it was frozen; null for a draft', null=True)),
                ('retired_at', models.DateTimeField(db_comment='Since when nothing new binds to it', null=True)),
                ('task_type', taskstatus.fields.IdentifierField(db_comment='Task type whose statuses these are', max_length=128)),
                ('version', models.PositiveIntegerField(db_comment='Version of the set, counted from 1 by its authors')),
                ('task_data_schemas', models.JSONField(db_comment='Names of schemas that task events may carry', default=list)),
                ('scope', models.ForeignKey(db_comment='Tenant and authority scope', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='registries.definitionscope')),
            ],
            options={
                'db_table': 'status_definition_set',
                'db_table_comment': 'Versions of the business statuses of a task type',
            },
        ),
        migrations.CreateModel(
            name='StatusDefinition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', taskstatus.fields.IdentifierField(db_comment='Business status code', max_length=64)),
                ('applies_to_task', models.BooleanField(db_comment='Whether a task can have this status')),
                ('applies_to_step', models.BooleanField(db_comment='Whether a step can have this status')),
                ('display_name', models.JSONField(db_comment='Text by language tag', default=dict)),
                ('lifecycle', taskstatus.fields.IdentifierField(db_comment='Lifecycle that the code stands for', max_length=16)),
                ('terminal', models.BooleanField(db_comment='Whether the code ends its task or step')),
                ('severity', taskstatus.fields.IdentifierField(db_comment='How strongly it is shown', default='INFO', max_length=16)),
                ('order', models.IntegerField(db_column='sort_order', db_comment="Position among the set's codes", default=0)),
                ('initial', models.BooleanField(db_comment='Whether a new task begins with it', default=False)),
                ('allowed_from', models.JSONField(db_comment='Codes it may follow, with @none and *', default=list)),
                ('presentation', models.JSONField(db_comment='Colour token, icon key and label key; never markup', default=dict)),
                ('status_set', models.ForeignKey(db_comment='Set it belongs to', on_delete=django.db.models.deletion.CASCADE, related_name='statuses', to='registries.statusdefinitionset')),
            ],
            options={
                'db_table': 'status_definition',
                'db_table_comment': 'Codes of the business status sets',
            },
        ),
        migrations.CreateModel(
            name='DataSchemaDefinition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', taskstatus.fields.IdentifierField(choices=[('draft', 'draft'), ('published', 'published'), ('retired', 'retired')], db_comment='draft, published or retired', default='draft', max_length=16)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_comment='When the row was made')),
                ('published_at', models.DateTimeField(db_comment='When it was frozen; null for a draft', null=True)),
                ('retired_at', models.DateTimeField(db_comment='Since when nothing new binds to it', null=True)),
                ('name', taskstatus.fields.IdentifierField(db_comment='Name, ending in .v and a number', max_length=128)),
                ('max_bytes', models.PositiveIntegerField(db_comment='Largest value, in bytes of canonical JSON', default=4096)),
                ('json_schema', models.JSONField(db_comment='JSON Schema, draft 2020-12')),
                ('views', models.JSONField(db_comment='Top-level members that may leave, by audience', default=dict)),
                ('masks', models.JSONField(db_comment='What is done to a member before it leaves', default=dict)),
                ('scope', models.ForeignKey(db_comment='Tenant and authority scope', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='registries.definitionscope')),
            ],
            options={
                'db_table': 'data_schema',
                'db_table_comment': 'JSON Schemas of event data, with the views that leave the service',
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('published_at', None), ('retired_at', None), ('state', 'draft')), models.Q(('published_at__isnull', False), ('retired_at', None), ('state', 'published')), models.Q(('published_at__isnull', False), ('retired_at__isnull', False), ('state', 'retired')), _connector='OR'), name='data_schema_state_times'), models.UniqueConstraint(fields=('scope', 'name'), name='data_schema_uk'), models.CheckConstraint(condition=models.Q(('state', 'draft'), models.Q(('max_bytes__gte', 1), ('max_bytes__lte', 65536)), _connector='OR'), name='data_schema_max_bytes')],
            },
        ),
        migrations.CreateModel(
            name='OperationDefinition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', taskstatus.fields.IdentifierField(choices=[('draft', 'draft'), ('published', 'published'), ('retired', 'retired')], db_comment='draft, published or retired', default='draft', max_length=16)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_comment='When the row was made')),
                ('published_at', models.DateTimeField(db_comment='When it was frozen; null for a draft', null=True)),
                ('retired_at', models.DateTimeField(db_comment='Since when nothing new binds to it', null=True)),
                ('code', taskstatus.fields.IdentifierField(db_comment='Operation code', max_length=128)),
                ('task_type_pattern', taskstatus.fields.IdentifierField(db_comment='Task types it is for: exact, prefix and *, or * for all and none', default='*', max_length=128)),
                ('version', models.PositiveIntegerField(db_comment='Version, counted from 1 by its authors')),
                ('display_name', models.JSONField(db_comment='Text by language tag', default=dict)),
                ('producer_pattern', taskstatus.fields.IdentifierField(db_comment='Services that may execute it: exact, or prefix and *', max_length=128)),
                ('allowed_event_types', models.JSONField(db_comment='Step events that its executions may report', default=list)),
                ('allowed_data_schemas', models.JSONField(db_comment='Names of data schemas by event type', default=dict)),
                ('failure_policy', taskstatus.fields.IdentifierField(db_comment='What its failure means for the task', max_length=32)),
                ('max_attempts', models.PositiveIntegerField(db_comment='Step attempts that may be activated', default=3)),
                ('heartbeat_interval_seconds', models.PositiveIntegerField(db_comment='Seconds between two beats', default=15)),
                ('heartbeat_timeout_seconds', models.PositiveIntegerField(db_comment='Seconds without a beat to STALE', default=60)),
                ('no_progress_seconds', models.PositiveIntegerField(db_comment='Seconds without progress to DEGRADED', null=True)),
                ('start_deadline_seconds', models.PositiveIntegerField(db_comment='Seconds from activation to start', null=True)),
                ('sequence_policy', taskstatus.fields.IdentifierField(db_comment='Whether sourceSeq may jump', default='GAPS_ALLOWED', max_length=16)),
                ('policy_executor', taskstatus.fields.IdentifierField(db_comment='Service that may fail a task by the failure policy', max_length=64, null=True)),
                ('progress_min_interval_seconds', models.FloatField(db_comment='Seconds between two versioned progress reports of a step', default=1.0)),
                ('stale_escalation_seconds', models.PositiveIntegerField(db_comment='Seconds of STALE before an alarm', null=True)),
                ('errors', models.JSONField(db_comment='Texts and actions that users see for an error code', default=list)),
                ('generic', models.BooleanField(db_comment='Whether it serves operations that nothing names', default=False)),
                ('scope', models.ForeignKey(db_comment='Tenant and authority scope', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='registries.definitionscope')),
            ],
            options={
                'db_table': 'operation_definition',
                'db_table_comment': 'Versions of operations: producers, events, data schemas, failure policy',
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('published_at', None), ('retired_at', None), ('state', 'draft')), models.Q(('published_at__isnull', False), ('retired_at', None), ('state', 'published')), models.Q(('published_at__isnull', False), ('retired_at__isnull', False), ('state', 'retired')), _connector='OR'), name='operation_definition_state_times'), models.UniqueConstraint(fields=('scope', 'code', 'task_type_pattern', 'version'), name='operation_definition_uk'), models.CheckConstraint(condition=models.Q(('failure_policy__in', ['FAIL_TASK', 'RETRY_THEN_FAIL_TASK', 'CONTINUE_WITH_WARNING', 'WAIT_FOR_USER'])), name='operation_definition_policy_known'), models.CheckConstraint(condition=models.Q(('sequence_policy__in', ['GAPS_ALLOWED', 'CONTIGUOUS'])), name='operation_definition_sequence_known'), models.CheckConstraint(condition=models.Q(('heartbeat_interval_seconds__gte', 1), ('max_attempts__gte', 1), ('version__gte', 1)), name='operation_definition_counts_from_1'), models.CheckConstraint(condition=models.Q(('progress_min_interval_seconds__gte', 0.1), ('progress_min_interval_seconds__lte', 60)), name='operation_definition_progress_interval'), models.CheckConstraint(condition=models.Q(('state', 'draft'), ('heartbeat_timeout_seconds__gte', django.db.models.expressions.CombinedExpression(models.Value(3), '*', models.F('heartbeat_interval_seconds'))), _connector='OR'), name='operation_definition_three_beats')],
            },
        ),
        migrations.AddConstraint(
            model_name='statusdefinitionset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('published_at', None), ('retired_at', None), ('state', 'draft')), models.Q(('published_at__isnull', False), ('retired_at', None), ('state', 'published')), models.Q(('published_at__isnull', False), ('retired_at__isnull', False), ('state', 'retired')), _connector='OR'), name='status_definition_set_state_times'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinitionset',
            constraint=models.UniqueConstraint(fields=('scope', 'task_type', 'version'), name='status_definition_set_uk'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinitionset',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='status_definition_set_version_from_1'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinition',
            constraint=models.UniqueConstraint(fields=('status_set', 'code', 'applies_to_task'), name='status_definition_task_uk'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinition',
            constraint=models.UniqueConstraint(fields=('status_set', 'code', 'applies_to_step'), name='status_definition_step_uk'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinition',
            constraint=models.CheckConstraint(condition=models.Q(('applies_to_task', True), ('applies_to_step', True), _connector='OR'), name='status_definition_applies'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinition',
            constraint=models.CheckConstraint(condition=models.Q(('lifecycle__in', ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'])), name='status_definition_lifecycle_known'),
        ),
        migrations.AddConstraint(
            model_name='statusdefinition',
            constraint=models.CheckConstraint(condition=models.Q(('severity__in', ['INFO', 'SUCCESS', 'WARNING', 'ERROR'])), name='status_definition_severity_known'),
        ),
    ]
