"""Serves the document and its reader's page, to anybody and without any outside host (protocol 5)."""

from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from taskstatus.api.openapi.document import document


class SchemaView(APIView):
    """The OpenAPI document as YAML or JSON: by Accept, or `?format=json`."""

    renderer_classes = (OpenApiYamlRenderer, OpenApiYamlRenderer2, OpenApiJsonRenderer, OpenApiJsonRenderer2)
    metadata_class = None

    @extend_schema(exclude=True)  # type: ignore[untyped-decorator]
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the signature is DRF's
        """Serve the document."""
        return Response(document())
