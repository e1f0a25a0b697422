"""YAML is read as plain JSON values, by YAML 1.2's core schema, and strictly."""

import pytest

from registries.exchange.yaml_reader import MAX_FILE_BYTES, read_yaml
from registries.problems import DefinitionsRefusedError


def read(text: str) -> object:
    return read_yaml(text.encode())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("tRue", "tRue"),
        ("null", None),
        ("~", None),
        ("''", ""),
        ("12", 12),
        ("-0", 0),
        ("010", 10),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", "9223372036854775808"),
        ("9" * 5000, "9" * 5000),
        ("'12'", "12"),
        ('"true"', "true"),
        ("|\n  12\n", "12\n"),
    ],
)
def test_scalars(text, value):
    found = read(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["yes", "no", "on", "off", "y", "1:30", "2024-01-01", "0o7", "<<", "="])
def test_what_only_yaml_1_1_would_interpret_stays_text(text):
    assert read(text) == text


def test_members_may_be_named_on_and_no():
    assert read("on: 1\nno: 2") == {"on": 1, "no": 2}


def test_an_alias_is_followed():
    assert read("a: &both [1, 2]\nb: *both") == {"a": [1, 2], "b": [1, 2]}


def test_json_is_yaml():
    assert read('{"a": [1, true, null, "x\\u00e9"]}') == {"a": [1, True, None, "xé"]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"a: 1\nb: 2\na: 3", "'a' stands twice in one map, again at line 3, column 1"),
        (b"a: {b: 1, b: 2}", "'b' stands twice"),
        (b"!!python/object/apply:os.system ['true']", "tag tag:yaml.org,2002:python/object/apply:os.system"),
        (b"a: !!int '3'", "at line 1, column 4"),
        (b"a: [", "not YAML at line 2"),
        (b"a: \tb: c", "not YAML"),
        (b"--- a\n--- b", "document"),
        (b"a: \xff", "not UTF-8 at byte 3"),
        (b"a: \x07", "not YAML"),
        (b"? [1]\n: 2", "name at line 1, column 3 is not text"),
        (b"&a [*a]", "deeper than 64 levels"),
        (b"[" * 70 + b"]" * 70, "deeper than 64 levels"),
        (b"[" * 200_000, "not YAML"),
        (b"a" * (MAX_FILE_BYTES + 1), "split it"),
    ],
)
def test_refused(content, complaint):
    with pytest.raises(DefinitionsRefusedError) as refusal:
        read_yaml(content)
    assert complaint in str(refusal.value)


def test_a_bomb_of_aliases_is_refused_before_it_is_unpacked():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]" for n in range(1, 15)]
    with pytest.raises(DefinitionsRefusedError, match="values"):
        read("\n".join(lines))


def test_an_empty_file_is_nothing():
    assert read("") is None
    assert read("# only a comment") is None
