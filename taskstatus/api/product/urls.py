"""The paths of the users' API."""

from django.urls import path, re_path

from taskstatus.api.errors import path_not_found
from taskstatus.api.product import realtime, tasks, workflows

urlpatterns = [
    path("me/tasks", tasks.MyTasksView.as_view()),
    path("me/workflows", workflows.MyWorkflowsView.as_view()),
    path("me/counts", tasks.MyCountsView.as_view()),
    path("workflows/<str:workflow_id>", workflows.WorkflowView.as_view()),
    path("workflows/<str:workflow_id>/tasks", workflows.WorkflowTasksView.as_view()),
    path("tasks:lookup", tasks.LookUpView.as_view()),
    path("tasks/status:batchGet", tasks.BatchGetView.as_view()),
    path("tasks/<str:task_id>:requestCancel", tasks.CancelRequestView.as_view()),
    path("tasks/<str:task_id>", tasks.TaskView.as_view()),
    path("tasks/<str:task_id>/events", tasks.TaskEventsView.as_view()),
    path("tasks/<str:task_id>/attempts", tasks.TaskAttemptsView.as_view()),
    path("realtime/session", realtime.SessionView.as_view()),
    path("realtime/subscription-token", realtime.SubscriptionTokenView.as_view()),
    path("realtime/subscriptions/<str:lease>", realtime.SubscriptionView.as_view()),
    path("me/task-watch-set", realtime.WatchSetView.as_view()),
    path("me/task-stream", realtime.TaskStreamView.as_view()),
    re_path(r"", path_not_found),
]
