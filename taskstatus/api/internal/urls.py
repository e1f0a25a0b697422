"""The paths of the services' API."""

from django.urls import path, re_path

from taskstatus.api.errors import path_not_found
from taskstatus.api.internal import centrifugo, events, executions, heartbeats, tasks, workflows

urlpatterns = [
    # What workers call all the time is found first.
    path("task-events", events.EventsView.as_view()),
    path("task-events:batch", events.EventBatchView.as_view()),
    path("task-heartbeats:batch", heartbeats.HeartbeatBatchView.as_view()),
    path("workflows", workflows.WorkflowsView.as_view()),
    path("workflows/<str:workflow_id>", workflows.WorkflowView.as_view()),
    path("workflows/<str:workflow_id>/tasks", workflows.WorkflowTasksView.as_view()),
    path("workflows/<str:workflow_id>/events", workflows.WorkflowEventsView.as_view()),
    path(
        "workflows/<str:workflow_id>/grants/<str:principal_type>/<str:principal_id>",
        workflows.WorkflowGrantView.as_view(),
    ),
    path("tasks:lookup", tasks.TaskLookupView.as_view()),
    path("tasks/<str:task_id>:retry", tasks.TaskRetryView.as_view()),
    path("tasks/<str:task_id>/classification", tasks.TaskClassificationView.as_view()),
    path("tasks/<str:task_id>/steps/<str:step_id>:activate", executions.ActivateView.as_view()),
    path("tasks/<str:task_id>/executions:register", executions.RegisterView.as_view()),
    path("tasks/<str:task_id>/grants/<str:principal_type>/<str:principal_id>", tasks.TaskGrantView.as_view()),
    path("tasks/<str:task_id>/external-refs/<str:ref_type>/<path:ref_value>", tasks.ExternalRefView.as_view()),
    path("tasks/<str:task_id>", tasks.TaskView.as_view()),
    path("executions", executions.ExecutionsView.as_view()),
    path("executions/<str:execution_id>:renew", executions.RenewView.as_view()),
    path("events/<str:event_id>", tasks.EventReceiptView.as_view()),
    path("centrifugo/sub-refresh", centrifugo.SubRefreshView.as_view()),
    re_path(r"", path_not_found),
]
