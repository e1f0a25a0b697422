"""The definitions that bind, for every process: one snapshot a scope, renewed when its stamp has changed.

The stamp is read once a second at most, so a definition that is loaded anywhere is in use everywhere within
that time, and an event costs no query. Who looks for what is not there has the stamp read at once (ten times
a second at most): a task that names a version loaded a moment ago finds it.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeVar

from django.conf import settings

from registries.data_schema import DataSchema
from registries.snapshot import Snapshot, read_snapshot, read_stamp
from taskstatus.domain.definitions import GENERIC_SET, Operation, StatusSet, builtin_operation
from taskstatus.domain.errors import DomainError

STAMP_SECONDS: Final = 1.0
MISS_SECONDS: Final = 0.1
MAX_SCOPES: Final = 1_000

_Found = TypeVar("_Found")
# An operation's code is its only difference; every event of such a step asks for it.
_builtin = lru_cache(maxsize=1_000)(builtin_operation)


@dataclass(slots=True)
class _Entry:
    """A process's copy of one scope. Threads share it without a lock: each assignment is whole in itself."""

    tenant: str
    scope: str
    snapshot: Snapshot | None = None
    checked_at: float = 0.0

    def current(self, max_age_seconds: float) -> Snapshot:
        """The snapshot, compared with the stamp if that was last done longer ago than this."""
        snapshot, now = self.snapshot, time.monotonic()
        if snapshot is not None and now - self.checked_at < max_age_seconds:
            return snapshot
        # Set first: other threads go on with what they have while this one asks.
        self.checked_at = now
        stamp = read_stamp(self.tenant, self.scope)
        if snapshot is None or stamp != snapshot.stamp:
            self.snapshot = snapshot = read_snapshot(self.tenant, self.scope, stamp)
        return snapshot


_Entries = dict[tuple[str, str], _Entry]
_entries: _Entries = {}
_own_entries: ContextVar[_Entries | None] = ContextVar("own_entries", default=None)


def registry(tenant: str, scope: str) -> "Registry":
    """The definitions of one tenant and authority scope; a query at most once a second in this process."""
    own = _own_entries.get()
    entries = _entries if own is None else own
    entry = entries.get((tenant, scope))
    if entry is None:
        if len(entries) >= MAX_SCOPES:
            entries.clear()
        entry = entries.setdefault((tenant, scope), _Entry(tenant, scope))
    return Registry(entry, entry.current(STAMP_SECONDS))


@contextmanager
def uncommitted_definitions() -> Iterator[None]:
    """Within it, read definitions afresh and keep them from everybody else: they may be undone in the end."""
    token = _own_entries.set({})
    try:
        yield
    finally:
        _own_entries.reset(token)


def forget() -> None:
    """Drop this process's copies; for tests, whose databases are rolled back."""
    _entries.clear()


class Registry:
    """What tasks of one tenant and scope are bound to (published, retired), or may bind to (published)."""

    def __init__(self, entry: _Entry, snapshot: Snapshot) -> None:
        self._entry = entry
        self._snapshot = snapshot

    def status_set(self, task_type: str | None, version: int | None) -> StatusSet:
        """The set a task is bound to, retired or not; without a version the generic one (ruling 9).

        Raises:
            DomainError: DEFINITION_NOT_FOUND, if no such set was ever published.
        """
        if task_type is None or version is None:
            return GENERIC_SET
        return self._required(
            lambda now: now.bound_sets.get((task_type, version)), f"status set {task_type} v{version}"
        )

    def named_status_set(self, task_type: str, version: int) -> StatusSet | None:
        """The published set of that version, for a new binding."""
        return self._find(lambda now: now.published_sets.get(task_type, {}).get(version))

    def newest_status_set(self, task_type: str) -> StatusSet | None:
        """The published set of the highest version, for a new binding."""
        sets = self._find(lambda now: now.published_sets.get(task_type))
        return sets[max(sets)] if sets else None

    def has_operation_version(self, version: int, task_type: str | None) -> bool:
        """Whether a task of that type may name that operationDefinitionVersion."""
        return bool(self._find(lambda now: now.has_operation_version(version, task_type)))

    def bind_operation(
        self,
        code: str,
        task_type: str | None,
        version: int | None = None,
        default_version: int | None = None,
    ) -> Operation | None:
        """The operation that a new execution binds to, under the asked code, or None (ruling 33).

        Of the most specific pattern: the version named, else the task's (`default_version`) where it exists,
        else the newest. What no definition names gets the scope's generic profile, else the built-in one
        unless that is switched off. What only retired definitions name binds nothing new (ruling 42).

        Raises:
            DomainError: DEFINITION_NOT_FOUND, if a version is named that is not published.
        """
        found = self._find(lambda now: _chosen(now.operations_named(code, task_type), version, default_version))
        is_defined = self._snapshot.defines(code, task_type)
        if found is None and not is_defined:
            found = _chosen(self._snapshot.generic_operations(task_type), version, default_version)
        if found is not None:
            return _called(found, code)
        if version is not None:
            raise DomainError("DEFINITION_NOT_FOUND", f"Operation {code} has no published version {version}.")
        return None if is_defined or self._builtin_is_off() else _builtin(code)

    def operation(self, definition_id: int | None, code: str) -> Operation:
        """The operation that an execution is bound to, retired or not; no id means the built-in profile.

        Raises:
            DomainError: DEFINITION_NOT_FOUND, if the scope never published it.
        """
        if definition_id is None:
            return _builtin(code)
        found = self._required(lambda now: now.bound_operations.get(definition_id), f"operation {code}")
        return _called(found, code)

    def data_schema(self, name: str) -> DataSchema | None:
        """The published data schema of that name, built-in ones included."""
        return self._find(lambda now: now.data_schemas.get(name))

    def _find(self, look: Callable[[Snapshot], _Found | None]) -> _Found | None:
        """What is looked for; if it is missing, in definitions as new as the rate limit allows."""
        found = look(self._snapshot)
        if not found:
            self._snapshot = self._entry.current(MISS_SECONDS)
            found = look(self._snapshot)
        return found

    def _required(self, look: Callable[[Snapshot], _Found | None], name: str) -> _Found:
        found = self._find(look)
        if found is None:
            raise DomainError("DEFINITION_NOT_FOUND", f"The definition of {name} is missing.")
        return found

    def _builtin_is_off(self) -> bool:
        return (self._entry.tenant, self._entry.scope) in settings.BUILTIN_PROFILE_OFF


def _chosen(versions: Mapping[int, Operation], named: int | None, default: int | None) -> Operation | None:
    """The version named, else the default where it exists, else the newest (ruling 33)."""
    if named is not None or not versions:
        return versions.get(named or 0)
    return versions.get(default or 0) or versions[max(versions)]


def _called(operation: Operation, code: str) -> Operation:
    return operation if operation.code == code else replace(operation, code=code)
