"""Real MySQL, which Debian's stable releases don't carry: taken from sid into a folder of its own."""

import os
import shutil

from stacklib import mysql_family
from stacklib.packages import as_root, program, run_quietly, say
from stacklib.processes import Daemon
from stacklib.services import greets, port_for_start
from stacklib.state import MYSQL_ROOT, STACK_DIR, Unavailable, remembered_port

PACKAGE = "mysql-server-core"
# Paths as the server sees them, inside its own root.
DATA = "/srv/mysql/data"
INIT_FILE = "/srv/mysql/init.sql"
# Neither the X protocol nor the folder for file exports is needed, and the bare package lacks the latter.
OPTIONS = ("--mysqlx=OFF", "--secure-file-priv=NULL")


class MySQL:
    """A MySQL server in a Debian root of its own under ``var/mysql``."""

    name = "mysql"

    def __init__(self) -> None:
        """Know the server by its root folder, named on its command line."""
        self.daemon = Daemon(STACK_DIR / self.name, f"--pid-file=/srv/mysql/{_checkout_mark()}.pid")

    def start(self) -> None:
        """Bring the root and make the data folder at the first start, then start the server."""
        if os.geteuid() != 0:
            raise Unavailable("MySQL runs in a root of its own, which needs root: call this as root")
        if not (MYSQL_ROOT / "srv/mysql").is_dir():
            self._bring()
        if not (MYSQL_ROOT / DATA[1:] / "mysql").is_dir():
            self._create_data()
        port = port_for_start(self.name)
        mysql_family.write_init_file(MYSQL_ROOT / INIT_FILE[1:], self.name)
        options = mysql_family.server_options(DATA, port, INIT_FILE)
        self.daemon.start([*_server(), *options, *OPTIONS, "--user=root", self.daemon.mark])
        self.daemon.wait_until(lambda: greets(port), mysql_family.START_SECONDS)

    def environment(self) -> dict[str, str]:
        """Return the URL of the database."""
        return {"DATABASE_URL": mysql_family.database_url(self.name, remembered_port(self.name))}

    def _bring(self) -> None:
        debootstrap = program(("debootstrap",), "debootstrap")
        say("bringing MySQL from Debian sid into var/mysql (about 900 MB, two minutes)")
        shutil.rmtree(MYSQL_ROOT, ignore_errors=True)
        MYSQL_ROOT.mkdir(parents=True)
        make_root = [debootstrap, "--variant=minbase", "sid", str(MYSQL_ROOT)]
        run_quietly(as_root(make_root), "debootstrap failed")
        install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", PACKAGE]
        run_quietly(["chroot", str(MYSQL_ROOT), *install], f"{PACKAGE} could not be installed")
        run_quietly(["chroot", str(MYSQL_ROOT), "apt-get", "clean"], "apt-get clean failed")
        # Made last: its presence says that the root is whole.
        (MYSQL_ROOT / "srv/mysql").mkdir(mode=0o700)

    def _create_data(self) -> None:
        command = [*_server(), "--initialize-insecure", f"--datadir={DATA}", "--user=root"]
        run_quietly(command, "MySQL could not create its data folder")


def _server() -> list[str]:
    return ["chroot", str(MYSQL_ROOT), "/usr/sbin/mysqld", "--no-defaults"]


def _checkout_mark() -> str:
    # chroot hides the folder from the server's command line, so the pid file's name carries it.
    return str(MYSQL_ROOT).strip("/").replace("/", "-")
