"""Serves the document, to anybody and without any outside host (protocol 5)."""

import functools
import json

from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from taskstatus.api.openapi.document import document


class YamlRenderer(BaseRenderer):
    """The document as YAML, for people."""

    media_type = "application/yaml"
    format = "yaml"

    def render(self, *_: object, **__: object) -> bytes:
        """Return the text made once a process."""
        return _yaml()


class OpenApiYaml(YamlRenderer):
    """The same under OpenAPI's own name."""

    media_type = "application/vnd.oai.openapi"


class JsonRenderer(BaseRenderer):
    """The document as JSON, for programs."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, *_: object, **__: object) -> bytes:
        """Return the text made once a process."""
        return _json()


class OpenApiJson(JsonRenderer):
    """The same under OpenAPI's own name."""

    media_type = "application/vnd.oai.openapi+json"


class SchemaView(APIView):
    """The OpenAPI document as YAML or JSON: by Accept, or `?format=json`."""

    renderer_classes = (YamlRenderer, OpenApiYaml, JsonRenderer, OpenApiJson)
    http_method_names = ("get", "head")

    @extend_schema(exclude=True)  # type: ignore[untyped-decorator]
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the signature is DRF's
        """Serve the document, in the form that was negotiated."""
        return Response({})


@functools.cache
def _json() -> bytes:
    return json.dumps(document(), ensure_ascii=False, separators=(",", ":")).encode()


@functools.cache
def _yaml() -> bytes:
    text: bytes = OpenApiYamlRenderer().render(document())
    return text
