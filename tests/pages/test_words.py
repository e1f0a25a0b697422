"""Every word of the pages has its translation, and the compiled catalogues are the written ones."""

import ast
import gettext
import re
import subprocess
from shutil import which

import pytest

from taskstatus.config.env import BASE_DIR

LOCALE = BASE_DIR / "locale" / "zh_Hans" / "LC_MESSAGES"
SCRIPTS = sorted((BASE_DIR / "taskstatus" / "static" / "taskstatus" / "js").rglob("*.js"))
TEMPLATES = sorted((BASE_DIR / "templates").rglob("*.html"))
CALL = re.compile(r"""\b(n|p)?gettext\(\s*((?:"(?:[^"\\]|\\.)*"\s*,?\s*)+)""")


def catalogue(domain):
    with (LOCALE / f"{domain}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def words_of_scripts():
    """What each call of a gettext function names: (context or None, text)."""
    for script in SCRIPTS:
        for kind, arguments in CALL.findall(script.read_text(encoding="utf-8")):
            texts = ast.literal_eval(f"[{arguments}]")
            yield (texts[0], texts[1]) if kind == "p" else (None, texts[0])


def test_the_scripts_words_are_translated():
    words = catalogue("djangojs")
    said = {(context, text) for context, text in words_of_scripts()}
    assert len(said) > 100
    translated = {(c, t): words.pgettext(c, t) if c else words.gettext(t) for c, t in said}
    assert [
        text for (_, text), translation in translated.items() if translation == text and text not in plurals(words)
    ] == []


def plurals(words):
    return {key[0] for key in words._catalog if isinstance(key, tuple)}


def test_the_templates_words_are_translated():
    words = catalogue("django")
    texts = [
        t
        for path in TEMPLATES
        for t in re.findall(r'{% translate ["\'](.*?)["\'] %}', path.read_text(encoding="utf-8"))
    ]
    assert len(texts) > 10
    assert [text for text in texts if words.gettext(text) == text] == []


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_the_compiled_catalogue_is_the_written_one(domain, tmp_path):
    if which("msgfmt") is None:
        pytest.skip("gettext's msgfmt is not installed")
    compiled = tmp_path / "compiled.mo"
    subprocess.run(["msgfmt", "--check", "-o", compiled, LOCALE / f"{domain}.po"], check=True)
    with compiled.open("rb") as file:
        assert gettext.GNUTranslations(file)._catalog == catalogue(domain)._catalog


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_a_translation_names_the_same_places(domain):
    place = re.compile(r"%\(\w+\)s|%[sd]")
    for key, translation in catalogue(domain)._catalog.items():
        text = key[0] if isinstance(key, tuple) else key.rpartition("\x04")[2]
        if text:
            assert sorted(place.findall(text)) == sorted(place.findall(translation)), text
