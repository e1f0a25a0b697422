"""Runs the whole service in the foreground: migrations, then the web server, the relay, the worker with its beat.

SIGTERM or Ctrl-C, to this process or to its group, ends all of it; so does the end of any of them.
"""

import signal
import sys

from runlib import SERVICE, end, manage, require_free_port, run_all
from taskstatus.config.env import load_env


def main() -> int:
    """Prepare the database, then serve."""
    signal.signal(signal.SIGTERM, end)
    require_free_port(load_env().port)
    manage("migrate", "--no-input", "--verbosity", "0")
    return run_all(SERVICE)


if __name__ == "__main__":
    sys.exit(main())
