"""Redis: rate limits, the Celery broker, leases of subscriptions."""

from stacklib.packages import program
from stacklib.processes import Daemon
from stacklib.services import answers, port_for_start
from stacklib.state import STACK_DIR, remembered_port

START_SECONDS = 15


class Redis:
    """A Redis server that keeps what it holds over a restart."""

    name = "redis"

    def __init__(self) -> None:
        """Know the server by its data folder."""
        folder = STACK_DIR / self.name
        self.daemon = Daemon(folder, f"--dir {folder}")

    def start(self) -> None:
        """Start the server on loopback."""
        server = program(("redis-server",), "redis-server")
        port = port_for_start(self.name)
        options = ["--bind", "127.0.0.1", "--port", str(port), "--databases", "64"]
        # Without the title that Redis gives its process, the command line stays what it was.
        place = ["--dir", str(self.daemon.folder), "--set-proc-title", "no"]
        keeping = ["--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"]
        self.daemon.start([server, *options, *place, *keeping])
        self.daemon.wait_until(lambda: answers(port), START_SECONDS)

    def environment(self) -> dict[str, str]:
        """Return the URL of the first of its databases."""
        return {"REDIS_URL": f"redis://127.0.0.1:{remembered_port(self.name)}/0"}
