"""A MariaDB of a test's own, to be killed and started again; it is as durable as production's."""

import shutil
import subprocess
from pathlib import Path
from typing import BinaryIO

import MySQLdb

from stacklib.mysql_family import user_option
from tests.conftest import unavailable
from tests.support.ports import free_port
from tests.support.waiting import eventually

START_SECONDS = 60
NAME = "restarted"
# Any will do for this server; it is looked for in logs.
PASSWORD = "pass-7c1e8e0d"


class OwnDatabase:
    """One server on a free loopback port, with its data in the folder; it asks nobody for a password."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"mysql://root:{PASSWORD}@127.0.0.1:{self.port}/{NAME}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Make the data folder, start the server, and make the database."""
        data = self._folder / "data"
        data.mkdir(parents=True)
        options = ["--no-defaults", f"--datadir={data}", "--skip-test-db", *user_option()]
        with self._output() as output:
            subprocess.run([_program("mariadb-install-db"), *options], stdout=output, stderr=output, check=True)
        self.start()
        self.ask(f"CREATE DATABASE {NAME} CHARACTER SET utf8mb4", database="")

    def start(self) -> None:
        """Start the server, or start it again, and wait until it answers."""
        options = [
            f"--datadir={self._folder / 'data'}",
            f"--port={self.port}",
            "--bind-address=127.0.0.1",
            "--socket=server.sock",
            "--skip-grant-tables",
            "--skip-name-resolve",
            "--character-set-server=utf8mb4",
            "--innodb-buffer-pool-size=64M",
            "--innodb-flush-log-at-trx-commit=1",
            *user_option(),
        ]
        with self._output() as output:
            self._process = subprocess.Popen(
                [_program("mariadbd"), "--no-defaults", *options], stdout=output, stderr=output
            )
        eventually(self._answers, START_SECONDS, "the database's start")

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)

    def ask(self, sql: str, *, database: str = NAME) -> list[tuple[object, ...]]:
        """The rows of a statement, past the service."""
        connection = MySQLdb.connect(host="127.0.0.1", port=self.port, user="root", passwd=PASSWORD, database=database)
        try:
            cursor = connection.cursor()
            cursor.execute(sql)
            return list(cursor.fetchall())
        finally:
            connection.close()

    def _answers(self) -> bool:
        try:
            return bool(self.ask("SELECT 1", database=""))
        except MySQLdb.Error:
            return False

    def _output(self) -> BinaryIO:
        return (self._folder / "output").open("ab")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        unavailable(f"{name} (apt-get install mariadb-server-core)")
    return found
