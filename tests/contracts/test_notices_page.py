"""docs/subsystems/notices.md shows the table of notices as it is in the code."""

import re
from pathlib import Path

from taskstatus.domain.decisions import NoticeType
from taskstatus.projections.notice_kinds import KINDS, OPTIONAL_STEP_FAILED, STALE_FOR_LONG, NoticeKind

PAGE = (Path(__file__).parents[2] / "docs" / "subsystems" / "notices.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|]+ \| `(\w+)` \| (\w+) \| ([^|]+) \| (\w+) \|$", re.MULTILINE)


def row(notice_type: NoticeType, kind: NoticeKind) -> tuple[str, str, str, str]:
    return notice_type.value, kind.level.value, str(kind.title), kind.offline.value


def test_the_page_and_the_code_have_one_table():
    written = ROW.findall(PAGE)
    known = [row(notice_type, kind) for notice_type, kind in KINDS.items()]
    known += [row(NoticeType.STEP_FAILED, OPTIONAL_STEP_FAILED), row(NoticeType.TASK_STALE, STALE_FOR_LONG)]
    assert sorted(written) == sorted(known)


def test_every_type_of_the_protocol_has_a_row():
    assert set(KINDS) == set(NoticeType)
