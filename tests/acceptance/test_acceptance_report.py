"""The report itself: it finds every marker, names what is open, and lets no wrong id pass."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance_ids import ACCEPTANCE_IDS
from tests.acceptance_report import collect, main, open_ids

MARKED = """
import pytest

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("C01")]

@pytest.mark.parametrize("x", [1])
@pytest.mark.accepts("C02", "C02")
def test_two(x): ...

@pytest.mark.accepts("S05")
class TestGroup:
    @pytest.mark.accepts("C03")
    async def test_three(self): ...

@pytest.mark.accepts("C04")
def helper(): ...
"""


@pytest.fixture
def suite(tmp_path):
    root = tmp_path / "tests"
    (root / "deep").mkdir(parents=True)

    def write(text):
        (root / "deep" / "test_marked.py").write_text(text)
        return root

    return write


def test_it_finds_the_ids_of_functions_classes_and_modules(suite):
    two, three = (f"tests/deep/test_marked.py::{name}" for name in ("test_two", "TestGroup::test_three"))
    assert collect(suite(MARKED)) == {"C01": [two, three], "C02": [two], "C03": [three], "S05": [three]}


def test_the_table_names_tests_and_what_is_open(suite, capsys):
    assert main([], suite(MARKED)) == 0
    out = capsys.readouterr().out
    assert "C02\n    tests/deep/test_marked.py::test_two\n" in out
    assert "P05\n    open\n" in out
    assert f"4 of {len(ACCEPTANCE_IDS)} have a test" in out


@pytest.mark.parametrize("wrong", ['"C99"', '"c01"', "SOME_NAME", "7"])
def test_an_id_that_the_list_lacks_is_a_failure(suite, capsys, wrong):
    assert main(["--json"], suite(f"import pytest\n@pytest.mark.accepts({wrong})\ndef test_it(): ...")) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {}
    assert f"unknown id {wrong.strip(chr(34))}: tests/deep/test_marked.py::test_it" in printed.err


def test_the_json_is_all_that_is_printed_and_pytest_is_not_needed():
    """It runs where only `make setup` was: nothing outside the standard library is imported."""
    command = [sys.executable, "-S", "-m", "tests.acceptance_report", "--json"]
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    report = json.loads(run.stdout)
    assert set(report) == set(ACCEPTANCE_IDS) - set(open_ids(report))
    assert all(test.startswith("tests/") and "::test_" in test for tests in report.values() for test in tests)


def test_every_acceptance_test_says_what_it_shows():
    """The docstring is the sentence of the list in other words."""
    for path in sorted(Path(__file__).parent.glob("test_[a-z]_*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        is_marked = any("mark.accepts" in ast.unparse(node) for node in module.body if isinstance(node, ast.Assign))
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{path.name}::{node.name}"
                marked = is_marked or any("mark.accepts" in ast.unparse(d) for d in node.decorator_list)
                assert marked, f"{path.name}::{node.name}"
