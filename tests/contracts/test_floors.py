"""The import contracts of pyproject.toml hold, and no room stands outside the house."""

import re
import subprocess
import sys
import tomllib

from tests.contracts.source_rules import ROOT

# What a Django app must have at its top, and what no floor needs to list.
LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
UNLISTED = frozenset({"__init__", "__pycache__", "apps", "migrations", "locale", "static"})


def contracts() -> dict[str, dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}


def test_imports_keep_to_the_floors():
    command = [
        sys.executable,
        "-c",
        LINT,
    ]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout[-3000:]


def test_every_room_stands_on_a_floor():
    floors = " ".join(map(str, contracts()["floors"]["layers"]))
    listed = set(re.findall(r"taskstatus\.(\w+)", floors))
    rooms = {path.stem for path in (ROOT / "taskstatus").iterdir()}
    assert rooms - UNLISTED <= listed


def test_the_root_package_is_empty():
    assert (ROOT / "taskstatus" / "__init__.py").read_text(encoding="utf-8") == ""
