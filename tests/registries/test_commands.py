"""load_definitions and export_definitions as an operator types them."""

import io
import sys
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from tests.registries.support import SCOPE, TENANT, file, operation, schema, status_set

pytestmark = pytest.mark.django_db


def load(path: Path) -> str:
    out = io.StringIO()
    call_command("load_definitions", str(path), stdout=out)
    return out.getvalue()


def export(tenant: str = TENANT, scope: str = SCOPE) -> str:
    out = io.StringIO()
    call_command("export_definitions", tenant=tenant, scope=scope, stdout=out)
    return out.getvalue()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "definitions.yaml"


def test_it_says_what_it_did(path):
    path.write_bytes(file(schemas=[schema()], sets=[status_set()], operations=[operation()]))
    assert load(path).splitlines() == [
        "created    data schema  document.parsed.v1",
        "created    status set   DOCUMENT_PROCESS v1",
        "created    operation    DOCUMENT.PARSE v1",
        "acme/content-platform: 3 created",
    ]
    path.write_bytes(file(operations=[operation(state="retired"), operation(version=2)], sets=[status_set()]))
    assert load(path).splitlines()[-1] == "acme/content-platform: 1 created, 1 retired, 1 unchanged"


def test_a_file_without_definitions_is_no_fault(path):
    path.write_bytes(file())
    assert load(path) == "acme/content-platform: no definitions\n"


def test_it_says_all_that_is_wrong(path):
    path.write_bytes(file(operations=[operation(heartbeatTimeoutSeconds=1), operation(code="x")]))
    with pytest.raises(CommandError) as refusal:
        load(path)
    assert str(refusal.value).splitlines() == [
        f"Nothing was loaded; {path} has to be put right:",
        "  operations[1].code (x v1): has characters that are not allowed here; it must match ^[A-Z][A-Z0-9_.]*$",
        "  operations[0].heartbeatTimeoutSeconds (DOCUMENT.PARSE v1): is 1, under three intervals; make it 45 at least",
    ]


def test_a_file_that_is_not_there_is_an_ordinary_error(path):
    with pytest.raises(CommandError, match="can't be read: No such file"):
        load(path)


def test_a_file_that_is_too_large_is_not_read_wholly(path):
    path.write_bytes(b"#" * 3_000_000)
    with pytest.raises(CommandError, match="split it"):
        load(path)


def test_it_reads_the_standard_input(monkeypatch):
    content = file(operations=[operation()])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert "1 created" in load(Path("-"))


def test_the_export_is_yaml_alone(path):
    assert yaml.safe_load(export())["operations"] == []
    path.write_bytes(file(schemas=[schema()], sets=[status_set()], operations=[operation()]))
    load(path)
    text = export()
    assert yaml.safe_load(text)["operations"][0]["code"] == "DOCUMENT.PARSE"
    path.write_text(text, encoding="utf-8")
    assert "created" not in load(path)
    assert export() == text


@pytest.mark.parametrize("missing", ["--tenant", "--scope"])
def test_the_export_asks_for_tenant_and_scope(missing):
    given = {"--tenant": "acme", "--scope": "content-platform"}
    arguments = [f"{name}={value}" for name, value in given.items() if name != missing]
    with pytest.raises(CommandError, match=missing):
        call_command("export_definitions", *arguments)
