"""Principals and references that stand in a path instead of a body."""

from taskstatus.commands.tasks import ExternalRefPart, Grant
from taskstatus.services.grant_access import Principal


def principal_of(principal_type: str, principal_id: str) -> Principal:
    """The principal that a path names; raises INVALID_FIELD with the path's names as pointers."""
    Grant.read({"principalType": principal_type, "principalId": principal_id, "permission": "VIEW"})
    return Principal(principal_type, principal_id)


def reference_of(ref_type: str, ref_value: str) -> ExternalRefPart:
    """The outside number that a path or query names; raises INVALID_FIELD."""
    return ExternalRefPart.read({"refType": ref_type, "refValue": ref_value})
