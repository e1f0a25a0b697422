"""Execution handles: opaque keys for workers, of which only the SHA-256 is stored (protocol 1 and 2)."""

import base64
import hashlib
import re
import secrets
from typing import Final

from taskstatus.domain.identifiers import bucket_digits

# 160 random bits, which are 32 base32 characters without padding.
_RANDOM_BYTES: Final = 20
HANDLE_PATTERN: Final = re.compile(r"exh_[0-3][0-9A-HJKMNP-TV-Z]{2}_[A-Z2-7]{32}")


def new_handle(bucket: int) -> str:
    """Return a fresh handle `exh_BBB_…` for a bucket, 0 to 4095; ValueError for any other.

    The bucket is a routing hint and no permission: what a handle opens, its stored hash says.
    """
    random = base64.b32encode(secrets.token_bytes(_RANDOM_BYTES)).decode("ascii")
    return f"exh_{bucket_digits(bucket)}_{random}"


def hash_handle(handle: str) -> str:
    """Return the SHA-256 of a handle in hex: the only form that is stored and looked up."""
    return hashlib.sha256(handle.encode()).hexdigest()
