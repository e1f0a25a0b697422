"""Fields for what forms of Django don't know: JSON in an editor, texts by language, lists of codes."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

_SEPARATORS: Final = re.compile(r"[\s,]+")


class JsonEditor(forms.Textarea):
    """A text area that a script turns into an editor with colours, line numbers and the error at its line."""

    template_name = "registries/widgets/json_editor.html"

    def __init__(self, rows: int = 8) -> None:
        super().__init__({"rows": rows, "spellcheck": "false", "autocapitalize": "off", "wrap": "off"})


class JsonError(forms.ValidationError):
    """A fault in a JSON text, with the line on which it stands."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(_("Line %(line)d: %(message)s") % {"line": line, "message": message}, "json")
        self.line = line


class JsonMapField(forms.CharField):
    """A JSON object or list, written by hand; kept as its author wrote it when it has to be shown again."""

    widget = JsonEditor

    def __init__(self, *, kind: type = dict, rows: int = 8, **options: Any) -> None:
        self.kind = kind
        super().__init__(widget=JsonEditor(rows), strip=False, **options)

    def prepare_value(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """Write a value down in lines; a text stays as it is."""
        return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)

    def to_python(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """Read the text, or say on which line it is no JSON."""
        text = str(value or "").strip()
        if not text:
            return None if self.required else self.kind()
        try:
            read = json.loads(str(value), object_pairs_hook=_once_each, parse_constant=_no_number)
        except json.JSONDecodeError as error:
            raise JsonError(_json_words(error), error.lineno) from None
        except RecursionError:
            raise JsonError(_("It is nested too deeply."), 1) from None
        if not isinstance(read, self.kind):
            wanted = _("an object in { }") if self.kind is dict else _("a list in [ ]")
            raise JsonError(_("Write %(wanted)s here.") % {"wanted": wanted}, 1)
        return read


def _json_words(error: json.JSONDecodeError) -> str:
    return _("This is no JSON: %(what)s (column %(column)d).") % {"what": error.msg, "column": error.colno}


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonError(_("The member “%(name)s” stands there twice; keep one.") % {"name": twice}, 1)
    return members


def _no_number(word: str) -> None:
    raise JsonError(_("%(word)s is no number of JSON.") % {"word": word}, 1)


class TextsField(forms.CharField):
    """Texts by language, one on a line: `en: Parsing`."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.Textarea({"rows": 2, "class": "texts"}))
        super().__init__(required=False, **options)

    def prepare_value(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """Write each language on a line."""
        return "\n".join(f"{tag}: {text}" for tag, text in value.items()) if isinstance(value, Mapping) else value

    def to_python(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """Read the lines."""
        texts: dict[str, str] = {}
        for number, line in enumerate(str(value or "").splitlines(), 1):
            tag, colon, text = line.partition(":")
            if line.strip() and not colon:
                message = _("Line %(line)d: write the language, a colon and the text, as “en: Parsing”.")
                raise forms.ValidationError(message % {"line": number})
            if colon:
                texts[tag.strip()] = text.strip()
        return texts or None  # nothing said: the code is shown


class CodesField(forms.CharField):
    """Several codes, with spaces or commas between."""

    def prepare_value(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """Write them in a row."""
        return ", ".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """Read them."""
        return [code for code in _SEPARATORS.split(str(value or "")) if code]
