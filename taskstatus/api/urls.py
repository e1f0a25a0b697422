"""Every path that programs call."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularSwaggerView

from taskstatus.api.errors import path_not_found
from taskstatus.api.health import HealthzView, ReadyzView
from taskstatus.api.openapi.views import SchemaView

urlpatterns = [
    path("healthz", HealthzView.as_view()),
    path("readyz", ReadyzView.as_view()),
    path("internal/v1/", include("taskstatus.api.internal.urls")),
    path("api/v1/", include("taskstatus.api.product.urls")),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    re_path(r"^(?:api|internal)(?:/|$)", path_not_found),
]
