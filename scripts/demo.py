"""Runs the demo: the service, a coordinator and three workers on real files, and people who can log in.

Writes `var/demo.json` once the board answers. SIGTERM or Ctrl-C ends all of it.
"""

import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import django
import yaml

from runlib import ROOT, SERVICE, end, manage, require_free_port, run_all
from taskstatus.config.env import load_env

DEFINITIONS: Final = ROOT / "examples" / "definitions" / "worked_example.yaml"
ROLES: Final = ("coordinator", "prepare", "parse", "store")
# The producers that each process speaks for; it gets their tokens and no other's.
PRODUCERS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "coordinator": {"coordinator": ("business", "coordinator")},
    "prepare": {"file-service": ("worker",)},
    "parse": {"document-parser": ("worker",), "agent-librarian": ("worker",)},
    "store": {"result-service": ("worker",), "search-service": ("worker",)},
}
TOKEN_SECONDS: Final = 30 * 24 * 3600
START_SECONDS: Final = 120
# Below those that systems give to connections by themselves.
UNASSIGNED_PORTS: Final = range(20_000, 32_000)


@dataclass(frozen=True, slots=True)
class Login:
    """Someone who can log in to the demo; `role` is user, operator or admin."""

    username: str
    password: str
    role: str


def make_logins(tenant: str) -> list[Login]:
    """Make, or find again, a user who owns the tasks, an operator and an administrator, with new passwords."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - Django has to be set up first
    from django.contrib.auth.models import Permission  # noqa: PLC0415
    from django.db.models import Q  # noqa: PLC0415

    from taskstatus.models import UserProfile  # noqa: PLC0415

    of_tasks = Q(codename__in=("view_task", "correct_task", "reconcile_task", "revoke_execution"))
    rights = Permission.objects.filter(Q(content_type__app_label__in=("registries", "outbox")) | of_tasks)
    logins = [
        Login(name, secrets.token_urlsafe(9), role)
        for name, role in (("alice", "user"), ("olga", "operator"), ("root", "admin"))
    ]
    for login in logins:
        account, _ = get_user_model().objects.get_or_create(username=login.username)
        account.is_staff = login.role != "user"
        account.is_superuser = login.role == "admin"
        account.set_password(login.password)
        account.save()
        account.user_permissions.set(rights if login.role == "operator" else ())
        UserProfile.objects.update_or_create(account=account, defaults={"tenant_id": tenant})
    return logins


def pipeline_input(folder: str) -> dict[str, str]:
    """Somebody's own folder, with all that is in it; else documentation that is there with Python's packages.

    Ends this process where there is no such folder.
    """
    if not folder:
        # Of many thousand files those that are quick to read and not empty.
        return {"PIPELINE_INPUT": str(Path(django.__file__).parents[1]), "PIPELINE_FILE_BYTES": "400-100000"}
    path = Path(folder).expanduser().resolve()
    if not path.is_dir():
        sys.exit(f"DEMO_INPUT={folder}: there is no such folder.")
    return {"PIPELINE_INPUT": str(path)}


def pipeline_environments(url: str, tenant: str, scope: str, var: Path) -> dict[str, dict[str, str]]:
    """What each process of the pipeline is told, its own service tokens among it."""
    from taskstatus.identity.minting import mint_service  # noqa: PLC0415 - Django has to be set up first

    ports = zip(ROLES, free_ports(len(ROLES)), strict=True)
    common = {
        "PIPELINE_URL": url,
        **pipeline_input(os.environ.get("DEMO_INPUT", "")),
        "PIPELINE_VAR": str(var),
        "PIPELINE_PORTS": ",".join(f"{role}:{port}" for role, port in ports),
    }

    def token(name: str, roles: tuple[str, ...]) -> str:
        return mint_service(tenant=tenant, scope=scope, producer_id=name, roles=roles, ttl_seconds=TOKEN_SECONDS)

    def tokens(role: str) -> str:
        return " ".join(f"{name}={token(name, roles)}" for name, roles in PRODUCERS[role].items())

    return {role: {**common, "PIPELINE_TOKENS": tokens(role)} for role in ROLES}


def free_ports(count: int) -> list[int]:
    """Loopback ports that nobody listens on, and that no connection gets before the process that each is for starts."""
    found: set[int] = set()
    while len(found) < count:
        port = secrets.choice(UNASSIGNED_PORTS)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.add(port)
    return list(found)


def announce(url: str, logins: list[Login], environment: dict[str, str], target: Path) -> None:
    """Wait until the board answers and all processes are up; then say where everything is."""
    var = Path(environment["PIPELINE_VAR"])
    deadline = time.monotonic() + START_SECONDS
    while not (answers(url) and all((var / f"{role}.pid").exists() for role in ROLES)):
        if time.monotonic() > deadline:
            print("demo: the board does not answer", file=sys.stderr, flush=True)
            return
        time.sleep(0.2)
    ports = dict(pair.split(":") for pair in environment["PIPELINE_PORTS"].split(","))
    services = [
        {
            "name": role,
            "pid": int((var / f"{role}.pid").read_text(encoding="utf-8")),
            "address": f"http://127.0.0.1:{ports[role]}/",
        }
        for role in ROLES
    ]
    write_whole(
        target,
        {
            "url": url,
            "adminUrl": f"{url}admin/",
            "users": [{"username": who.username, "password": who.password, "role": who.role} for who in logins],
            "services": services,
        },
    )
    print(f"\nThe board: {url}", flush=True)
    for who in logins:
        print(f"  {who.role}: {who.username} / {who.password}", flush=True)
    print(f"Admin: {url}admin/   API: {url}api/docs/\n", flush=True)


def answers(url: str) -> bool:
    """Whether something useful comes from this address."""
    try:
        with urllib.request.urlopen(url, timeout=2) as response:  # noqa: S310 - our own http address
            return bool(response.status < 400)
    except (urllib.error.URLError, OSError):
        return False


def write_whole(target: Path, document: dict[str, Any]) -> None:
    """Write the file so that readers see all of it or nothing; only its owner may read the passwords in it."""
    draft = target.with_suffix(".tmp")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(document, indent=2), encoding="utf-8")
    draft.replace(target)


def main() -> int:
    """Prepare database, people and tokens, then run all processes."""
    signal.signal(signal.SIGTERM, end)
    env = load_env()
    require_free_port(env.port)
    var = env.var_dir / "pipeline"
    var.mkdir(parents=True, exist_ok=True)
    target = env.var_dir / "demo.json"
    for old in (target, *var.glob("*.pid")):
        old.unlink(missing_ok=True)
    manage("migrate", "--no-input", "--verbosity", "0")
    manage("load_definitions", str(DEFINITIONS))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskstatus.config.settings")
    django.setup()
    definitions = yaml.safe_load(DEFINITIONS.read_text(encoding="utf-8"))
    url = f"http://127.0.0.1:{env.port}/"
    logins = make_logins(definitions["tenant"])
    environments = pipeline_environments(url.rstrip("/"), definitions["tenant"], definitions["authorityScope"], var)
    threading.Thread(target=announce, args=(url, logins, environments[ROLES[0]], target), daemon=True).start()
    workers = {role: f"examples.document_pipeline.services {role}" for role in ROLES if role != "coordinator"}
    commands = {**SERVICE, **workers, "coordinator": "examples.document_pipeline.coordinator"}
    try:
        return run_all(commands, environments)
    finally:
        target.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
