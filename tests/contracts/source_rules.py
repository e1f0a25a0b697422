"""Rules of the architecture that imports alone don't show, judged on the syntax tree of a module.

Each rule takes a module's tree and yields what breaks it; ``test_source_rules.py`` says where each
holds, and proves on bad sources that it can find something.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ALWAYS_WRITES = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "a")
    for name in ("save", "bulk_create", "bulk_update", "get_or_create", "update_or_create")
)
# Dictionaries, hashes and caches have these too: told apart by the form of the call.
MAYBE_WRITES = frozenset({"create", "update", "delete", "acreate", "aupdate", "adelete"})
QUERYSET_WORDS = frozenset({"objects", "_base_manager", "_default_manager", "filter", "exclude", "all"})
WRITING_SQL = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE|TRUNCATE)\s", re.IGNORECASE)
TRANSACTION_WORDS = frozenset(
    {"atomic", "set_autocommit", "savepoint", "savepoint_commit", "savepoint_rollback", "commit", "rollback"},
)
MANAGERS = frozenset({"objects", "_base_manager", "_default_manager"})


@dataclass(frozen=True)
class Breach:
    """One place that breaks a rule."""

    line: int
    what: str


Rule = Callable[[ast.Module], Iterator[Breach]]


def model_writes(tree: ast.Module) -> Iterator[Breach]:
    """Yield calls that write rows, and SQL that does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _writes(node, node.func):
            yield Breach(node.lineno, f".{node.func.attr}(")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_writing_sql(node.value):
            yield Breach(node.lineno, node.value.split(maxsplit=2)[0])


def _writes(call: ast.Call, function: ast.Attribute) -> bool:
    if function.attr in ALWAYS_WRITES:
        return True
    if function.attr not in MAYBE_WRITES:
        return False
    if QUERYSET_WORDS & set(_names_in(function.value)):
        return True
    if function.attr.endswith("delete"):
        return not call.args and not call.keywords
    # `update(status=…)`, `create(**fields)`: a dictionary is updated from another one instead.
    return bool(call.keywords) and not call.args


def _names_in(chain: ast.expr) -> Iterator[str]:
    for node in ast.walk(chain):
        if isinstance(node, ast.Attribute):
            yield node.attr


def _is_writing_sql(text: str) -> bool:
    return bool(WRITING_SQL.match(text)) and bool(re.search(r"\b(INTO|SET|FROM|TABLE)\b", text))


def transactions(tree: ast.Module) -> Iterator[Breach]:
    """Yield every use of Django's transaction control, but for ``on_commit``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "django.db.transaction":
            yield from (Breach(node.lineno, name.name) for name in node.names if name.name in TRANSACTION_WORDS)
        if isinstance(node, ast.Attribute) and node.attr in TRANSACTION_WORDS:
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr == "atomic" or owner in {"transaction", "connection"}:
                yield Breach(node.lineno, f"{owner}.{node.attr}")


def manager_of(models: frozenset[str]) -> Rule:
    """Return the rule that none of ``models`` is queried directly, under whatever name it is imported."""

    def rule(tree: ast.Module) -> Iterator[Breach]:
        names = models | _aliases(tree, models)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in MANAGERS and _last_name(node.value) in names:
                yield Breach(node.lineno, f"{_last_name(node.value)}.{node.attr}")

    return rule


def _aliases(tree: ast.Module, models: frozenset[str]) -> frozenset[str]:
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return frozenset(name.asname for node in imports for name in node.names if name.asname and name.name in models)


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def modules(*places: str, but: tuple[str, ...] = ()) -> list[Path]:
    """Return the Python files of ``places``, files or folders, without migrations and without ``but``."""
    excepted = tuple(ROOT / path for path in but)
    found = (file for place in places for file in _files(ROOT / place))
    return sorted(
        file
        for file in found
        if "migrations" not in file.parts and not any(file == path or path in file.parents for path in excepted)
    )


def _files(place: Path) -> Iterator[Path]:
    return place.rglob("*.py") if place.is_dir() else iter([place] if place.exists() else [])


def breaches(rule: Rule, files: list[Path]) -> list[str]:
    """Return ``path:line what`` for every breach of the rule in the files."""
    return [
        f"{file.relative_to(ROOT)}:{breach.line} {breach.what}"
        for file in files
        for breach in rule(ast.parse(file.read_text(encoding="utf-8")))
    ]
