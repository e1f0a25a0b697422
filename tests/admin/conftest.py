"""Who looks at the admin's pages, and what they may do."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.admin.support import operator
from tests.support.cast import Coordinator, coordinator

EVERY_RIGHT = (
    *("view", "add", "change", "delete", "publish", "retire"),
    *("view_definitionscope", "view_definitionchange", "import_definitions", "export_definitions", "try_events"),
)


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


@pytest.fixture
def vera(db: None) -> Client:
    """Return an operator of acme who may look at tasks, and nothing else."""
    return operator("vera", "view_task")


@pytest.fixture
def carol(patience: None) -> Coordinator:
    """Return the coordinator of acme, whom no slow machine brings into trouble."""
    return coordinator()
