"""What is written is read back as it was, by this reader and by a YAML 1.1 one."""

import hypothesis
import pytest
import yaml
from hypothesis import strategies as st

from registries.exchange.yaml_reader import read_yaml
from registries.exchange.yaml_writer import write_yaml

TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=30)
HARD_TEXT = st.one_of(
    TEXT,
    st.sampled_from(["1e5", "08", "0o7", "no", "true", "~", "", "null", "1:30", "- a", "a: b", "#", "*", "@none"]),
    st.from_regex(r"[-+]?[0-9]{0,3}\.?[0-9]{0,3}([eE][-+]?[0-9]{1,2})?", fullmatch=True),
)
NUMBERS = st.one_of(st.integers(-(2**63) + 1, 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, HARD_TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(HARD_TEXT, inner, max_size=4)),
    max_leaves=12,
)


@hypothesis.settings(deadline=None, max_examples=300, suppress_health_check=[hypothesis.HealthCheck.too_slow])
@hypothesis.given(VALUES)
def test_every_value_comes_back(value):
    assert read_yaml(write_yaml(value).encode()) == value


@hypothesis.settings(deadline=None, max_examples=100)
@hypothesis.given(HARD_TEXT)
def test_other_readers_find_the_same_text(text):
    assert yaml.safe_load(write_yaml([text])) == [text]


def test_shared_values_are_written_out():
    shared = ["TASK"]
    assert "&" not in write_yaml([shared, shared])


@pytest.mark.parametrize("text", ["排队中", "Größe"])
def test_people_can_read_other_scripts(text):
    assert text in write_yaml({"en": text})
