"""Reading real files: what text they hold, in which language, and how much of it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bs4 import BeautifulSoup
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from examples.document_pipeline.reporter import StepError

TEXT: Final = frozenset({".txt", ".md", ".rst", ".py", ".js", ".css", ".toml", ".cfg", ".json", ".yaml", ".yml"})
HTML: Final = frozenset({".html", ".htm"})
PDF: Final = frozenset({".pdf"})
READABLE: Final = TEXT | HTML | PDF
CHARACTERS_PER_PAGE: Final = 3000

_COMMON_WORDS: Final = {
    "en": frozenset(["the", "of", "and", "to", "in", "is", "for", "that", "with", "are", "this", "be", "not", "or"]),
    "de": frozenset(["der", "die", "das", "und", "ist", "nicht", "mit", "für", "von", "den", "ein", "eine", "auf"]),
    "fr": frozenset(["le", "la", "les", "des", "et", "est", "pas", "pour", "que", "dans", "une", "sur", "avec", "par"]),
    "es": frozenset(["el", "los", "las", "una", "que", "por", "con", "para", "del", "se", "como", "más", "está"]),
}
_WORD: Final = re.compile(r"[^\W\d_]+")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Page:
    """One page, or one page's worth, of a document."""

    number: int
    total: int
    text: str


def pages(path: Path) -> Iterator[Page]:
    """The document page by page; raises StepError for a file that can't be read as what it claims to be."""
    suffix = path.suffix.lower()
    if suffix in PDF:
        yield from _pdf_pages(path)
    elif suffix in READABLE:
        text = path.read_text(encoding="utf-8", errors="replace")
        yield from _sheets(BeautifulSoup(text, "html.parser").get_text(" ") if suffix in HTML else text)
    else:
        kind = f"Files ending in {suffix}" if suffix else "Files without an ending"
        raise StepError("BUSINESS_INPUT", "UNSUPPORTED_FILE_FORMAT", f"{kind} can't be read.", retryable=False)


def count_words(text: str) -> int:
    """How many words the text has; each Chinese character counts as one."""
    return len(_WORD.findall(_CHINESE.sub(" ", text))) + len(_CHINESE.findall(text))


def language_of(text: str) -> str | None:
    """The language whose commonest words the text has most of; None where none stands out."""
    if len(_CHINESE.findall(text)) > len(text) / 10:
        return "zh"
    words = Counter(_WORD.findall(text.lower()))
    hits = {language: sum(words[word] for word in common) for language, common in _COMMON_WORDS.items()}
    language, number = max(hits.items(), key=lambda pair: pair[1])
    return language if number else None


def _pdf_pages(path: Path) -> Iterator[Page]:
    try:
        reader = PdfReader(path)
        total = len(reader.pages)
        for number, page in enumerate(reader.pages, 1):
            yield Page(number, total, page.extract_text())
    except PyPdfError as error:
        raise StepError(
            "BUSINESS_INPUT", "DAMAGED_FILE", "This PDF is damaged and can't be read.", retryable=False
        ) from error


def _sheets(text: str) -> Iterator[Page]:
    total = max(1, -(-len(text) // CHARACTERS_PER_PAGE))
    for number in range(total):
        start = number * CHARACTERS_PER_PAGE
        yield Page(number + 1, total, text[start : start + CHARACTERS_PER_PAGE])
