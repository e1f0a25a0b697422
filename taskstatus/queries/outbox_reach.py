"""Which of the outbox's messages an account may look after: its tenant's, by their channels (acceptance S13)."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from outbox.models import OutboxMessage
from taskstatus.projections.channels import tenant_beginnings, tenant_channel
from taskstatus.queries.session_users import tenant_of


def within_reach(
    account: AbstractBaseUser | AnonymousUser, messages: QuerySet[OutboxMessage]
) -> QuerySet[OutboxMessage]:
    """All messages for a superuser, the tenant's for its operators, none without a profile."""
    if getattr(account, "is_superuser", False):
        return messages
    tenant = tenant_of(account) if isinstance(account, AbstractBaseUser) else None
    if tenant is None:
        return messages.none()
    own = Q(channel=tenant_channel(tenant))
    for beginning in tenant_beginnings(tenant):
        own |= Q(channel__startswith=beginning)
    return messages.filter(own)
