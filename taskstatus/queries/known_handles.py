"""What execution handles stand for; a process asks for each of them once (source design 3.3.4).

The row of a handle never changes. A handle is outdated by its step's `credential_generation`, which everyone compares
who reads or locks the step, and it ends at a time that its row tells. So what was found once may be remembered; what
was not found is looked for again. A restore of the database, which can make handles unknown, stops every process.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.utils import timezone

from taskstatus.models import ExecutionHandle
from taskstatus.queries.prepared import Prepared

# Of one process: more than a server of the expected size has executions, and 16 MiB at the most.
MAX_REMEMBERED: Final = 32_768


class KnownHandle(NamedTuple):
    """Which execution a handle stands for, who may use it, and until when."""

    handle_hash: str
    execution_id: str
    task_id: str
    tenant_id: str
    authority_scope: str
    producer_id: str
    generation: int
    expires_at: datetime


def handles_of(hashes: Collection[str]) -> dict[str, KnownHandle]:
    """The handles with these hashes, those that there are, also such as have expired."""
    found = _remembered.of(hashes)
    unknown = sorted(set(hashes).difference(found))
    if unknown:
        read = [_with_shared_names(KnownHandle(*row)) for row in _HANDLES.rows(unknown)]
        _remembered.add(read)
        found |= {handle.handle_hash: handle for handle in read}
    return found


def forget() -> None:
    """Ask the database again for every handle."""
    _remembered.clear()


def _with_shared_names(handle: KnownHandle) -> KnownHandle:
    """The handle with those names as one object each that thousands have in common."""
    return handle._replace(
        tenant_id=sys.intern(handle.tenant_id),
        authority_scope=sys.intern(handle.authority_scope),
        producer_id=sys.intern(handle.producer_id),
    )


class _Remembered:
    """The handles found last; those that came first make room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._handles: OrderedDict[str, KnownHandle] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, hashes: Iterable[str]) -> dict[str, KnownHandle]:
        """Those of these handles that are remembered and have not expired."""
        now, handles = timezone.now(), self._handles
        known = ((one, handles.get(one)) for one in hashes)
        return {one: handle for one, handle in known if handle is not None and handle.expires_at > now}

    def add(self, handles: Iterable[KnownHandle]) -> None:
        """Remember these as well."""
        with self._lock:
            self._handles.update((handle.handle_hash, handle) for handle in handles)
            while len(self._handles) > self._most:
                self._handles.popitem(last=False)

    def clear(self) -> None:
        """Remember nothing."""
        with self._lock:
            self._handles.clear()


_remembered = _Remembered(MAX_REMEMBERED)
_HANDLES = Prepared(lambda hashes: ExecutionHandle.objects.filter(pk__in=hashes).values_list(*KnownHandle._fields))
