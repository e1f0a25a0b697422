"""Numbers as a JSON body spells them: read exactly, within bounds, in time proportional to their spelling."""

import math
from decimal import Decimal
from typing import Final

MAX_INTEGER: Final = 2**63 - 1

_LONGEST_INTEGER: Final = len(str(-MAX_INTEGER))


class OutOfRange:
    """Stands where a number stood that no member can hold, so that the member's own check refuses it."""

    __slots__ = ()


def read_integer(literal: str) -> int | OutOfRange:
    """The value of a literal that is all digits, if it lies within ±(2^63-1)."""
    if len(literal) > _LONGEST_INTEGER:  # int() of 100,000 digits would be slow, and refused
        return OutOfRange()
    number = int(literal)
    return number if -MAX_INTEGER <= number <= MAX_INTEGER else OutOfRange()


def read_real(literal: str) -> int | float | OutOfRange:
    """The value of a literal with a fraction or an exponent: a whole one within ±(2^63-1) is an int."""
    number = float(literal)
    if math.isinf(number):
        return OutOfRange()
    if not number.is_integer() or abs(number) > MAX_INTEGER + 1:
        return number
    if number == 0:
        return 0  # also what underflows: the exponent may be one that Decimal refuses
    # The double may be a neighbour of what was written, so the literal itself decides. Its exponent is now
    # known to be no larger than its length allows, which keeps this linear.
    exact = Decimal(literal)
    whole = int(exact)
    return whole if whole == exact and abs(whole) <= MAX_INTEGER else number


def is_out_of_range(value: object) -> bool:
    """Whether this is a number that can't be stored: the marker, or a double that is no number of JSON's."""
    return isinstance(value, OutOfRange) or (isinstance(value, float) and not math.isfinite(value))
