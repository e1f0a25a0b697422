"""The reader's page of the document needs nothing but this service."""

import re

import pytest
from django.core.management import call_command
from django.test import Client

ELSEWHERE = re.compile(
    r"""(?:src|href)\s*=\s*["'](?:[a-z]+:)?//|url\(\s*["']?(?:https?:)?//|@import|\bhttps?://""", re.IGNORECASE
)


@pytest.fixture(params=["development", "production", "collected"])
def client(request, settings, tmp_path):
    """A client of the service as it is set up for development, for production, and in the image."""
    settings.DEBUG = settings.WHITENOISE_AUTOREFRESH = request.param == "development"
    if request.param == "collected":
        settings.STATIC_ROOT, settings.WHITENOISE_USE_FINDERS = tmp_path, False
        call_command("collectstatic", verbosity=0, interactive=False)
    return Client()


def test_the_page_and_all_that_it_loads_come_from_this_service(client):
    page = client.get("/api/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    assert not ELSEWHERE.search(text)
    assets = re.findall(r"""(?:src|href)="([^"]+)""", text)
    assert len(assets) == 4, assets
    for asset in assets:
        response = client.get(asset)
        assert response.status_code == 200, asset
        assert len(b"".join(response.streaming_content)) > 500


def test_the_page_reads_this_document_and_asks_no_validator(client):
    text = client.get("/api/docs/").content.decode()
    assert 'url: "/api/schema/"' in text.replace("\\u002D", "-")
    # Left out, it would be a public validator's address.
    assert '"validatorUrl": "none"' in text


def test_the_style_sheet_loads_nothing_from_elsewhere(client):
    address = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"
    style = b"".join(client.get(address).streaming_content).decode()
    # Namespaces of drawings inside the sheet are names, not addresses.
    assert not ELSEWHERE.search(style.replace("http://www.w3.org/", ""))
