"""The registries in the admin: lists, drafts, publishing, comparing, history, import and export.

Every change goes through the use cases of `registries.editing` and `registries.exchange`; nothing here writes rows.
An account reaches its tenant's definitions alone (`reach`), and what it may do there are Django's permissions.
"""

from registries.admin.changes import ChangeAdmin
from registries.admin.data_schemas import DataSchemaAdmin
from registries.admin.operations import OperationAdmin
from registries.admin.scopes import ScopeAdmin
from registries.admin.status_sets import StatusSetAdmin

__all__ = ["ChangeAdmin", "DataSchemaAdmin", "OperationAdmin", "ScopeAdmin", "StatusSetAdmin"]
