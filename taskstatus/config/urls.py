"""Every path of the service."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("taskstatus.api.urls")),
    path("", include("taskstatus.pages.urls")),
]
