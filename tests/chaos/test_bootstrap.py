"""``.venv`` is built from the lock: by two at once, by other interpreters, by an ordinary user."""

import fcntl
import json
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.checkout import ROOT, copy_project
from tests.chaos.installation import BASE_PYTHON, PATIENCE, SERVICES, Up, bare_environment, run
from tests.chaos.wheel import Wheel

pytestmark = [pytest.mark.chaos]
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


# One package, made here: lock, stamp and installer are the whole environment's, without a network.
LOCKED = pytest.mark.xdist_group("bootstrap")


class Small:
    """A checkout whose lock holds one package made here, and whose ``manage.py`` only says where it runs."""

    def __init__(self, checkout: Path, wheels: Path) -> None:
        self.checkout, self.wheel = checkout, Wheel(wheels)
        self.lock = checkout / "requirements.lock"
        self.lock.write_text(self.wheel.locked)
        (checkout / "deploy").mkdir()
        (checkout / "deploy" / "__init__.py").touch()
        shutil.copy(ROOT / "deploy" / "bootstrap.py", checkout / "deploy")
        (checkout / "manage.py").write_text(
            "import sys\nfrom deploy.bootstrap import ensure_environment\n"
            f"ensure_environment(sys.argv)\nimport {self.wheel.module}\nprint(sys.prefix)\n"
        )

    def up(self) -> subprocess.CompletedProcess[str]:
        return run(self.checkout, "up", env=bare_environment(**self.wheel.alone))


@pytest.fixture
def small(new_checkout: Callable[[str], Path], request: pytest.FixtureRequest, tmp_path: Path) -> Small:
    return Small(new_checkout(request.node.name[:60]), tmp_path)


@dataclass(frozen=True)
class Built:
    """A small checkout whose environment two commands have built at the same time, and what they said."""

    small: Small
    answers: list[subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def built_by_two(new_checkout: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Built:
    small = Small(new_checkout("small"), tmp_path_factory.mktemp("wheels"))
    with ThreadPoolExecutor(2) as pool:
        return Built(small, list(pool.map(lambda _: small.up(), range(2))))


@pytest.fixture
def built(small: Small, built_by_two: Built) -> Small:
    """A small checkout of its own whose environment is there: a copy, which costs a tenth of building one."""
    shutil.copytree(built_by_two.small.checkout / ".venv", small.checkout / ".venv", symlinks=True)
    assert small.up().stderr == ""
    return small


@LOCKED
def test_two_commands_at_once_build_one_environment(built_by_two: Built):
    said = "".join(answer.stderr for answer in built_by_two.answers)
    assert [answer.returncode for answer in built_by_two.answers] == [0, 0], said
    environment = built_by_two.small.checkout / ".venv"
    assert [answer.stdout for answer in built_by_two.answers] == [f"{environment}\n"] * 2
    assert said.count("making .venv") == 1


@LOCKED
def test_a_command_waits_for_another_that_builds_the_environment(built: Small):
    built.lock.write_text(f"{built.wheel.locked}# another state of the lock\n")
    command = [BASE_PYTHON, str(built.checkout / "manage.py"), "up"]
    with (built.checkout / ".venv.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            command, env=bare_environment(**built.wheel.alone), stderr=subprocess.PIPE, text=True
        )
        assert waiting.stderr is not None
        assert "waiting for it" in waiting.stderr.readline()
        assert waiting.poll() is None
        fcntl.flock(guard, fcntl.LOCK_UN)
        assert "installing up to 1 locked packages" in waiting.communicate(timeout=PATIENCE)[1]
    assert waiting.returncode == 0


@LOCKED
@pytest.mark.long
def test_an_interrupted_installation_is_begun_again(built: Small):
    stamp = built.checkout / ".venv" / "midpoint.json"
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"unfinished": "yes"}))
    (half_written,) = (built.checkout / ".venv").glob(f"lib/python*/site-packages/{built.wheel.module}.py")
    half_written.unlink()  # as a killed installer would leave it: no version check notices
    again = built.up()
    assert again.returncode == 0, again.stderr
    assert "making .venv" in again.stderr
    assert half_written.exists()


@LOCKED
def test_a_changed_lock_is_installed_before_the_command_runs_and_only_once(built: Small):
    with built.lock.open("a") as lock:
        lock.write("# another state of the lock\n")
    assert "installing up to 1 locked packages" in built.up().stderr
    assert built.up().stderr == ""


@LOCKED
@pytest.mark.long
def test_a_lock_that_cannot_be_installed_says_so_and_is_tried_again(small: Small):
    right = small.lock.read_text()
    small.lock.write_text(right.replace("sha256:", "sha256:0"))
    refused = small.up()
    assert refused.returncode == 1
    assert "the locked packages could not be installed" in refused.stderr
    small.lock.write_text(right)
    assert small.up().returncode == 0
