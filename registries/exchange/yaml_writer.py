"""Plain values as YAML that `yaml_reader`, and every other reader, takes back as they were."""

from typing import Final

import yaml

from registries.exchange.yaml_reader import plain_value

_TEXT: Final = "tag:yaml.org,2002:str"
_WIDTH: Final = 110
# Line breaks to YAML 1.1 that only double quotes can spell.
_LINE_BREAKS: Final = frozenset("\x85\u2028\u2029")


def write_yaml(value: object) -> str:
    """The value as one YAML document; members keep their order."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


class _Dumper(yaml.SafeDumper):
    """Quotes what YAML 1.1 would misread (the library's care) and what YAML 1.2 would (ours): `1e5`, `08`."""

    def ignore_aliases(self, _data: object) -> bool:
        """Write shared values out: a reviewer reads no anchors."""
        return True

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """Quote a text that would be read as something else, or folded."""
        style = None if isinstance(plain_value(text), str) else "'"
        if _LINE_BREAKS.intersection(text):
            style = '"'
        return self.represent_scalar(_TEXT, text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)
