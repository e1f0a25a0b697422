"""MariaDB: the default database of the suite."""

from stacklib import mysql_family
from stacklib.packages import program, run_quietly
from stacklib.processes import Daemon
from stacklib.services import greets, port_for_start
from stacklib.state import STACK_DIR, remembered_port

# The core packages have the server and no service of its own that Debian would start.
PACKAGES = ("mariadb-server-core", "mariadb-client-core")


class MariaDB:
    """A MariaDB server with its data under the stack's folder."""

    name = "mariadb"

    def __init__(self) -> None:
        """Know the server by its data folder."""
        folder = STACK_DIR / self.name
        self.data = folder / "data"
        self.daemon = Daemon(folder, str(self.data))

    def start(self) -> None:
        """Make the data folder at the first start, then start the server."""
        server = program(("mariadbd", "mysqld"), *PACKAGES)
        if not (self.data / "mysql").is_dir():
            self._create_data()
        port = port_for_start(self.name)
        init_file = self.daemon.folder / "init.sql"
        mysql_family.write_init_file(init_file, self.name)
        options = mysql_family.server_options(str(self.data), port, str(init_file))
        self.daemon.start([server, "--no-defaults", *options, *mysql_family.user_option()])
        self.daemon.wait_until(lambda: greets(port), mysql_family.START_SECONDS)

    def environment(self) -> dict[str, str]:
        """Return the URL of the database."""
        return {"DATABASE_URL": mysql_family.database_url(self.name, remembered_port(self.name))}

    def _create_data(self) -> None:
        create = program(("mariadb-install-db", "mysql_install_db"), *PACKAGES)
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        options = [f"--datadir={self.data}", "--skip-test-db", *mysql_family.user_option()]
        run_quietly([create, "--no-defaults", *options], "mariadb-install-db failed")
