"""The locks: pinned with hashes, alike but for the package that needs a compiler, and free of addresses."""

import re

import pytest

from tests.contracts.source_rules import ROOT

LOCKS = ["requirements.txt", "requirements-embedded.txt", "requirements-dev.txt"]


def blocks(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.split(r"(?m)^(?=[A-Za-z0-9])", text)
    return {block.partition("==")[0]: block for block in found if "==" in block}


def direct(name: str) -> set[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {re.split(r"[=\[ ]", line)[0] for line in lines if re.match(r"[a-z]", line)}


def test_the_embedded_lock_is_the_full_one_without_mysqlclient():
    full = blocks("requirements.txt")
    del full["mysqlclient"]
    assert blocks("requirements-embedded.txt") == full


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes(name):
    assert blocks(name)
    assert [package for package, block in blocks(name).items() if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", LOCKS)
def test_no_lock_names_an_index_or_a_place_of_a_machine(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"://|--(index|extra-index|find-links|trusted)|^\s*(-f|-i|/)| @ ", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_whatever_is_asked_for_is_pinned(name):
    assert direct(f"{name}.in") <= set(blocks(f"{name}.txt"))
