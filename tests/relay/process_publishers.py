"""Publishers for relay processes: what they did is read from the file that RELAY_RECORD names."""

import os
import signal
import time
from pathlib import Path

from realtime.centrifugo import CentrifugoPublisher
from tests.support.waiting import eventually


class Recorder:
    """Notes the ids of every batch in one line, and takes 2 ms for it, as a fast Centrifugo does."""

    seconds = 0.002

    def publish(self, deliveries, timeout_seconds):  # noqa: ARG002 - a protocol
        time.sleep(self.seconds)
        line = " ".join(str(delivery.id) for delivery in deliveries) + "\n"
        record = os.open(os.environ["RELAY_RECORD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(record, line.encode())
        os.close(record)
        return [None] * len(deliveries)


class Meeting(Recorder):
    """Ends its first batch only when another process has begun one: each of two has a share."""

    has_met = False

    def publish(self, deliveries, timeout_seconds):
        if not self.has_met:
            _neighbour(f"met-{os.getpid()}").touch()
            eventually(lambda: len(list(_neighbour("").glob("met-*"))) > 1, what="the meeting")
            self.has_met = True
        return super().publish(deliveries, timeout_seconds)


class Patient(Recorder):
    """Ends no batch until the test lets it."""

    def publish(self, deliveries, timeout_seconds):
        eventually(_neighbour("go-on").exists, what="the word to go on")
        return super().publish(deliveries, timeout_seconds)


class PublishesAndDies(CentrifugoPublisher):
    """Publishes to the real Centrifugo; before the relay can settle, the process is gone."""

    def publish(self, deliveries, timeout_seconds):
        assert super().publish(deliveries, timeout_seconds) == [None] * len(deliveries)
        os.kill(os.getpid(), signal.SIGKILL)


def _neighbour(name):
    """A file beside the record."""
    return Path(os.environ["RELAY_RECORD"]).parent / name
