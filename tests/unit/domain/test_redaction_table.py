"""Nothing of the table gets through, alone or amid a sentence; nothing plain is touched; and no text takes long."""

# ruff: noqa: RUF001 - Chinese sentences have punctuation of their own

import pytest

from taskstatus.domain.redaction import MARKER, redact
from tests.support.leaks import ADDRESSES, PATHS, PLAIN, SECRETS, STATEMENTS, TRACES

TABLE = {
    f"{group}-{name}": case
    for group, table in {
        "secret": SECRETS,
        "path": PATHS,
        "address": ADDRESSES,
        "sql": STATEMENTS,
        "trace": TRACES,
    }.items()
    for name, case in table.items()
}
AMID = {
    "alone": "{}",
    "in-a-sentence": "The import of the contract failed: {} - please try again later.",
    "on-its-own-line": "The import failed.\n{}\nPlease try again.",
    "in-chinese": "导入失败，{}，请稍后重试。",
}


@pytest.mark.parametrize("amid", AMID.values(), ids=list(AMID))
@pytest.mark.parametrize(("text", "gone"), TABLE.values(), ids=list(TABLE))
def test_nothing_of_it_is_left(text, gone, amid):
    shown = redact(amid.format(text) if "{" not in text else amid.replace("{}", text))
    assert [part for part in gone if part in shown] == []
    assert MARKER in shown


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_sentence_stays_whole(text):
    assert redact(text) == text


@pytest.mark.parametrize("bait", [text for text, _gone in TABLE.values()], ids=list(TABLE))
def test_a_mebibyte_of_it_is_read(bait):
    # Work that grows with the square of the length would meet the suite's timeout.
    assert len(redact(bait * (2**20 // len(bait)), max_length=2**14)) <= 2**14


def test_marks_that_lay_bare_one_secret_after_another_end_the_text():
    assert redact("Failed at ab-1:80" + "ab-1:80" * 50 + " now") == f"Failed at {MARKER}"
