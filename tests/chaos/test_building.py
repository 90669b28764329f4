"""The whole ``.venv`` from the network: the production lock alone, other interpreters, an ordinary user."""

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.checkout import copy_project
from tests.chaos.installation import BASE_PYTHON, SERVICES, Up, bare_environment

pytestmark = [pytest.mark.chaos, pytest.mark.long]
VERSIONS = ("3.11", "3.13")


def interpreter(version: str) -> str | None:
    """The path of a Python of that version: named by the environment, on the path, or kept by pyenv."""
    named = os.environ.get("MIDPOINT_TEST_PYTHONS", "").split(":")
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
    candidates = [
        *named,
        *map(str, kept),
        f"/usr/bin/python{version}",
        shutil.which(f"python{version}") or "",
    ]
    for candidate in filter(None, candidates):
        script = "import sys; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.run([candidate, "-c", script], capture_output=True, text=True)
        if answer.stdout.strip() == version:
            return candidate
    return None


def test_the_production_lock_alone_runs_web_workers_and_beat(new_checkout: Callable[[str], Path]):
    checkout = copy_project(new_checkout("built"))

    def worked() -> bool:
        log = (checkout / "var" / "log" / "worker.log").read_text()
        return "Task clubs.reconcile" in log and "succeeded" in log

    with Up(checkout) as up:
        up.wait_until(up.ready, "readiness")
        up.wait_until(lambda: all(up.main_pid(name) for name in SERVICES), "services")
        up.wait_until(worked, "task sent by beat and done by the worker")
        assert up.stop() == 0
    python = str(checkout / ".venv" / "bin" / "python")
    assert subprocess.run([python, "-c", "import pytest"], capture_output=True).returncode == 1
    assert '"requirements.lock"' in (checkout / ".venv" / "midpoint.json").read_text()


def test_the_whole_lock_is_installed_by_pip_where_uv_cannot_be_had(new_checkout: Callable[[str], Path]):
    checkout = copy_project(new_checkout("by-pip"))
    installer = checkout / "requirements-uv.lock"
    installer.write_text(re.sub("sha256:[0-9a-f]{8}", "sha256:00000000", installer.read_text()))
    with Up(checkout, environment=bare_environment(PATH="/usr/bin:/bin")) as up:
        assert "uv is not available, using pip instead: ERROR" in up.printed
        up.wait_until(up.ready, "readiness")
        assert up.stop() == 0


@pytest.mark.parametrize("version", [number for number in VERSIONS if not BASE_PYTHON.endswith(number)])
def test_up_runs_on_the_oldest_and_the_newest_python(version: str, new_checkout: Callable[[str], Path]):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine; name one in MIDPOINT_TEST_PYTHONS")
    checkout = copy_project(new_checkout(f"python-{version}"))
    with Up(checkout, python=python) as up:
        up.wait_until(up.ready, "readiness")
        assert up.stop() == 0
    built_with = (checkout / ".venv" / "pyvenv.cfg").read_text()
    assert f"{version}." in built_with


@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; this whole run is one already"
)
def test_up_runs_as_an_ordinary_user(new_checkout: Callable[[str], Path]):
    python = next(
        (
            path
            for number in ("3.11", "3.12", "3.13")
            if (path := shutil.which(f"python{number}", path="/usr/bin"))
        ),
        None,
    )
    if python is None:
        pytest.skip("no Python of the system, which is the one an ordinary user can reach")
    user = pwd.getpwnam("nobody")
    checkout = copy_project(new_checkout("ordinary"))
    subprocess.run(["chown", "-R", f"{user.pw_uid}:{user.pw_gid}", str(checkout)], check=True)
    environment = bare_environment(HOME=str(checkout / "home"), USER="nobody", PATH="/usr/bin:/bin")
    (checkout / "up.out").touch()
    with Up(checkout, python=python, user=user, environment=environment) as up:
        up.wait_until(up.ready, "readiness")
        assert "with uv" in up.printed
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in up.left_behind()}
        assert owners == {user.pw_uid}
        assert up.stop() == 0
