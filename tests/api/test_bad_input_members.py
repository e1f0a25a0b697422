"""Every member of every body, wrong in every way: refused with its code and pointer, and nothing is written (S12)."""

import functools
from dataclasses import replace

import pytest

from taskstatus.commands.events import MAX_EVENTS
from taskstatus.commands.heartbeats import MAX_HEARTBEATS
from tests.support.bad_bodies import bad_bodies, bad_members, bad_objects, members, pointers
from tests.support.callers import Calls
from tests.support.full_bodies import FULL_BODIES
from tests.support.openapi import operations
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S12")]


@pytest.fixture
def calls():
    """Calls with right addresses and credentials to every path."""
    return Calls.prepared()


def test_the_bodies_have_every_member_of_every_command():
    assert FULL_BODIES.keys() == {o.name for o in operations() if "requestBody" in o.described}
    for command, bodies in FULL_BODIES.values():
        covered = {member.pointer for body in bodies for member in members(command, body)}
        assert pointers(command) - covered == set(), command.__name__
        for body in bodies:
            command.read(body)


@pytest.mark.parametrize("name", FULL_BODIES)
def test_a_wrong_member_is_named_and_changes_nothing(calls, name):
    with unchanged():
        faults = [fault for bad in all_bad(name) if (fault := calls.fault(name, bad))]
    assert not faults, f"{len(faults)} of {len(all_bad(name))}:\n" + "\n".join(faults[:40])


@functools.cache
def all_bad(name):
    """Every bad body of a path; a member that several bodies have is spoilt in the first.

    The events of a batch are judged by themselves, which has a test of its own.
    """
    command, bodies = FULL_BODIES[name]
    seen, bad = set(), list(bad_bodies(bodies[0]))
    for body in bodies:
        bad += bad_objects((), body, body)
        for member in members(command, body):
            if member.pointer not in seen and member.pointer != "/events/0":
                bad += bad_members(member, body)
                seen.add(member.pointer)
    return [own_code(body) for body in bad]


def own_code(body):
    """Too many events or beats have a code of their own, as the whole batch is judged by it."""
    if body.how in {f"/events: {MAX_EVENTS + 1} items", f"/heartbeats: {MAX_HEARTBEATS + 1} items"}:
        return replace(body, status=413, code="BATCH_TOO_LARGE", pointer=None)
    return body
