"""Who changes definitions."""

from dataclasses import dataclass
from typing import Final

MAX_NAME: Final = 150


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, for the history, and the only tenant whose definitions they may reach; None reaches all."""

    name: str
    tenant: str | None = None

    def may_reach(self, tenant: str) -> bool:
        """Whether definitions of that tenant exist for this actor."""
        return self.tenant is None or self.tenant == tenant


COMMAND_LINE: Final = Actor("command-line")
