"""Tasks, as users read them, and what users can ask for about them (protocol 5)."""

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.etags import snapshot_response
from taskstatus.api.openapi import cancellation
from taskstatus.api.openapi import my_tasks as described
from taskstatus.api.product.base import ProductView
from taskstatus.commands.cancellation import RequestCancel
from taskstatus.commands.queries import BatchGet, ListTasks, LookUpTask, NoParameters, ReadTimeline
from taskstatus.queries.lists import list_tasks, task_counts
from taskstatus.queries.timelines import task_timeline
from taskstatus.queries.user_tasks import batch_get, look_up, task_attempts, user_task_snapshot
from taskstatus.services.request_cancel import request_cancel


class MyTasksView(ProductView):
    """The user's list of tasks."""

    @described.list_tasks
    def get(self, request: Request) -> Response:
        """A page of it."""
        query = self.query(request, ListTasks)
        return Response(list_tasks(self.user(request), query, self.language))


class MyCountsView(ProductView):
    """The user's numbers."""

    @described.count_tasks
    def get(self, request: Request) -> Response:
        """How many tasks are in which state."""
        self.query(request, NoParameters)
        return Response(task_counts(self.user(request)))


class TaskView(ProductView):
    """One task."""

    @described.get_task
    def get(self, request: Request, task_id: str) -> Response:
        """Its detail with its ETag."""
        self.query(request, NoParameters)
        return snapshot_response(request, user_task_snapshot(self.user(request), task_id, self.language))


class TaskEventsView(ProductView):
    """The timeline of one task."""

    @described.list_events
    def get(self, request: Request, task_id: str) -> Response:
        """What came after a version."""
        query = self.query(request, ReadTimeline)
        return Response(task_timeline(self.user(request), task_id, query, self.language))


class TaskAttemptsView(ProductView):
    """The attempts of one task."""

    @described.list_attempts
    def get(self, request: Request, task_id: str) -> Response:
        """Every attempt of every step."""
        self.query(request, NoParameters)
        return Response(task_attempts(self.user(request), task_id, self.language))


class CancelRequestView(ProductView):
    """The wish that one task be cancelled."""

    @cancellation.request_cancel
    def post(self, request: Request, task_id: str) -> Response:
        """Note it."""
        command = self.command(request, RequestCancel)
        return Response(request_cancel(task_id, command, self.user(request)))


class BatchGetView(ProductView):
    """Snapshots of many tasks."""

    @described.batch_get
    def post(self, request: Request) -> Response:
        """Those that are newer than what the caller has."""
        query = self.command(request, BatchGet)
        return Response(batch_get(self.user(request), query, self.language))


class LookUpView(ProductView):
    """Finding a task by an outside number."""

    @described.look_up
    def get(self, request: Request) -> Response:
        """The task that the number names."""
        query = self.query(request, LookUpTask)
        return Response(look_up(self.user(request), query))
