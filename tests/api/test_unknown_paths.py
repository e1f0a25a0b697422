"""What isn't there is a problem too, for every method, also where Django would ask for a CSRF token first."""

import pytest
from django.test import Client


@pytest.mark.parametrize("path", ["/internal/v1/none", "/internal", "/internal/v2/tasks", "/api/v1/none", "/api/none"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_an_unknown_path_is_a_problem(method, path):
    response = Client(enforce_csrf_checks=True).generic(method, path, b"{}", content_type="application/json")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "PATH_NOT_FOUND"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_a_method_that_the_path_does_not_take_is_a_problem(method):
    response = Client(enforce_csrf_checks=True).generic(method, "/internal/v1/task-events", b"{}")
    assert response.status_code == 405
    assert response["Allow"] == "POST"
    assert (response["Content-Type"], response.json()["code"]) == ("application/problem+json", "METHOD_NOT_ALLOWED")
