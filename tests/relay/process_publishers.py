"""Publishers for relay processes: what they did is read from the file that RELAY_RECORD names."""

import os
import signal
import time

from realtime.centrifugo import CentrifugoPublisher


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


class SlowRecorder(Recorder):
    """Is long at it."""

    seconds = 1.5


class PublishesAndDies(CentrifugoPublisher):
    """Publishes to the real Centrifugo; before the relay can settle, the process is gone."""

    def publish(self, deliveries, timeout_seconds):
        assert super().publish(deliveries, timeout_seconds) == [None] * len(deliveries)
        os.kill(os.getpid(), signal.SIGKILL)
