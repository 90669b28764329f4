"""The compose file, the image and the systemd units say what the code says; they cannot be run by a test."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.test_configuration import documented

DEPLOY = Path(__file__).resolve().parent.parent.parent / "deploy"
# Variables of the recipes themselves, and of the other programs in them.
NOT_OURS = re.compile(r"^(POSTGRES_.*|DOMAIN|UPSTREAM|DJANGO_SETTINGS_MODULE)$")
SERVICES = ("web", "worker", "analysis", "beat")


@pytest.fixture
def services() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"])


def unit(name: str) -> dict[str, list[str]]:
    lines = (DEPLOY / "systemd" / f"midpoint-{name}.service").read_text().splitlines()
    found: dict[str, list[str]] = {}
    for key, equals, value in (line.partition("=") for line in lines):
        if equals:
            found.setdefault(key, []).append(value)
    return found


def command(name: str, services: dict[str, Any]) -> str:
    """The Python module and its arguments that a container runs."""
    default = re.search(r"^CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert default is not None
    words = services[name].get("command") or yaml.safe_load(default[1])
    return " ".join(words).removeprefix("python -m ")


def test_variables_of_the_recipes_are_documented(services: dict[str, Any]):
    names = {name for service in services.values() for name in service.get("environment", {})}
    names |= set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "example.env").read_text(), re.MULTILINE))
    for name in (*SERVICES, "migrate"):
        names |= {word.partition("=")[0] for line in unit(name)["Environment"] for word in line.split()}
    assert {name for name in names if not NOT_OURS.match(name)} <= set(documented())


@pytest.mark.parametrize("name", SERVICES[1:])
def test_compose_and_systemd_run_the_same_processes(services: dict[str, Any], name: str):
    (start,) = unit(name)["ExecStart"]
    assert start.replace("%%", "%").removeprefix("/srv/midpoint/.venv/bin/python -m ") == command(
        name, services
    )


def test_every_queue_has_a_consumer(services: dict[str, Any]):
    consumed = {
        words[words.index("-Q") + 1] for one in services.values() if "-Q" in (words := one.get("command", []))
    }
    assert consumed == {"default", "analysis"}


def test_only_the_web_process_has_a_pool(services: dict[str, Any]):
    assert [name for name, one in services.items() if "DATABASE_POOL" in one.get("environment", {})] == [
        "web"
    ]
    assert [
        name for name in SERVICES if any("DATABASE_POOL" in line for line in unit(name)["Environment"])
    ] == ["web"]


def test_everything_waits_for_the_migrations(services: dict[str, Any]):
    for name in SERVICES:
        assert services[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
        assert "midpoint-migrate.service" in unit(name)["Requires"]
