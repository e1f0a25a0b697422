"""Who may write, who may open a transaction, who may ask for rows (architecture, "Floors")."""

import ast

import pytest
from django.apps import apps

from tests.contracts.source_rules import Rule, breaches, manager_of, model_writes, modules, transactions

TASK_MODELS = frozenset({"Task", "Step", "Workflow"})
ADAPTERS = ("taskstatus/api", "taskstatus/grpc", "taskstatus/pages", "taskstatus/management", "realtime")


def task_models() -> frozenset[str]:
    return frozenset(model.__name__ for model in apps.get_app_config("taskstatus").get_models())


def test_only_services_write_the_rows_of_tasks():
    # Who holds which place, and who watches what, are rows of realtime's own.
    own_rows = ("realtime/seats", "realtime/watch_set.py", "realtime/purge.py")
    files = modules("taskstatus", "realtime", but=("taskstatus/services", *own_rows))
    assert breaches(model_writes, files) == []


def test_only_the_unit_of_work_the_registries_and_the_relay_open_transactions():
    files = modules(
        "taskstatus",
        "registries",
        "outbox",
        "realtime",
        but=(
            "taskstatus/services/unit_of_work.py",
            "registries/publishing",
            "registries/publishing.py",
            "registries/exchange",
            "registries/exchange.py",
            "registries/editing",
            "outbox/relay",
            "outbox/relay.py",
        ),
    )
    assert breaches(transactions, files) == []


def test_adapters_ask_no_model_for_rows():
    assert task_models() >= TASK_MODELS
    assert breaches(manager_of(task_models()), modules(*ADAPTERS)) == []


def found(rule: Rule, source: str) -> int:
    return len(list(rule(ast.parse(source))))


@pytest.mark.parametrize(
    "source",
    [
        "task.save()",
        "task.save(update_fields=['title'])",
        "Task.objects.create(title='x')",
        "Task.objects.filter(pk=1).update(title='x')",
        "Task.objects.filter(pk=1).delete()",
        "Task._base_manager.bulk_create(rows)",
        "rows.update(status=DONE)",
        "rows.update(**values)",
        "rows.delete()",
        "Task.objects.get_or_create(pk=1)",
        "await task.asave()",
        "self.task.steps.all().update(x=1)",
        "cursor.execute('UPDATE task SET title = 1')",
        "cursor.execute('''\n  insert INTO task VALUES (1)''')",
    ],
)
def test_the_rule_on_writes_finds(source):
    assert found(model_writes, f"async def f():\n    {source}") == 1


@pytest.mark.parametrize(
    "source",
    [
        "values.update({'a': 1})",
        "digest.update(data)",
        "cache.delete('key')",
        "Task.objects.filter(pk=1).select_for_update()",
        "cursor.execute('SELECT title FROM task')",
        "text = 'Update of the title'",
    ],
)
def test_the_rule_on_writes_lets_pass(source):
    assert found(model_writes, source) == 0


@pytest.mark.parametrize(
    "source",
    [
        "with transaction.atomic():\n    pass",
        "with transaction.atomic(durable=True):\n    pass",
        "@transaction.atomic\ndef f(): pass",
        "from django.db.transaction import atomic",
        "from django.db import transaction as t\nwith t.atomic():\n    pass",
        "transaction.set_autocommit(False)",
        "connection.rollback()",
    ],
)
def test_the_rule_on_transactions_finds(source):
    assert found(transactions, source) == 1


def test_the_rule_on_transactions_lets_a_callback_wait_for_the_commit():
    assert found(transactions, "transaction.on_commit(nudge)") == 0


@pytest.mark.parametrize(
    "source",
    [
        "Task.objects.get(pk=1)",
        "models.Task.objects.all()",
        "from taskstatus.models import Task as Row\nRow.objects.all()",
        "Step._default_manager.all()",
    ],
)
def test_the_rule_on_queries_finds(source):
    assert found(manager_of(TASK_MODELS), source) == 1


def test_the_rule_on_queries_lets_other_models_pass():
    assert found(manager_of(TASK_MODELS), "Session.objects.all()") == 0
