"""Who looks after dead letters in the admin."""

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from taskstatus.models import UserProfile

LIST = reverse("admin:outbox_outboxmessage_changelist")


def operator(*permissions: str, tenant: str | None = "acme", name: str = "olga") -> Client:
    """A new operator of the tenant, logged in, who may see messages and do what is named; None is no tenant."""
    user = User.objects.create_user(name, password="x", is_staff=True)
    if tenant is not None:
        UserProfile.objects.create(account=user, tenant_id=tenant)
    names = [f"{permission}_outboxmessage" for permission in ("view", *permissions)]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client = Client()
    client.force_login(user)
    return client


def act(client: Client, action: str, *ids: int) -> str:
    """The page that comes after an action on these messages."""
    answer = client.post(LIST, {"action": action, "_selected_action": ids}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()
