"""Which sentences of the acceptance list are shown by which tests: `python -m tests.acceptance_report [--json]`.

The tests are read and not imported, so that the report needs nothing but Python. It ends with 1 where a marker names
an id that the list doesn't have.
"""

# ruff: noqa: T201 - printing is what it is for

import argparse
import ast
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

from tests.acceptance_ids import ACCEPTANCE_IDS

TESTS = Path(__file__).resolve().parent

Marks = dict[str, list[str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def collect(root: Path = TESTS) -> Marks:
    """The tests below `root` by the ids they accept, in the list's order; unknown ids come last.

    A test is named as pytest names it, from the folder that holds `root`: `tests/…/test_x.py::test_y`.
    """
    found: Marks = {}
    for path in sorted(root.rglob("test_*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"), str(path))
        name = path.relative_to(root.parent).as_posix()
        for test, ids in _tests(module, name, _ids_of(_module_marks(module))):
            for accepted in ids:
                found.setdefault(accepted, []).append(test)
    order = {accepted: place for place, accepted in enumerate(ACCEPTANCE_IDS)}
    return {accepted: found[accepted] for accepted in sorted(found, key=lambda i: (order.get(i, len(order)), i))}


def unknown_ids(marks: Marks) -> list[str]:
    """The ids that some test names and the list doesn't have."""
    return [accepted for accepted in marks if accepted not in ACCEPTANCE_IDS]


def open_ids(marks: Marks) -> list[str]:
    """The ids of the list that no test names."""
    return [accepted for accepted in ACCEPTANCE_IDS if accepted not in marks]


def _tests(scope: ast.Module | ast.ClassDef, name: str, inherited: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Every test of a module or class with its ids, those of what surrounds it included."""
    for node in scope.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            ids = inherited + _ids_of(node.decorator_list)
            yield from _tests(node, f"{name}::{node.name}", ids)
        elif isinstance(node, Function) and node.name.startswith("test"):
            yield f"{name}::{node.name}", list(dict.fromkeys(inherited + _ids_of(node.decorator_list)))


def _module_marks(module: ast.Module) -> list[ast.expr]:
    """The marks that `pytestmark` gives to all tests of a module."""
    for node in module.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            return node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
    return []


def _ids_of(marks: Sequence[ast.expr]) -> list[str]:
    """What `pytest.mark.accepts(…)` names among these marks."""
    return [_text(argument) for mark in marks if _accepts(mark) for argument in mark.args]


def _accepts(mark: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.accepts"


def _text(argument: ast.expr) -> str:
    # Anything but a literal is shown as it is written, and so is unknown.
    return str(argument.value) if isinstance(argument, ast.Constant) else ast.unparse(argument)


def _print_table(marks: Marks) -> None:
    for accepted in ACCEPTANCE_IDS:
        print(accepted, *(marks.get(accepted) or ["open"]), sep="\n    ")
    missing = open_ids(marks)
    print(f"{len(ACCEPTANCE_IDS) - len(missing)} of {len(ACCEPTANCE_IDS)} have a test; open: {' '.join(missing)}")


def main(arguments: Sequence[str] | None = None, root: Path = TESTS) -> int:
    """Print the report; return 1 where a test names an id that doesn't exist."""
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance_report", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print {id: [tests]} and nothing else")
    marks = collect(root)
    unknown = unknown_ids(marks)
    if parser.parse_args(arguments).json:
        print(json.dumps({accepted: marks[accepted] for accepted in marks if accepted not in unknown}, indent=2))
    else:
        _print_table(marks)
    for accepted in unknown:
        print(f"unknown id {accepted}: {', '.join(marks[accepted])}", file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
