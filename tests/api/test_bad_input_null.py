"""On input null equals absent, for every member of every command at every depth (protocol, Values)."""

import pytest

from taskstatus.domain.errors import DomainError
from tests.support.bad_bodies import GONE, members, with_value
from tests.support.full_bodies import FULL_BODIES


@pytest.mark.parametrize("name", FULL_BODIES)
def test_null_is_read_like_nothing(name):
    command, bodies = FULL_BODIES[name]
    for body in bodies:
        for member in members(command, body):
            if isinstance(member.path[-1], str) and "value" not in member.path:
                null, absent = (with_value(body, member.path, value) for value in (None, GONE))
                assert outcome(command, null) == outcome(command, absent), member.pointer


def outcome(command, body):
    """The command, or where and how its body is wrong."""
    try:
        return command.read(body)
    except DomainError as error:
        return {(fault.pointer, fault.code) for fault in error.errors}
