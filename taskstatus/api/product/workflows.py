"""Workflows, as users read them (protocol 5)."""

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.openapi import my_tasks as described
from taskstatus.api.product.base import ProductView
from taskstatus.commands.queries import ListTasks, NoParameters, Page
from taskstatus.queries.lists import list_workflow_tasks, list_workflows, workflow_page


class MyWorkflowsView(ProductView):
    """The user's list of workflows."""

    @described.list_workflows
    def get(self, request: Request) -> Response:
        """A page of it."""
        query = self.query(request, Page)
        return Response(list_workflows(self.user(request), query))


class WorkflowView(ProductView):
    """One workflow."""

    @described.get_workflow
    def get(self, request: Request, workflow_id: str) -> Response:
        """Its summary, over the tasks that the user may see."""
        self.query(request, NoParameters)
        return Response(workflow_page(self.user(request), workflow_id))


class WorkflowTasksView(ProductView):
    """The tasks of one workflow."""

    @described.list_workflow_tasks
    def get(self, request: Request, workflow_id: str) -> Response:
        """A page of those that the user may see."""
        query = self.query(request, ListTasks)
        return Response(list_workflow_tasks(self.user(request), workflow_id, query, self.language))
