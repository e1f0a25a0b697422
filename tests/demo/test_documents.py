"""What the demo's pipeline makes of real files: which it takes, what it reads in them, and what it refuses."""

import itertools

import pytest
from pypdf import PdfWriter

from demo import pipeline_input
from examples.document_pipeline.documents import CHARACTERS_PER_PAGE, count_words, language_of, pages
from examples.document_pipeline.files import files_of
from examples.document_pipeline.reporter import StepError

ANY = range(1, 50_000_001)
ENGLISH = "The parser reads this page and counts the words of it."


@pytest.fixture
def folder(tmp_path):
    for number in range(12):
        (tmp_path / f"letter{number:02}.txt").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "page.html").write_text(f"<html><body><p>{ENGLISH}</p></body></html>", encoding="utf-8")
    for name in ("photo.raw", "sound.raw", "film.xyz"):
        (tmp_path / name).write_bytes(b"\0" * 500)
    (tmp_path / "empty.txt").touch()
    return tmp_path


def names(folder, sizes=ANY):
    return [path.name for path in files_of(folder, sizes)]


def test_every_file_comes_once_and_one_that_nobody_can_read_comes_early(folder):
    found = names(folder)
    assert sorted(found) == sorted(path.name for path in folder.rglob("*.*") if path.stat().st_size)
    assert {name.rpartition(".")[2] for name in found[:2]} == {"txt", "html"}
    assert found[3].endswith((".raw", ".xyz"))


def test_a_few_files_are_taken_too_and_a_folder_without_any_gives_none(tmp_path):
    assert names(tmp_path) == []
    (tmp_path / "photo.raw").write_bytes(b"\0")
    assert names(tmp_path) == ["photo.raw"]
    (tmp_path / "note.txt").write_text("x", encoding="utf-8")
    assert names(tmp_path) == ["note.txt", "photo.raw"]


def test_sizes_are_respected(folder):
    assert set(names(folder, range(400, 1000))) == {"photo.raw", "sound.raw", "film.xyz"}


def test_a_folder_of_ones_own_is_taken_whole_and_the_default_by_size(folder, monkeypatch):
    told = pipeline_input(str(folder))
    assert told == {"PIPELINE_INPUT": str(folder)}
    assert pipeline_input("")["PIPELINE_FILE_BYTES"] == "400-100000"
    monkeypatch.chdir(folder)
    assert pipeline_input("below") == {"PIPELINE_INPUT": str(folder / "below")}
    with pytest.raises(SystemExit, match="there is no such folder"):
        pipeline_input(str(folder / "none"))


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.py", "a.HTML"])
def test_text_is_read_sheet_by_sheet(tmp_path, name):
    path = tmp_path / name
    path.write_text("word " * 2000, encoding="utf-8")
    read = list(pages(path))
    assert [(page.number, page.total) for page in read] == [(n + 1, len(read)) for n in range(4)]
    assert max(len(page.text) for page in read) == CHARACTERS_PER_PAGE
    # A word that a sheet's end cuts in two is counted on both.
    assert 2000 <= sum(count_words(page.text) for page in read) <= 2003


def test_markup_is_no_text(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<html><body><h1>One</h1><p class='x'>two <b>three</b></p></body></html>", encoding="utf-8")
    assert [count_words(page.text) for page in pages(path)] == [3]


def test_a_pdf_has_its_own_pages(tmp_path):
    writer = PdfWriter()
    for _ in range(3):
        writer.add_blank_page(200, 200)
    writer.write(tmp_path / "blank.pdf")
    assert [(page.number, page.total) for page in pages(tmp_path / "blank.pdf")] == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("name", "code"),
    [("photo.raw", "UNSUPPORTED_FILE_FORMAT"), ("broken.pdf", "DAMAGED_FILE"), ("none", "UNSUPPORTED_FILE_FORMAT")],
)
def test_what_cannot_be_read_is_an_error_with_a_code_and_no_path(tmp_path, name, code):
    path = tmp_path / name
    path.write_bytes(b"%PDF-1.7 no more than this")
    with pytest.raises(StepError) as refusal:
        list(itertools.islice(pages(path), 1))
    told = refusal.value.body
    assert (told["code"], told["retryable"]) == (code, False)
    assert str(tmp_path) not in told["userMessage"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        ("Der Satz ist nicht lang und die Wörter sind für den Test.", "de"),
        ("Le texte est dans la langue des auteurs et pas pour nous.", "fr"),
        ("El texto que se lee con los ojos y para una prueba del programa.", "es"),
        ("任务状态服务记录每一个事实", "zh"),
        ("0 1 2 3", None),
    ],
)
def test_the_language_is_told_by_its_commonest_words(text, language):
    assert language_of(text) == language
