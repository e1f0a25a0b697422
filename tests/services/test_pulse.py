"""A web process says that it takes reports and beats, and goes on saying so after trouble with the database."""

import pytest

from taskstatus.config import pulse as pulses
from taskstatus.domain.errors import DomainError
from taskstatus.models import ServicePulse
from taskstatus.services.watch_outages import give_sign
from tests.support.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pulse():
    """A pulse that beats fast, and is stopped in the end."""
    own = pulses.Pulse(0.01)
    yield own
    own.stop()


def sign():
    """When the web last gave a sign."""
    return ServicePulse.objects.filter(pk=ServicePulse.WEB).values_list("seen_at", flat=True).first()


def test_the_sign_comes_at_once_and_again(pulse):
    """The row is made by the first sign, and moves with the next."""
    assert sign() is None
    pulse.start()
    eventually(lambda: sign() is not None)
    first = sign()
    eventually(lambda: sign() > first)


def test_trouble_with_the_database_ends_no_pulse(pulse, monkeypatch):
    """A sign that fails is left out, and the one after it is given."""
    troubles = iter([DomainError("DATABASE_UNAVAILABLE", "gone")] * 2)

    def sign_after_trouble(name):
        for trouble in troubles:
            raise trouble
        give_sign(name)

    monkeypatch.setattr(pulses, "give_sign", sign_after_trouble)
    pulse.start()
    eventually(lambda: sign() is not None)
