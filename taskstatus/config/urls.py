"""Every path of the service."""

from django.contrib import admin
from django.urls import include, path

from taskstatus.admin.try_event import trial_page

urlpatterns = [
    path("", include("taskstatus.api.urls")),
    path("admin/registries/<str:kind>/<int:pk>/try/", admin.site.admin_view(trial_page), name="try_event"),
    path("admin/", admin.site.urls),
    path("", include("taskstatus.pages.urls")),
]
