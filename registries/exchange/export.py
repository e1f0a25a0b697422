"""Writing a scope's registries as a definitions file that loads without a change (acceptance G07)."""

from typing import Any, Final

from registries.exchange.parse import API_VERSION
from registries.exchange.stored import StoredDefinition, find_scope, read_stored
from registries.exchange.yaml_writer import write_yaml
from registries.items import DataSchemaItem, DefinitionItem, OperationItem, StatusSetItem
from registries.states import State

_LISTS: Final[dict[str, type[DefinitionItem]]] = {
    "dataSchemas": DataSchemaItem,
    "statusSets": StatusSetItem,
    "operations": OperationItem,
}


def export_definitions(tenant: str, authority_scope: str) -> str:
    """The scope's definitions as YAML; empty lists where there are none."""
    stored = read_stored(find_scope(tenant, authority_scope))
    in_order = [stored[key] for key in sorted(stored)]
    header = {"apiVersion": API_VERSION, "tenant": tenant, "authorityScope": authority_scope}
    lists = {
        member: [_written(one.item) for one in in_order if isinstance(one.item, kind) and _is_writable(one)]
        for member, kind in _LISTS.items()
    }
    return write_yaml(header | lists)


def _is_writable(stored: StoredDefinition) -> bool:
    """A file can't say that a data schema is a draft: loading it would publish it. Retired ones are still named."""
    return not isinstance(stored.item, DataSchemaItem) or stored.state is not State.DRAFT


def _written(item: DefinitionItem) -> dict[str, Any]:
    """The item as the file spells it, defaults included, so that reviewers see what is in force."""
    members = item.model_dump(mode="json", by_alias=True)
    return {member: value for member, value in members.items() if value is not None}
