"""What MariaDB and MySQL share: options like production's, one account, one database."""

import os
from pathlib import Path

from stacklib.state import remembered_secret

USER = "taskstatus"
DATABASE = "task_status"
START_SECONDS = 60


def server_options(data: str, port: int, init_file: str) -> list[str]:
    """Return the options of a server that is as durable as production's and listens on loopback only."""
    return [
        f"--datadir={data}",
        "--bind-address=127.0.0.1",
        f"--port={port}",
        # Relative to the data folder, so that a long checkout path can't pass a socket's 107 bytes.
        "--socket=server.sock",
        f"--init-file={init_file}",
        "--skip-name-resolve",
        "--character-set-server=utf8mb4",
        "--max-connections=300",
        "--innodb-buffer-pool-size=256M",
        "--innodb-flush-log-at-trx-commit=1",
    ]


def user_option() -> list[str]:
    """Return what lets root start the server: both refuse unless it is asked for by name."""
    return ["--user=root"] if os.geteuid() == 0 else []


def write_init_file(path: Path, account: str) -> None:
    """Write the SQL that each start runs: the account, its rights, its database."""
    password = remembered_secret(account)
    user = f"'{USER}'@'127.0.0.1'"
    statements = [
        f"CREATE USER IF NOT EXISTS {user} IDENTIFIED BY '{password}'",
        f"ALTER USER {user} IDENTIFIED BY '{password}'",
        rf"GRANT ALL ON `task\_status%`.* TO {user}",
        rf"GRANT ALL ON `test\_%`.* TO {user}",
        # Tests read lock and statement counters.
        f"GRANT PROCESS ON *.* TO {user}",
        f"CREATE DATABASE IF NOT EXISTS {DATABASE} CHARACTER SET utf8mb4",
    ]
    path.touch(mode=0o600)
    path.write_text("".join(f"{statement};\n" for statement in statements), encoding="ascii")


def database_url(account: str, port: int) -> str:
    """Return ``DATABASE_URL`` for the stack's own account."""
    return f"mysql://{USER}:{remembered_secret(account)}@127.0.0.1:{port}/{DATABASE}"
