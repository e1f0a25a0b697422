"""Public identifiers: their form, the virtual bucket in them, and how they are made (protocol 1).

An id names a kind, a bucket and a ULID: `tsk_1MC_01K5M6Z3Q8V4N2T7X9R0B1C2D3`. The bucket says where the row
may lie one day; it grants nothing. Test vectors for SDKs: `docs/protocol/vectors/identifiers.json`.
"""

import os
import re
import time
from typing import Final, Literal

import xxhash
from ulid import ULID

BUCKET_COUNT: Final = 4096
DYNAMIC_STEP_PREFIX: Final = "dyn_"

_HASH_VERSION: Final = "v1"
_SEPARATOR: Final = "\x1f"
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base32: no I, L, O, U
_BUCKET: Final = f"[0-3][{_ALPHABET}]{{2}}"
_ULID: Final = f"[0-7][{_ALPHABET}]{{25}}"

WORKFLOW_ID: Final = f"^wfl_{_BUCKET}_{_ULID}$"
TASK_ID: Final = f"^tsk_{_BUCKET}_{_ULID}$"
EXECUTION_ID: Final = f"^exe_{_BUCKET}_{_ULID}$"

_ROUTED: Final = re.compile(f"[a-z]{{3}}_({_BUCKET})_")


def virtual_bucket(tenant_id: str, owner_id: str) -> int:
    """The bucket, 0 to 4095, of everything that this owner has in this tenant (hash version v1)."""
    routing_key = _SEPARATOR.join((_HASH_VERSION, tenant_id, owner_id))
    return xxhash.xxh64_intdigest(routing_key.encode(), seed=0) % BUCKET_COUNT


def bucket_digits(bucket: int) -> str:
    """A bucket as the three base32 digits that stand in ids.

    Raises:
        ValueError: if the bucket is not 0 to 4095.
    """
    if not 0 <= bucket < BUCKET_COUNT:
        raise ValueError(f"a bucket is 0 to {BUCKET_COUNT - 1}")
    return _ALPHABET[bucket >> 10] + _ALPHABET[bucket >> 5 & 31] + _ALPHABET[bucket & 31]


def bucket_of(public_id: str) -> int:
    """The bucket that an id or an execution handle carries.

    Raises:
        ValueError: if it carries none.
    """
    match = _ROUTED.match(public_id)
    if match is None:
        raise ValueError("not an identifier with a bucket")
    high, middle, low = map(_ALPHABET.index, match[1])
    return high << 10 | middle << 5 | low


def make_id(prefix: str, bucket: int, timestamp_ms: int, randomness: bytes) -> str:
    """The id of that kind, bucket, Unix time (48 bits of milliseconds) and randomness (10 bytes).

    Raises:
        ValueError: if bucket, time or randomness have no place in an id.
    """
    if not 0 <= timestamp_ms < 1 << 48:
        raise ValueError("a ULID's time is 48 bits of milliseconds")
    ulid = ULID.from_bytes(timestamp_ms.to_bytes(6, "big") + randomness)
    return f"{prefix}_{bucket_digits(bucket)}_{ulid}"


def new_id(prefix: Literal["wfl", "tsk", "exe"], bucket: int) -> str:
    """A fresh id. The one function of the domain that looks at a clock: an id is a name, its time is no fact.

    All 80 random bits are drawn anew each time. Nothing is kept between calls, so neither threads nor forked
    processes can count on from one another's state and arrive at the same id.
    """
    return make_id(prefix, bucket, time.time_ns() // 1_000_000, os.urandom(10))


def dynamic_step_id(client_step_key: str) -> str:
    """The stepId of a dynamic step; known steps never begin with its prefix, so the two can't meet."""
    return DYNAMIC_STEP_PREFIX + client_step_key
