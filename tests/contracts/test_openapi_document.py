"""The OpenAPI document is valid, complete, and says what the code does."""

import re
from pathlib import Path

import grimp
import pytest
import yaml
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver
from openapi_spec_validator import OpenAPIV31SpecValidator

from taskstatus.api.openapi.document import document
from taskstatus.api.openapi.refusals import MEANINGS
from taskstatus.domain.errors import KIND_OF
from tests.support.openapi import operations, validator

ROOT = Path(__file__).parents[2]
# Served beside the API: the document, its reader's page, the admin, and what Centrifugo alone may ask.
_UNDESCRIBED = ("/api/schema/", "/api/docs/", "/admin/", "/internal/v1/centrifugo/")
# Refusals of paths that aren't there and methods that aren't taken belong to no operation; a bug's answer to none.
_OF_NO_OPERATION = {"PATH_NOT_FOUND", "METHOD_NOT_ALLOWED", "INTERNAL_ERROR"}


def test_it_is_valid_openapi():
    OpenAPIV31SpecValidator(document()).validate()


def test_it_is_generated_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))
    assert yaml.safe_load((tmp_path / "schema.yaml").read_text())["paths"].keys() == document()["paths"].keys()


def test_it_describes_every_path_and_method_and_no_other():
    routed = {
        (method, path) for path, view in _routes() for method in view.cls().allowed_methods if method != "OPTIONS"
    }
    assert routed == {(o.method, o.path) for o in operations()}


def test_every_refusal_in_the_code_is_foreseen_somewhere_and_no_other():
    foreseen = {code for o in operations() for status in o.statuses for code in o.codes(status)}
    assert foreseen == _codes_in_the_code() - _OF_NO_OPERATION
    assert foreseen == set(MEANINGS)


def test_every_operation_says_what_it_is_and_who_may_call_it():
    names = [o.name for o in operations()]
    assert len(set(names)) == len(names)
    tags = {tag["name"] for tag in document()["tags"]}
    for operation in operations():
        assert set(operation.described["tags"]) <= tags
        assert operation.described["summary"]
        assert operation.described["description"]
        public = operation.path in ("/healthz", "/readyz")
        assert (operation.described["security"] == [{}]) == public


def test_every_member_of_every_object_is_explained():
    schemas = document()["components"]["schemas"]
    silent = [
        f"{name}.{member}"
        for name, schema in schemas.items()
        for member, described in schema.get("properties", {}).items()
        if not described.get("description")
    ]
    assert not silent


def test_a_member_that_may_be_left_out_may_be_null():
    schemas = document()["components"]["schemas"]
    requests = {name: schema for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    assert {"CreateWorkflow", "TaskPart", "Policy", "ReportEvent", "ActivateStep"} <= requests.keys()
    refusing = [
        f"{name}.{member}"
        for name, schema in requests.items()
        for member, described in schema["properties"].items()
        if member not in schema.get("required", ()) and list(validator(described).iter_errors(None))
    ]
    assert not refusing


def test_every_example_is_what_its_schema_says():
    seen = 0
    for operation in operations():
        bodies = [operation.described.get("requestBody", {}), *operation.described["responses"].values()]
        for content in (content for body in bodies for content in body.get("content", {}).values()):
            assert content["examples"], operation.name
            for name, example in content["examples"].items():
                faults = [error.message for error in validator(content["schema"]).iter_errors(example["value"])]
                assert not faults, (operation.name, name, faults)
                seen += 1
    assert seen > 200


@pytest.mark.parametrize("wanted", ["json", "yaml"])
def test_it_is_served_to_anybody_in_both_forms(client, wanted):
    response = client.get("/api/schema/", {"format": wanted})
    assert response.status_code == 200
    assert response["Content-Type"].startswith(f"application/{wanted}")
    assert yaml.safe_load(response.content)["paths"].keys() == document()["paths"].keys()


@pytest.mark.parametrize("accept", ["application/vnd.oai.openapi+json", "application/json"])
def test_it_is_negotiated_by_accept(client, accept):
    assert client.get("/api/schema/", headers={"Accept": accept}).json()["openapi"].startswith("3.1")


def _routes(patterns=None, prefix="/"):
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and hasattr(pattern.callback, "cls"):
            spelled = re.sub(r"<(?:\w+:)?(\w+)>", lambda name: "{" + _camel(name[1]) + "}", path)
            if not spelled.startswith(_UNDESCRIBED):
                yield spelled, pattern.callback


def _camel(name):
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name)


def _codes_in_the_code():
    """The codes that stand in what the described paths import, directly or not; where they are defined aside."""
    graph = grimp.build_graph("taskstatus", "registries", "outbox", "realtime", cache_dir=None)
    routes = ("taskstatus.api.internal.urls", "taskstatus.api.product.urls")
    found = set().union(*(graph.find_upstream_modules(module) for module in routes))
    modules = {module for module in found if not module.startswith("taskstatus.api.openapi")}
    told = [_source(module) for module in modules - {"taskstatus.domain.errors"}]
    words = {word for text in told for word in re.findall(r'"([A-Z][A-Z_]+)"', text)}
    return words & KIND_OF.keys()


def _source(module):
    path = ROOT.joinpath(*module.split("."))
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()
