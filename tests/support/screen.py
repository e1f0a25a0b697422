"""What one reader's screen holds, as protocol 6 asks of every client: a state gets in by its (epoch, version) alone."""

from collections.abc import Iterator
from copy import copy
from typing import Any, Protocol

from tests.support.api import Answer

Json = dict[str, Any]
Stamp = tuple[int, int]

# Read from the clock, from live rows or for one viewer whenever a state is told: no version names them.
UNVERSIONED = frozenset({"asOf", "elapsedMs", "lastHeartbeatAt", "permissions"})
LIVE_COUNTS = frozenset({"counts", "taskCount", "health", "requiresAction"})


class Reader(Protocol):
    """Somebody who may ask the users' API."""

    def get(self, path: str) -> Answer:
        """GET a path."""
        ...

    def post(self, path: str, body: Any) -> Answer:
        """POST a body."""
        ...


class Gate:
    """The newest known state of each object of one kind, None for one that was taken away."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[Stamp, Json | None]] = {}

    def offer(self, key: str, stamp: Stamp, state: Json | None) -> None:
        """Take the state if it is newer than the one held."""
        if key not in self._held or stamp > self._held[key][0]:
            self._held[key] = (stamp, state)

    def bury(self, key: str) -> None:
        """The service shows it no more."""
        if key in self._held:
            self._held[key] = (self._held[key][0], None)

    def stamps(self) -> dict[str, Stamp]:
        """The stamps of what is shown."""
        return {key: stamp for key, (stamp, state) in self._held.items() if state is not None}

    def states(self) -> dict[str, Json]:
        """What is shown."""
        return {key: state for key, (_, state) in self._held.items() if state is not None}

    def __copy__(self) -> "Gate":
        twin = Gate()
        twin._held = dict(self._held)
        return twin


class Screen:
    """Lists, and the details of every task on them, merged from answers and pushes."""

    def __init__(self) -> None:
        self._tasks, self._details, self._workflows = Gate(), Gate(), Gate()

    @classmethod
    def of(cls, reader: Reader) -> "Screen":
        """A screen that has just been loaded."""
        screen = cls()
        screen.load(reader)
        return screen

    def __copy__(self) -> "Screen":
        twin = Screen()
        twin._tasks, twin._details, twin._workflows = copy(self._tasks), copy(self._details), copy(self._workflows)
        return twin

    def accept(self, message: Json) -> None:
        """A message, whenever and however often it comes."""
        stamp = _stamp(message["epoch"], message.get("taskVersion") or message["workflowVersion"])
        match message["kind"]:
            case "task.summary":
                self._tasks.offer(message["taskId"], stamp, message["task"])
            case "task.detail":
                self._details.offer(message["taskId"], stamp, message["state"])
            case "task.removed":
                for gate in (self._tasks, self._details):
                    gate.offer(message["taskId"], stamp, None)
            case "workflow.summary":
                self._workflows.offer(message["workflowId"], stamp, message["workflow"])
            case other:
                raise AssertionError(f"a screen knows nothing of {other}")

    def load(self, reader: Reader) -> None:
        """Read all that is shown, and merge it: what the service doesn't name any more is asked for, and goes."""
        for epoch, task in _items(reader, "/me/tasks"):
            self._tasks.offer(task["id"], _stamp(epoch, task["version"]), task)
            detail = reader.get(f"/tasks/{task['id']}").ok()
            self._details.offer(detail["id"], _stamp(detail["epoch"], detail["version"]), detail)
        for epoch, workflow in _items(reader, "/me/workflows"):
            self._workflows.offer(workflow["id"], _stamp(epoch, workflow["version"]), workflow)
        self.check(reader)

    def check(self, reader: Reader) -> None:
        """Ask whether what is shown is still so, as pages do now and then."""
        stamps = self._tasks.stamps()
        if not stamps:
            return
        newest = max(epoch for epoch, _ in stamps.values())
        known = {key: str(version) for key, (epoch, version) in stamps.items() if epoch == newest}
        asked = {"taskIds": sorted(stamps), "knownVersions": known, "epoch": str(newest)}
        answer = reader.post("/tasks/status:batchGet", asked).ok()
        for item in answer["items"]:
            self._tasks.offer(item["taskId"], _stamp(answer["epoch"], item["taskVersion"]), item["task"])
        for key in answer["removed"]:
            self._tasks.bury(key)
            self._details.bury(key)

    def view(self) -> Json:
        """What is shown, without what no version names: two screens that show the same are equal."""
        workflows = self._workflows.states()
        return {
            "tasks": _without(self._tasks.states(), UNVERSIONED),
            "details": _without(self._details.states(), UNVERSIONED),
            "workflows": _without(workflows, UNVERSIONED | LIVE_COUNTS),
        }


def _items(reader: Reader, path: str) -> Iterator[tuple[str, Json]]:
    """Every item of a list, page by page, with the epoch of its page."""
    query = "?limit=200"
    while query:
        page = reader.get(path + query).ok()
        yield from ((page["epoch"], item) for item in page["items"])
        query = f"?limit=200&cursor={page['nextCursor']}" if page["nextCursor"] else ""


def _stamp(epoch: str, version: str) -> Stamp:
    return int(epoch), int(version)


def _without(value: Any, names: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(inner, names) for key, inner in value.items() if key not in names}
    if isinstance(value, list):
        return [_without(inner, names) for inner in value]
    return value
