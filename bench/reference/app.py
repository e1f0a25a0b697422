"""The reference for HTTP: a bare DRF view under the service's path and settings, whose answer is a stored receipt."""

import json
import os

from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

application = get_wsgi_application()
RECEIPT = json.loads(os.environ["BENCH_RECEIPT"])


class ReferenceView(APIView):
    """Takes a JSON body, answers a fixed one."""

    def post(self, request: Request) -> Response:
        """Parse, and answer the receipt."""
        assert request.data
        return Response(RECEIPT)


def healthy(_request: HttpRequest) -> HttpResponse:
    """Say that the server is up."""
    return HttpResponse()


urlpatterns = [path("healthz", healthy), path("internal/v1/task-events", ReferenceView.as_view())]
