"""H06 on real servers: MariaDB is stopped for longer than everybody's timeout, and nobody turns STALE for it.

The suite runs it short. In full, as a minute with 2,000 leases of 30 s: `make outage`, or OUTAGE_LEASES=2000
OUTAGE_SECONDS=60 OUTAGE_TIMEOUT_SECONDS=30 with pytest's -s; the figures are printed.
"""

import os
import time

import pytest

from tests.deployment.fleet import fleet_at_sea
from tests.support.waiting import eventually

LEASES = int(os.environ.get("OUTAGE_LEASES", "60"))
TIMEOUT_SECONDS = int(os.environ.get("OUTAGE_TIMEOUT_SECONDS", "20"))
OUTAGE_SECONDS = int(os.environ.get("OUTAGE_SECONDS", str(TIMEOUT_SECONDS + 2)))
# Of those that are left when it is over, one in so many beats no more.
ONE_IN = 20
PATIENCE_SECONDS = 300
# The reconciler has been coming by for two seconds since.
JUDGED_SINCE = (
    "SELECT 1 FROM service_pulse WHERE name = 'reconciler'"
    " AND seen_at > (SELECT MAX(ended_at) FROM service_outage) + INTERVAL 2 SECOND"
)
# A beat that was on its way when the database came back may have been heard before the outage was written down as over.
_LONGEST = "FROM service_outage ORDER BY TIMESTAMPDIFF(SECOND, began_at, ended_at) DESC LIMIT 1"
_BELIEVED_FROM = f"IF(last_beat < (SELECT began_at {_LONGEST}), (SELECT ended_at {_LONGEST}), last_beat)"
TOLD_TOO_SOON = (
    "SELECT COUNT(*) FROM (SELECT stale_since, heartbeat_timeout_seconds, l.last_heartbeat_at AS last_beat"
    " FROM task_step s JOIN task_execution_lease l USING (execution_id) WHERE s.health = 'STALE') silent"
    f" WHERE stale_since < {_BELIEVED_FROM} + INTERVAL heartbeat_timeout_seconds SECOND"
)

pytestmark = [pytest.mark.accepts("H06"), pytest.mark.timeout(1_800)]


def test_a_database_that_was_away_for_longer_than_all_timeouts_makes_nobody_stale(tmp_path):
    """All come due with it. Those who beat again are healthy all along; those who don't are found silent, once each."""
    with fleet_at_sea(tmp_path) as fleet:
        fleet.begin(LEASES, TIMEOUT_SECONDS)
        with fleet.beats(period_seconds=1):
            eventually(lambda: fleet.answered >= 2 * LEASES, PATIENCE_SECONDS, "the beats")
            assert fleet.stale() == {}
            fleet.database.kill()
            stopped = time.monotonic()
            eventually(lambda: time.monotonic() - stopped >= OUTAGE_SECONDS, 2 * PATIENCE_SECONDS, "the outage")
            lost, silent = fleet.unanswered, fleet.workers[::ONE_IN]
            fleet.beating = ()
            fleet.database.start()
            started = time.monotonic()
            ended = "SELECT 1 FROM service_outage WHERE ended_at IS NOT NULL"
            eventually(lambda: fleet.database.ask(ended), PATIENCE_SECONDS, "the end of the outage")
            found, answered = time.monotonic() - started, fleet.answered
            eventually(lambda: fleet.database.ask(JUDGED_SINCE), PATIENCE_SECONDS, "passes over those not yet back")
            assert fleet.stale() == {}
            fleet.beating = [worker for worker in fleet.workers if worker not in silent]
            eventually(lambda: len(fleet.stale()) >= len(silent), PATIENCE_SECONDS, "the silence of the silent")
            told = time.monotonic() - started
            eventually(lambda: fleet.answered >= answered + 2 * len(fleet.beating), PATIENCE_SECONDS, "the beats")
        assert fleet.stale() == {worker.context["executionId"]: 1 for worker in silent}
        assert fleet.refused == []
        assert lost >= LEASES
        assert fleet.database.ask(TOLD_TOO_SOON) == [(0,)]
        outages = fleet.database.ask("SELECT TIMESTAMPDIFF(SECOND, began_at, ended_at) FROM service_outage")
        assert max(int(str(seconds)) for (seconds,) in outages) >= OUTAGE_SECONDS
        print(  # noqa: T201 - the figures of the long form
            f"\n{LEASES} leases of {TIMEOUT_SECONDS} s, database away for {OUTAGE_SECONDS} s: {lost} beats lost, "
            f"0 false STALE; outage written down {found:.1f} s after the restart {sorted(outages)}; "
            f"{len(silent)} of {len(silent)} silent ones STALE after {told:.1f} s; "
            f"{fleet.answered} beats accepted, 0 refused"
        )
