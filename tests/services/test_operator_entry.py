"""What an operator does is on record under a name that may be longer than the audit's column (S13)."""

import pytest

from taskstatus.models import AuditEntry
from taskstatus.services.revoke_credentials import revoke_credentials
from tests.support.cast import coordinator

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_long_name_is_cut_and_stops_nothing():
    execution_id = coordinator().running().context["executionId"]
    assert revoke_credentials(execution_id, "o" * 150) == 2
    entry = AuditEntry.objects.get(action="REVOKE_CREDENTIALS")
    assert (entry.actor, entry.object_id, entry.outcome) == ("o" * 64, execution_id, "DONE")
