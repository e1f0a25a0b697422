"""Every test begins without the definitions that an earlier one cached."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from registries.resolver import forget
from tests.admin.support import operator

EVERY_RIGHT = (
    *("view", "add", "change", "delete", "publish", "retire"),
    *("view_definitionscope", "view_definitionchange", "import_definitions", "export_definitions", "try_events"),
)


@pytest.fixture(autouse=True)
def no_cached_definitions() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.fixture
def root(db: None) -> Client:
    """Return a superuser, who has no tenant and sees all."""
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def olga(db: None) -> Client:
    """Return an operator of acme with every right over definitions."""
    return operator("olga", *EVERY_RIGHT)


@pytest.fixture
def mallory(db: None) -> Client:
    """Return an operator of another tenant with the same rights there."""
    return operator("mallory", *EVERY_RIGHT, tenant="globex")
