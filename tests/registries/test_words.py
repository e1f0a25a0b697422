"""Every complaint about definitions has its translation."""

import ast
import gettext

from registries import problems
from taskstatus.config.env import BASE_DIR

CATALOGUE = BASE_DIR / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.mo"
CALLS = frozenset({"gettext", "gettext_lazy", "_"})


def words_of_the_registries() -> set[str]:
    """What each call of a gettext function says; the admin's pages have a test of their own."""
    package = BASE_DIR / problems.__name__.partition(".")[0]
    files = [path for path in package.rglob("*.py") if "admin" not in path.parts]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in CALLS]
    texts = [argument.value for call in named for argument in call.args[:1] if isinstance(argument, ast.Constant)]
    assert len(texts) == len(named), "a text that is put together can't be translated"
    return {text for text in texts if isinstance(text, str)}


def test_they_are_translated():
    said = words_of_the_registries()
    assert len(said) > 70
    with CATALOGUE.open("rb") as file:
        words = gettext.GNUTranslations(file)
    assert [text for text in sorted(said) if words.gettext(text) == text] == []
