"""Requests made from the OpenAPI document alone, right ones and wrong ones: every answer is one that it foresees."""

from zlib import crc32

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.callers import Calls
from tests.support.openapi import operations

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S12")]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# The same requests in every run, within the time that the whole suite can spare.
BOUNDED = settings(
    max_examples=10, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)

schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", get_wsgi_application())


@pytest.fixture
def calls():
    """Right addresses and credentials; the test's connection outlives its requests."""
    prepared = Calls.prepared()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield prepared
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@BOUNDED
def test_every_answer_is_foreseen(case, calls):
    (operation,) = [o for o in operations() if o.name == case.operation.definition.raw["operationId"]]
    made_up = case.path_parameters or {}
    case.path_parameters = {name: real_or(value, calls.values.get(name, value)) for name, value in made_up.items()}
    proof = {} if operation.described["security"] == [{}] else {"Authorization": f"Bearer {calls.token(operation)}"}
    case.call_and_validate(headers=proof, checks=CHECKS)


def real_or(made_up, real):
    """Often what is really there, so that more than the first check of a path is reached; always alike."""
    return made_up if crc32(repr(made_up).encode()) % 4 == 0 else real
