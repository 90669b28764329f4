"""``.venv`` is built from the lock: by two at once, again after an interruption, after a change of the lock.

The lock has one package, made here; stamp, guard and installers are those of the whole environment. The uv is
that of this run in a wheel made here: nothing comes from a network.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy import processes
from deploy.checkout import ROOT
from tests.chaos.installation import BASE_PYTHON, PATIENCE, bare_environment, run
from tests.chaos.wheel import Wheel

pytestmark = pytest.mark.chaos
BLOCKED = b"#!/bin/sh\necho 'uv: Operation not permitted' >&2\nexit 126\n"


def uv_of_this_run() -> bytes:
    """The uv that has built the environment of this run."""
    found = [str(path) for path in ROOT.glob(".venv/uv-*/bin/uv")] or [shutil.which("uv") or ""]
    if not found[0]:
        pytest.skip("pip has built this environment: there is no uv here to try this with")
    return Path(found[0]).read_bytes()


class Small:
    """A checkout whose lock holds one package made here, and whose ``manage.py`` only says where it runs.

    ``uv`` is the program in the only wheel of uv that its installers find.
    """

    def __init__(self, checkout: Path, wheels: Path, uv: bytes | None = None) -> None:
        self.checkout, self.wheel = checkout, Wheel(wheels)
        brought = Wheel(wheels, "uv", "0.0.1", uv_of_this_run() if uv is None else uv)
        self.lock, self.wheels = checkout / "requirements.lock", wheels
        self.lock.write_text(self.wheel.locked)
        (checkout / "requirements-uv.lock").write_text(brought.locked)
        (checkout / "deploy").mkdir()
        (checkout / "deploy" / "__init__.py").touch()
        for name in ("bootstrap.py", "installers.py", "node_tools.py"):
            shutil.copy(ROOT / "deploy" / name, checkout / "deploy")
        (checkout / "manage.py").write_text(
            "import sys\nfrom deploy.bootstrap import ensure_environment\n"
            f"ensure_environment(sys.argv)\nimport {self.wheel.module}\nprint(sys.prefix)\n"
        )

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in bare_environment().items() if not name.startswith("PIP_")}
        return kept | self.wheel.alone | {"PATH": "/usr/bin:/bin", "PIP_CONFIG_FILE": os.devnull}

    def up(self, **variables: str) -> subprocess.CompletedProcess[str]:
        return run(self.checkout, "up", env=self.environment() | variables)


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


def test_two_commands_at_once_build_one_environment(built_by_two: Built):
    said = "".join(answer.stderr for answer in built_by_two.answers)
    assert [answer.returncode for answer in built_by_two.answers] == [0, 0], said
    environment = built_by_two.small.checkout / ".venv"
    assert [answer.stdout for answer in built_by_two.answers] == [f"{environment}\n"] * 2
    assert said.count("making .venv") == 1
    assert "1 locked packages from requirements.lock with uv" in said
    assert not (environment / "bin" / "pip").exists()


def test_a_command_waits_for_another_that_builds_the_environment(built: Small):
    built.lock.write_text(f"{built.wheel.locked}# another state of the lock\n")
    command = [BASE_PYTHON, str(built.checkout / "manage.py"), "up"]
    with (built.checkout / ".venv.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        waiting = subprocess.Popen(command, env=built.environment(), stderr=subprocess.PIPE, text=True)
        assert waiting.stderr is not None
        assert "waiting for it" in waiting.stderr.readline()
        assert waiting.poll() is None
        fcntl.flock(guard, fcntl.LOCK_UN)
        assert "installing up to 1 locked packages" in waiting.communicate(timeout=PATIENCE)[1]
    assert waiting.returncode == 0


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


def test_a_changed_lock_is_installed_before_the_command_runs_and_only_once(built: Small):
    with built.lock.open("a") as lock:
        lock.write("# another state of the lock\n")
    assert "installing up to 1 locked packages" in built.up().stderr
    assert built.up().stderr == ""


@pytest.mark.long
def test_a_killed_builder_is_waited_for_by_what_it_has_started_and_then_begun_again(small: Small):
    command = [BASE_PYTHON, str(small.checkout / "manage.py"), "up"]
    builder = subprocess.Popen(command, env=small.environment(), stderr=subprocess.DEVNULL)
    stamp = small.checkout / ".venv" / "midpoint.json"
    end = time.monotonic() + PATIENCE
    while not stamp.exists() and time.monotonic() < end:
        time.sleep(0.01)
    builder.send_signal(signal.SIGKILL)
    builder.wait()
    assert "unfinished" in json.loads(stamp.read_text())
    again = small.up()
    assert again.returncode == 0, again.stderr
    assert "making .venv" in again.stderr
    assert again.stdout == f"{small.checkout / '.venv'}\n"


def test_the_guard_stays_held_until_an_installer_of_a_killed_builder_has_ended(tmp_path: Path):
    script = (
        "import fcntl, os, sys\nfrom deploy.installers import Runner\n"
        "guard = open(sys.argv[1], 'w')\nfcntl.flock(guard, fcntl.LOCK_EX)\n"
        "Runner(guard.fileno()).run(['sh', '-c', 'echo $$ > \"$0\"; exec sleep 600', sys.argv[2]])\n"
    )
    guard, pid = tmp_path / "guard", tmp_path / "pid"
    builder = subprocess.Popen([BASE_PYTHON, "-c", script, str(guard), str(pid)], cwd=ROOT)
    end = time.monotonic() + PATIENCE
    while not (pid.exists() and pid.read_text().strip()) and time.monotonic() < end:
        time.sleep(0.01)
    installer = int(pid.read_text())
    builder.send_signal(signal.SIGKILL)
    builder.wait()
    with guard.open("w") as handle:
        with pytest.raises(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.kill(installer, signal.SIGKILL)
        fcntl.flock(handle, fcntl.LOCK_EX)
    # A process that is killed lets go of its files a moment before it is gone.
    while processes.start_time(installer):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.long
@pytest.mark.parametrize(
    ("uv", "why"),
    [
        pytest.param(BLOCKED, "uv: Operation not permitted", id="blocked"),
        pytest.param(None, "ERROR: No matching distribution found for uv", id="none"),
    ],
)
def test_where_uv_cannot_be_had_pip_goes_on_and_says_so_in_one_line(
    uv: bytes | None, why: str, new_checkout: Callable[[str], Path], tmp_path: Path
):
    small = Small(new_checkout(f"without-uv-{uv is None}"), tmp_path, uv or BLOCKED)
    if uv is None:  # as on a platform that has no wheel of it
        (brought,) = tmp_path.glob("uv-*")
        brought.unlink()
    answer = small.up()
    assert (answer.returncode, answer.stdout) == (0, f"{small.checkout / '.venv'}\n"), answer.stderr
    (told,) = [line for line in answer.stderr.splitlines() if "uv is not available" in line]
    assert why in told
    assert "1 locked packages from requirements.lock with pip" in answer.stderr


@pytest.mark.long
def test_what_pips_files_say_holds_for_uv_and_is_written_nowhere(small: Small, tmp_path: Path):
    settings = tmp_path / "pip.conf"
    settings.write_text(
        "[global]\nno-index = true\nrequire-virtualenv = true\n"
        f"[install]\nuser = yes\nfind-links = {small.wheels}\n"
    )
    told = {"PIP_CONFIG_FILE": str(settings), "PIP_NO_INDEX": "", "PIP_FIND_LINKS": ""}
    answer = small.up(**told)
    assert answer.returncode == 0, answer.stderr
    assert "with uv" in answer.stderr
    for path in small.checkout.rglob("*"):
        if path.is_file() and path.stat().st_size < 1_000_000:
            assert str(small.wheels).encode() not in path.read_bytes(), path


@pytest.mark.long
def test_a_lock_that_cannot_be_installed_says_so_and_is_tried_again(small: Small):
    right = small.lock.read_text()
    small.lock.write_text(right.replace("sha256:", "sha256:0"))
    refused = small.up()
    assert refused.returncode == 1
    assert "cannot install the locked packages" in refused.stderr
    small.lock.write_text(right)
    assert small.up().returncode == 0
