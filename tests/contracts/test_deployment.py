"""The files of a deployment: whole, and naming only what exists."""

import dataclasses
import json
import re

import yaml

from taskstatus.config.env import Env
from tests.contracts.source_rules import ROOT

SETTINGS = {field.name.upper() for field in dataclasses.fields(Env)}


def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]


def dockerfile():
    return (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_compose_has_every_part_of_the_service():
    assert set(compose()) == {"mysql", "redis", "centrifugo", "migrate", "web", "worker", "relay"}


def test_compose_depends_only_on_what_it_starts():
    services = compose()
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)


def test_compose_names_only_settings_that_exist():
    assert set(compose()["web"]["environment"]) <= SETTINGS


def test_compose_holds_no_secret_and_opens_no_port_to_the_outside():
    for service in compose().values():
        for name, value in service.get("environment", {}).items():
            if re.search("SECRET|KEY|PASSWORD", name) and name != "MYSQL_RANDOM_ROOT_PASSWORD":
                assert re.fullmatch(r"\$\{[A-Z_]+:\?set it in .env\}", value), name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_the_image_runs_without_root_and_checks_its_health():
    last_stage = dockerfile().rsplit("\nFROM ", 1)[1]
    user = re.findall(r"(?m)^USER (\S+)$", last_stage)
    assert user
    assert user[-1] != "root"
    assert "HEALTHCHECK" in last_stage
    assert "taskstatus.config.healthcheck" in last_stage


def test_the_image_sets_only_settings_that_exist():
    names = set(re.findall(r"(?m)^(?:ENV|   ) ?([A-Z_]+)=", dockerfile().rsplit("\nFROM ", 1)[1]))
    assert names - {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"} <= SETTINGS


def test_the_image_copies_what_its_recipe_lets_through():
    let_through = re.findall(r"(?m)^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"))
    assert {"manage.py", "requirements.txt", "taskstatus", "registries", "outbox", "realtime"} <= set(let_through)


def test_centrifugo_has_every_namespace_of_the_protocol():
    config = json.loads((ROOT / "deploy" / "centrifugo.json").read_text(encoding="utf-8"))
    names = {namespace["name"] for namespace in config["channel"]["namespaces"]}
    assert names == {
        "task_user",
        "task_detail",
        "workflow_summary",
        "task_project",
        "task_tenant",
        "task_system",
    }


def test_the_continuous_check_calls_all_that_must_hold():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    for target in ("test", "lint", "check-deploy", "check-migrations"):
        assert f"step make {target}\n" in script
