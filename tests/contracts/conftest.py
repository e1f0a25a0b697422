"""What the tours through the paths share."""

from collections import Counter

import pytest

import tests.support.api
from tests.support.openapi import check, find


@pytest.fixture
def seen(monkeypatch):
    """Count the (operation, status) pairs of all calls made through the cast; every answer is checked."""
    counted = Counter()
    plain = tests.support.api.answer

    def checked(response):
        answer = plain(response)
        operation = find(response.request["REQUEST_METHOD"], response.request["PATH_INFO"])
        check(operation, answer.status, answer.headers, answer.body)
        counted[operation.name, answer.status] += 1
        return answer

    monkeypatch.setattr(tests.support.api, "answer", checked)
    return counted
