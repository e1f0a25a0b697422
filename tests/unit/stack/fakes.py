"""Servers that start and stop in memory."""

from stacklib.state import Unavailable


class FakeDaemon:
    def __init__(self, pid=None):
        self.number = pid

    def pid(self):
        return self.number

    def stop(self):
        was, self.number = self.number, None
        return was is not None


class FakeService:
    def __init__(self, name, *, running=False, trouble=None):
        self.name, self.daemon, self.trouble = name, FakeDaemon(1 if running else None), trouble

    def start(self):
        if self.trouble:
            raise Unavailable(self.trouble)
        self.daemon.number = 2

    def environment(self):
        return {f"{self.name.upper()}_URL": f"{self.name}://x"}
