"""Sequences of reports as no good caller sends them: doubled, backwards, after the end, with every code."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from taskstatus.domain.definitions import GENERIC_SET, StatusSet
from taskstatus.domain.lifecycle import FailurePolicy
from tests.support.plain import PAPERS, PlainError, PlainProgress, PlainReport

# As often as they stand here: what moves nothing is frequent, so that sequences live long.
STEP_EVENTS = ("STEP_STARTED", *["STEP_PROGRESS"] * 5, "STEP_COMPLETED", *["STEP_FAILED"] * 2, "STEP_CANCELLED")
TASK_EVENTS = (*["TASK_STATUS_CHANGED"] * 8, "TASK_COMPLETED", "TASK_FAILED", "TASK_CANCELLED")
# How far a number goes on from the last one of its stream.
STRIDES = st.sampled_from([-1, 0, 1, 1, 1, 1, 3])

POLICIES = st.tuples(*[st.sampled_from(list(FailurePolicy))] * 2)


@dataclass(frozen=True)
class Said:
    """A report as it was sent: under which id, and about which step, or about the task."""

    event_id: str
    step_id: str | None
    report: PlainReport


@dataclass(frozen=True)
class TryAgain:
    """The coordinator's wish for the next attempt of a failed step."""

    step_id: str


Happening = Said | TryAgain
Told = tuple[StatusSet, list[Happening]]


def _reports(events: Sequence[str], codes: Sequence[str | None]) -> st.SearchStrategy[PlainReport]:
    return st.builds(
        PlainReport,
        event_type=st.sampled_from(events),
        source_seq=STRIDES,
        progress_seq=STRIDES,
        business_status=st.sampled_from(codes),
        phase_code=st.sampled_from([None, None, "OCR", "LAYOUT"]),
        progress=st.none() | st.builds(PlainProgress, st.integers(0, 10)),
        error=st.builds(PlainError, retryable=st.booleans()),
        requires_action=st.sampled_from([None, None, None, True, False]),
    )


def _said(step_ids: Sequence[str | None], reports: st.SearchStrategy[PlainReport]) -> st.SearchStrategy[Said]:
    event_ids = st.integers(1, 200).map("evt-{}".format)
    return st.builds(Said, event_ids, st.sampled_from(step_ids), reports)


def _numbered(happenings: Iterable[Happening]) -> Iterator[Happening]:
    """Turn strides into the numbers of each stream; only progress has a second one."""
    last: Counter[tuple[str | None, str]] = Counter()

    def go_on(step_id: str | None, stream: str, stride: int | None) -> int:
        last[step_id, stream] = max(1, last[step_id, stream] + (stride or 0))
        return last[step_id, stream]

    for happening in happenings:
        if isinstance(happening, TryAgain):
            yield happening
            continue
        report, step_id = happening.report, happening.step_id
        source_seq = go_on(step_id, "source", report.source_seq)
        is_progress = report.event_type == "STEP_PROGRESS"
        progress_seq = go_on(step_id, "progress", report.progress_seq) if is_progress else None
        yield replace(happening, report=replace(report, source_seq=source_seq, progress_seq=progress_seq))


def _started(step_id: str) -> Said:
    return Said(f"start-{step_id}", step_id, PlainReport("STEP_STARTED", source_seq=1))


def _anything(statuses: StatusSet) -> st.SearchStrategy[Told]:
    codes = [*sorted(statuses.statuses), "NO_SUCH"]
    workers = _said(["s1", "s2"], _reports(STEP_EVENTS, [*[None] * len(codes), *codes]))
    coordinator = _said([None], _reports(TASK_EVENTS, codes))
    again = st.builds(TryAgain, st.sampled_from(["s1", "s2"]))
    begun = st.sampled_from([[], [_started("s1")], [_started("s2"), _started("s1")]])
    rest = st.lists(st.one_of(*[workers] * 5, again, coordinator), min_size=10, max_size=40)
    return st.tuples(begun, rest).map(lambda told: (statuses, list(_numbered([*told[0], *told[1]]))))


# A status set, and what is said under it by two workers and a coordinator.
ANYTHING = st.sampled_from([PAPERS, GENERIC_SET]).flatmap(_anything)


def stream_of(step_id: str) -> st.SearchStrategy[list[Happening]]:
    """What one worker says of its step, without codes, which would speak of the task too."""
    said = st.lists(_said([step_id], _reports(STEP_EVENTS, [None])), max_size=15)
    return said.map(lambda told: list(_numbered([_started(step_id), *told])))
