"""Remembers which tokens were proven, so that a token sent a thousand times is checked once."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from taskstatus.identity import clock
from taskstatus.identity.keys import KeySet

PrincipalT = TypeVar("PrincipalT")
MAX_PROOFS: Final = 4_096


@dataclass(frozen=True, slots=True)
class Proof(Generic[PrincipalT]):
    """Whom a token stands for, until when (Unix seconds), and by which keys it was proven."""

    principal: PrincipalT
    expires_at: float
    keys: KeySet


class ProofCache(Generic[PrincipalT]):
    """The proofs of the tokens used last, by the token's SHA-256; the tokens themselves are not kept."""

    def __init__(self, max_proofs: int = MAX_PROOFS) -> None:
        """Hold at most `max_proofs`, dropping what was unused for longest."""
        self._max_proofs = max_proofs
        self._proofs: OrderedDict[bytes, Proof[PrincipalT]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, digest: bytes, keys: KeySet) -> Proof[PrincipalT] | None:
        """Return the proof if it still holds: not expired, and made with these very keys."""
        with self._lock:
            proof = self._proofs.get(digest)
            if proof is None:
                return None
            if proof.keys is not keys or clock.unix_now() >= proof.expires_at:
                del self._proofs[digest]
                return None
            self._proofs.move_to_end(digest)
            return proof

    def put(self, digest: bytes, proof: Proof[PrincipalT]) -> None:
        """Keep a proof, in place of the oldest one where there is no room."""
        with self._lock:
            self._proofs[digest] = proof
            self._proofs.move_to_end(digest)
            if len(self._proofs) > self._max_proofs:
                self._proofs.popitem(last=False)
