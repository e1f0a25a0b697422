"""That something left no trace: every row of every table, compared before and after."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import models

from taskstatus.models import AuditEntry, RefusedReport, ServiceOutage, ServicePulse

# What a refusal is meant to leave behind: ledger, count and audit (ruling 17, S07).
_LEDGERS = (AuditEntry, RefusedReport)
# What the service notes about its own parts each second.
_OWN_SIGNS = (ServicePulse, ServiceOutage)
_LEDGER_COLUMNS = {"refusal_count"}

Rows = dict[str, list[dict[str, Any]]]


@contextmanager
def unchanged() -> Iterator[None]:
    """Fail if the block changed any task, event, version, idempotency record, credential or message."""
    before = stored()
    yield
    after = stored()
    for table, rows in before.items():
        assert after[table] == rows, f"{table} changed"


def stored() -> Rows:
    """All rows of the service's own tables but the ledgers of refusals and the signs of its own parts."""
    return {
        model._meta.db_table: _rows(model)
        for label in ("taskstatus", "outbox")
        for model in apps.get_app_config(label).get_models()
        if model not in _LEDGERS + _OWN_SIGNS
    }


def _rows(model: type[models.Model]) -> list[dict[str, Any]]:
    rows = model._default_manager.order_by("pk").values()
    return [{name: value for name, value in row.items() if name not in _LEDGER_COLUMNS} for row in rows]
