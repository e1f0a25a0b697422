"""Which published definitions a task names or gets, at its creation and when it is classified (ruling 33)."""

from registries.resolver import Registry
from taskstatus.domain.definitions import GENERIC_SET, StatusSet
from taskstatus.domain.errors import DomainError


def status_set_to_bind(registry: Registry, task_type: str | None, version: int | None) -> StatusSet:
    """The set that is named, else the newest published, else the generic one; raises DEFINITION_NOT_FOUND."""
    if task_type is None:
        return GENERIC_SET
    if version is None:
        return registry.newest_status_set(task_type) or GENERIC_SET
    named = registry.named_status_set(task_type, version)
    if named is None:
        raise _unpublished("status set", version)
    return named


def require_operation_version(registry: Registry, version: int | None, task_type: str | None) -> None:
    """Raise DEFINITION_NOT_FOUND unless the version, if one is named, is published for some operation of the type."""
    if version is not None and not registry.has_operation_version(version, task_type):
        raise _unpublished("operation definition", version)


def _unpublished(what: str, version: int) -> DomainError:
    return DomainError("DEFINITION_NOT_FOUND", f"No {what} of version {version} is published for this task type.")
