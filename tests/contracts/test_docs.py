"""What README and docs say of settings, libraries and files is so."""

import dataclasses
import re
from pathlib import Path

import pytest

from taskstatus.config.env import BASE_DIR, Env

README = (BASE_DIR / "README.md").read_text(encoding="utf-8")
PAGES = [BASE_DIR / "README.md", BASE_DIR / "CHANGELOG.md", *sorted((BASE_DIR / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
SETTING = re.compile(r"^\| `([A-Z_]+)`\*? \| (?:`([^`]*)`|\u2013) \| .+ \|$", re.MULTILINE)
LIBRARY = re.compile(r"^([a-z0-9-]+)(?:\[|==| |$)", re.MULTILINE)


def section(title: str) -> str:
    """The part of the README under this heading."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_table_of_settings_has_every_setting_once_with_its_default():
    shown = SETTING.findall(section("Settings"))
    real = [(field.name.upper(), field.metadata["default"]) for field in dataclasses.fields(Env)]
    assert sorted(shown) == sorted(real)


def test_the_table_of_libraries_has_every_requirement():
    required = LIBRARY.findall((BASE_DIR / "requirements.in").read_text(encoding="utf-8"))
    assert set(re.findall(r"`([a-z0-9-]+)`", section("Libraries"))) >= set(required)


def anchors(page: Path) -> set[str]:
    """The places in a page that a link can lead to, as GitHub names them."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(BASE_DIR)))
def test_every_link_leads_somewhere(page):
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_decision_is_numbered_once_and_in_turn():
    numbers = [page.name[:4] for page in sorted((BASE_DIR / "docs" / "adr").glob("*.md"))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def linked(page: Path) -> set[Path]:
    """The pages that a page links to."""
    links = (link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link)
    return {(page.parent / path).resolve() for path in links if path.endswith(".md")}


def test_every_page_is_found_by_whoever_reads_on_from_the_readme():
    found, waiting = set(), {BASE_DIR / "README.md"}
    while waiting:
        page = waiting.pop()
        found.add(page)
        waiting |= linked(page) - found
    assert [str(page) for page in PAGES if page not in found] == []
