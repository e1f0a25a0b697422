"""The data schemas that every scope has without defining them (ruling 34)."""

from typing import Any, Final

from registries.data_schema import DataSchema
from taskstatus.domain.definitions import GENERIC_PROGRESS_SCHEMA, GENERIC_RESULT_SCHEMA
from taskstatus.domain.lifecycle import Audience

GENERIC_MAX_BYTES: Final = 2048
_LONGEST_PROGRESS_TEXT: Final = 500


def _flat(scalar: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean", "null"], **scalar},
    }


def _open(name: str, json_schema: dict[str, Any]) -> DataSchema:
    views = frozenset({Audience.USER_SUMMARY, Audience.TASK_DETAIL})
    return DataSchema(name, json_schema, max_bytes=GENERIC_MAX_BYTES, open_views=views)


BUILT_IN_SCHEMAS: Final = {
    GENERIC_PROGRESS_SCHEMA: _open(GENERIC_PROGRESS_SCHEMA, _flat({"maxLength": _LONGEST_PROGRESS_TEXT})),
    GENERIC_RESULT_SCHEMA: _open(GENERIC_RESULT_SCHEMA, _flat({})),
}
