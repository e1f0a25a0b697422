"""`manage.py relay`'s rhythm: no pause while there is work, then ever longer ones, and a bell that ends them."""

import logging

import pytest
from django.db import OperationalError

from outbox.relay import DrainReport
from outbox.relay.loop import Loop

FULL, SOME, NOTHING = DrainReport(claimed=9, batch_full=True), DrainReport(claimed=1), DrainReport()


class Script:
    """A relay, its bell and its end in one: drains by a list and rings where told."""

    def __init__(self, *reports, rings=()):
        self.reports = list(reports)
        self.rings = set(rings)
        self.pauses = []

    def drain(self, _budget, _stopping):
        report = self.reports.pop(0)
        if isinstance(report, Exception):
            raise report
        return report

    def wait(self, seconds):
        self.pauses.append(round(seconds, 3))
        return len(self.pauses) in self.rings

    def run(self):
        Loop(self, self, lambda: not self.reports).run()
        return self.pauses


def test_pauses_double_from_20_to_500_ms_while_nothing_comes():
    assert Script(*[NOTHING] * 8).run() == [0.04, 0.08, 0.16, 0.32, 0.5, 0.5, 0.5, 0.5]


def test_a_full_batch_is_followed_by_the_next_at_once():
    assert Script(FULL, FULL, FULL, SOME).run() == [0.02]


def test_work_and_the_bell_shorten_the_pause_again():
    assert Script(NOTHING, NOTHING, SOME, NOTHING).run() == [0.04, 0.08, 0.02, 0.04]
    assert Script(NOTHING, NOTHING, NOTHING, rings=[2]).run() == [0.04, 0.08, 0.04]


def test_a_database_that_is_away_is_told_once_and_waited_for(caplog):
    away = OperationalError(2002, "Can't connect to user:password@host")
    with caplog.at_level(logging.WARNING):
        Script(away, away, away, SOME, NOTHING).run()
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "password" not in caplog.text


def test_any_other_fault_ends_the_process():
    with pytest.raises(ZeroDivisionError):
        Script(ZeroDivisionError()).run()
