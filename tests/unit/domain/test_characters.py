"""The character classes of protocol 1 mean the same to Python's engine and to pydantic's."""

import re
import unicodedata
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from taskstatus.domain import characters

CLASSES = {
    "CALLER_KEY": (
        characters.CALLER_KEY,
        ["a", "Evt-1", "a.b_c:d-9", "-"],
        ["", "a b", "a/b", "é", "a\x00", "a~"],
    ),
    "CODE": (
        characters.CODE,
        ["A", "A.B_9", "DOCUMENT.PARSE"],
        ["", "a", "9A", "_A", ".A", "A-B", "A B", "É"],
    ),
    "NAME": (characters.NAME, ["a", "tenant-1", "A.b_c"], ["", "a:b", "a/b", "a b", "名", "a\x1f"]),
    "PRINTABLE": (characters.PRINTABLE, ["!", "~", "s3://x?y=1"], ["", " ", "a b", "a\x7f", "é", "a\t"]),
    "TITLE_TEXT": (
        characters.TITLE_TEXT,
        [" ", "解析 😀", "\u2028", "\u202e", "\u200f", "\u00ad"],
        ["", "a\tb", "a\rb", "\x00", "\x1f", "\x7f", "\x80", "\x85", "\x9f"],
    ),
    "FREE_TEXT": (
        characters.FREE_TEXT,
        ["a\nb", "\t", "\n", "解析", "\u2029"],
        ["", "a\rb", "\x00", "\x0b", "\x0c", "\x7f", "\x85"],
    ),
}
PATTERNS = [pattern for pattern, _, _ in CLASSES.values()]


def in_python(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text) is not None


def in_pydantic(pattern: str, text: str) -> bool:
    try:
        TypeAdapter(Annotated[str, Field(pattern=pattern)]).validate_python(text)
    except ValidationError:
        return False
    return True


@pytest.fixture(params=[in_python, in_pydantic])
def accepts(request):
    return request.param


@pytest.mark.parametrize(("pattern", "good", "bad"), CLASSES.values(), ids=CLASSES)
def test_each_class_takes_its_characters_and_no_others(accepts, pattern, good, bad):
    assert [text for text in good if not accepts(pattern, text)] == []
    assert [text for text in bad if accepts(pattern, text)] == []


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p != characters.FREE_TEXT])
@pytest.mark.parametrize("text", ["A\n", "A\r\n", "\nA", "A\nA"])
def test_a_line_feed_never_slips_in(accepts, pattern, text):
    assert not accepts(pattern, text)


@pytest.mark.parametrize(("pattern", "allowed"), [(characters.TITLE_TEXT, ""), (characters.FREE_TEXT, "\n\t")])
def test_texts_take_everything_but_control_characters(pattern, allowed):
    compiled = re.compile(pattern)
    scalars = (chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)
    wrong = [
        hex(ord(char))
        for char in scalars
        if (compiled.fullmatch(char) is None) != (unicodedata.category(char) == "Cc" and char not in allowed)
    ]
    assert wrong == []


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(PATTERNS), st.text(max_size=8))
def test_both_engines_agree(pattern, text):
    assert in_python(pattern, text) == in_pydantic(pattern, text)
