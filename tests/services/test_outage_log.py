"""The log tells of the service's outages in plain moments, and once each time that there is news (convention 22)."""

import pytest

from taskstatus.domain.timestamps import parse_rfc3339
from taskstatus.models import ServicePulse
from taskstatus.services.reconcile_health import reconcile_health
from tests.support.reconciling import UNHURRIED_SCAN_SECONDS, sign

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_outage_is_told_of_when_it_shows_and_when_it_is_over(settings, caplog):
    settings.HEALTH_SCAN_SECONDS = UNHURRIED_SCAN_SECONDS
    caplog.set_level("WARNING", "taskstatus.services.reconcile_health")
    sign(ServicePulse.RECONCILER)
    sign(ServicePulse.WEB, seconds_ago=5 * UNHURRIED_SCAN_SECONDS)
    for _ in range(3):
        assert reconcile_health().is_deaf
    (begun,) = caplog.records
    assert begun.outageEndedAt is None
    sign(ServicePulse.WEB)
    for _ in range(3):
        assert not reconcile_health().is_deaf
    _, over = caplog.records
    assert over.outageBeganAt == begun.outageBeganAt
    assert parse_rfc3339(over.outageEndedAt) > parse_rfc3339(over.outageBeganAt)
