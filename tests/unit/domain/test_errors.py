"""Codes and kinds of refusals (protocol 3), and what goes with one."""

import pytest

from taskstatus.domain.errors import KIND_OF, RETRYABLE, DomainError, ErrorKind, invalid_field

PROTOCOL_3 = {
    "INVALID": "MALFORMED_BODY INVALID_FIELD UNKNOWN_FIELD IDEMPOTENCY_KEY_MISMATCH",
    "METHOD_NOT_ALLOWED": "METHOD_NOT_ALLOWED",
    "NOT_ACCEPTABLE": "NOT_ACCEPTABLE",
    "UNSUPPORTED_MEDIA_TYPE": "UNSUPPORTED_MEDIA_TYPE",
    "UNAUTHENTICATED": "TOKEN_MISSING TOKEN_INVALID TOKEN_EXPIRED HANDLE_EXPIRED",
    "FORBIDDEN": "ROLE_REQUIRED PERMISSION_REQUIRED SCOPE_MISMATCH PRODUCER_MISMATCH OPERATION_MISMATCH "
    "ATTEMPT_MISMATCH EVENT_TYPE_NOT_ALLOWED TASK_TYPE_MISMATCH CHILD_OPERATION_NOT_ALLOWED PARENT_NOT_ALLOWED",
    "NOT_FOUND": "WORKFLOW_NOT_FOUND TASK_NOT_FOUND STEP_NOT_REGISTERED EXECUTION_NOT_FOUND EVENT_NOT_FOUND "
    "DEFINITION_NOT_FOUND PATH_NOT_FOUND",
    "CONFLICT": "EVENT_ID_REUSED CLIENT_KEY_REUSED EXTERNAL_REF_TAKEN TERMINAL_STATE ILLEGAL_TRANSITION "
    "ATTEMPT_STILL_RUNNING ATTEMPT_LIMIT WORKFLOW_SEALED CLASSIFICATION_FROZEN SEQUENCE_GAP",
    "GONE": "TIMELINE_PURGED EVENT_WINDOW_CLOSED TASK_ARCHIVED",
    "PRECONDITION": "VERSION_MISMATCH",
    "TOO_LARGE": "BODY_TOO_LARGE DATA_TOO_LARGE BATCH_TOO_LARGE",
    "UNPROCESSABLE": "SCHEMA_NOT_ALLOWED DATA_REJECTED UNKNOWN_BUSINESS_STATUS STATUS_NOT_REACHABLE UNKNOWN_OPERATION",
    "PRECONDITION_REQUIRED": "IF_MATCH_REQUIRED",
    "LIMITED": "RATE_LIMITED DYNAMIC_STEP_LIMIT DEPTH_LIMIT PARALLEL_LIMIT REGISTRATION_RATE_LIMIT "
    "DETAIL_SUBSCRIPTION_LIMIT WATCH_SET_LIMIT STREAM_LIMIT",
    "UNAVAILABLE": "DATABASE_BUSY DATABASE_UNAVAILABLE ROUTE_UNKNOWN",
}


def test_the_protocols_codes_are_there_and_one_for_what_was_not_foreseen():
    expected = {code: kind for kind, codes in PROTOCOL_3.items() for code in codes.split()}
    assert dict(KIND_OF) == {**expected, "INTERNAL_ERROR": ErrorKind.INTERNAL}


def test_only_limits_in_time_and_unavailability_are_worth_a_retry():
    unavailable = {code for code, kind in KIND_OF.items() if kind is ErrorKind.UNAVAILABLE}
    assert {"RATE_LIMITED", "PARALLEL_LIMIT", "REGISTRATION_RATE_LIMIT"} | unavailable == RETRYABLE


@pytest.mark.parametrize("code", sorted(KIND_OF))
def test_a_wait_goes_with_retryable_codes_and_with_no_other(code):
    error = DomainError(code, "Words.", retry_after_seconds=7)
    assert error.retryable is (code in RETRYABLE)
    assert error.retry_after_seconds == (7 if code in RETRYABLE else None)


def test_a_retryable_refusal_without_a_wait_asks_for_one_second():
    assert DomainError("DATABASE_BUSY", "Words.").retry_after_seconds == 1


def test_a_bad_member_is_pointed_at():
    error = invalid_field("/attempt", "The next attempt is 2.")
    assert (error.code, error.kind) == ("INVALID_FIELD", ErrorKind.INVALID)
    assert [(e.pointer, e.code, e.detail) for e in error.errors] == [
        ("/attempt", "INVALID_FIELD", "The next attempt is 2.")
    ]


def test_an_unknown_code_is_a_fault_of_ours():
    with pytest.raises(KeyError):
        _ = DomainError("NO_SUCH_CODE", "Words.").kind
