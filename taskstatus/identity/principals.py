"""Who a proven credential stands for. None of these carries a token or a secret."""

from dataclasses import dataclass, field
from datetime import datetime

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import EventType, Role


@dataclass(frozen=True, slots=True)
class Service:
    """One producer of one tenant and authority scope, with what it may be used for (protocol 2)."""

    tenant: str
    scope: str
    producer_id: str
    roles: frozenset[Role]

    def require(self, *roles: Role) -> None:
        """Raise ROLE_REQUIRED unless the service has one of `roles`."""
        if self.roles.isdisjoint(roles):
            raise DomainError("ROLE_REQUIRED", f"This call needs the role {' or '.join(roles)}.")


@dataclass(frozen=True, slots=True)
class User:
    """One person of one tenant, and the session that limits per session are counted for (protocol 2)."""

    tenant: str
    user_id: str
    projects: frozenset[str]
    roles: frozenset[str]
    # A Django session's key is a credential, so it stays out of every repr.
    session_id: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ExecutionClaims:
    """One execution, and which events its producer may report until `expires_at` (protocol 2).

    `generation` lets a withdrawal outdate every token that was issued before it.
    """

    tenant: str
    scope: str
    workflow_id: str
    task_id: str
    task_attempt: int
    step_id: str
    step_attempt: int
    execution_id: str
    operation_code: str
    producer_id: str
    allowed_event_types: frozenset[EventType]
    generation: int
    expires_at: datetime
