"""Numbers are read by their value, exactly, and never past what a member can hold."""

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from taskstatus.domain.json_numbers import MAX_INTEGER, OutOfRange, is_out_of_range
from taskstatus.domain.strict_json import parse_object

bounded = settings(max_examples=300, deadline=None)


def read(literal: str) -> object:
    return parse_object(f'{{"n":{literal}}}'.encode())["n"]


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("1.0", 1),
        ("-1.0", -1),
        ("1e3", 1000),
        ("1.50e1", 15),
        ("1000e-3", 1),
        ("0e999999999999999999999", 0),
        ("-0.0", 0),
        ("9007199254740993", 9007199254740993),
        ("9007199254740993.0", 9007199254740993),
        ("9223372036854775807", MAX_INTEGER),
        ("9223372036854775807.0", MAX_INTEGER),
        ("-9223372036854775807e0", -MAX_INTEGER),
        ("1." + "0" * 100_000, 1),
    ],
)
def test_a_whole_number_is_an_int(literal, value):
    assert read(literal) == value
    assert type(read(literal)) is int


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0.1", 0.1),
        ("1.5e300", 1.5e300),
        ("9223372036854775808.0", 2.0**63),
        ("1e19", 1e19),
        ("9007199254740992.5", 9007199254740992.5),
        ("1.00000000000000000000001", 1.0),
        ("0." + "3" * 100_000, 1 / 3),
    ],
)
def test_any_other_is_a_float(literal, value):
    assert read(literal) == value
    assert type(read(literal)) is float


@pytest.mark.parametrize(
    "literal",
    [
        "9223372036854775808",
        "-9223372036854775808",
        "9" * 20,
        "9" * 100_000,
        "1e309",
        "-1e999999999999999999999",
    ],
)
def test_what_no_member_holds_is_marked(literal):
    assert isinstance(read(literal), OutOfRange)


def test_an_exponent_without_end_costs_nothing_and_rounds_to_zero():
    assert read("1e-999999999999999999999") == 0


@bounded
@given(
    st.from_regex(r"-?(0|[1-9][0-9]{0,22})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?", fullmatch=True),
)
@example("9223372036854775807.5")
@example("9223372036854775808e0")
def test_a_literal_is_its_value(literal):
    exact = Decimal(literal)
    value = read(literal)
    if isinstance(value, OutOfRange):
        assert abs(exact) > MAX_INTEGER
    elif isinstance(value, int):
        assert exact == value
    else:
        assert value == float(literal)
        assert abs(exact) > MAX_INTEGER or exact % 1 != 0


@pytest.mark.parametrize("value", [OutOfRange(), float("inf"), float("-inf"), float("nan")])
def test_what_is_out_of_range_is_told(value):
    assert is_out_of_range(value)


@pytest.mark.parametrize("value", [0, -1, 1e308, True, None, "1"])
def test_what_is_in_range_is_told(value):
    assert not is_out_of_range(value)
