"""``.venv`` is built from the lock: by two at once, by other interpreters, by an ordinary user."""

import json
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.checkout import ROOT, copy_project
from tests.chaos.installation import BASE_PYTHON, Up, bare_environment, run

pytestmark = pytest.mark.chaos
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
def test_up_runs_as_an_ordinary_user_without_uv(new_checkout: Callable[[str], Path]):
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
        assert "with pip" in up.printed
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in up.left_behind()}
        assert owners == {user.pw_uid}
        assert up.stop() == 0


@pytest.fixture
def small(new_checkout: Callable[[str], Path], request: pytest.FixtureRequest) -> Path:
    """A checkout whose lock holds one small package, and whose ``manage.py`` only says where it runs."""
    checkout = new_checkout(request.node.name[:60])
    lines = (ROOT / "requirements.lock").read_text().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("sqlparse=="))
    last = next(number for number, line in enumerate(lines) if number > first and not line.startswith(" "))
    (checkout / "requirements.lock").write_text("".join(lines[first:last]))
    (checkout / "deploy").mkdir()
    (checkout / "deploy" / "__init__.py").touch()
    shutil.copy(ROOT / "deploy" / "bootstrap.py", checkout / "deploy")
    (checkout / "manage.py").write_text(
        "import sys\nfrom deploy.bootstrap import ensure_environment\n"
        "ensure_environment(sys.argv)\nimport sqlparse\nprint(sys.prefix)\n"
    )
    return checkout


def test_two_commands_at_once_build_one_environment(small: Path):
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: run(small, "up"), range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert first.stdout == second.stdout == f"{small / '.venv'}\n"
    output = first.stderr + second.stderr
    assert output.count("making .venv") == 1
    assert output.count("waiting for it") == 1


def test_an_interrupted_installation_is_begun_again(small: Path):
    run(small, "up")
    stamp = small / ".venv" / "midpoint.json"
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"unfinished": "yes"}))
    (half_written,) = (small / ".venv").glob("lib/python*/site-packages/sqlparse/__init__.py")
    half_written.unlink()  # as a killed installer would leave it: no version check notices
    again = run(small, "up")
    assert again.returncode == 0, again.stderr
    assert "making .venv" in again.stderr
    assert half_written.exists()


def test_a_changed_lock_is_installed_before_the_command_runs_and_only_once(small: Path):
    run(small, "up")
    with (small / "requirements.lock").open("a") as lock:
        lock.write("# another state of the lock\n")
    assert "installing up to 1 locked packages" in run(small, "up").stderr
    assert run(small, "up").stderr == ""


def test_a_lock_that_cannot_be_installed_says_so_and_is_tried_again(small: Path):
    lock = small / "requirements.lock"
    right = lock.read_text()
    lock.write_text(right.replace("sha256:", "sha256:0"))
    refused = run(small, "up")
    assert refused.returncode == 1
    assert "the locked packages could not be installed" in refused.stderr
    lock.write_text(right)
    assert run(small, "up").returncode == 0
