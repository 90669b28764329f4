"""``.venv`` is built from the lock: by two at once, again after an interruption, after a change of the lock.

The lock has one package, made here; stamp, guard and installers are those of the whole environment.
"""

import fcntl
import json
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.checkout import ROOT
from tests.chaos.installation import BASE_PYTHON, PATIENCE, bare_environment, run
from tests.chaos.wheel import Wheel

pytestmark = pytest.mark.chaos


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


def test_two_commands_at_once_build_one_environment(built_by_two: Built):
    said = "".join(answer.stderr for answer in built_by_two.answers)
    assert [answer.returncode for answer in built_by_two.answers] == [0, 0], said
    environment = built_by_two.small.checkout / ".venv"
    assert [answer.stdout for answer in built_by_two.answers] == [f"{environment}\n"] * 2
    assert said.count("making .venv") == 1


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
def test_a_lock_that_cannot_be_installed_says_so_and_is_tried_again(small: Small):
    right = small.lock.read_text()
    small.lock.write_text(right.replace("sha256:", "sha256:0"))
    refused = small.up()
    assert refused.returncode == 1
    assert "the locked packages could not be installed" in refused.stderr
    small.lock.write_text(right)
    assert small.up().returncode == 0
