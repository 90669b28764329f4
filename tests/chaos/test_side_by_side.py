"""``test``, ``bench`` and ``up`` on the same machine at the same time do not disturb one another."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deploy import processes
from deploy.checkout import ROOT
from tests.chaos.installation import SERVICES, Up, bare_environment

pytestmark = [pytest.mark.chaos, pytest.mark.long]
PATIENCE = 900
ON_ENGINES = (
    "test",
    "tests/clubs/clubs",
    "tests/clubs/live/test_live.py",
    "--no-browser",
    "--no-chaos",
    "-q",
)


@contextmanager
def started(log: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command of this checkout, in a session of its own."""
    command = [sys.executable, "manage.py", *words]
    process = processes.spawn(command, environment=bare_environment(), log=log, directory=ROOT)
    try:
        yield process
    finally:
        processes.stop(process, 15, 30)


def test_each_does_its_work_and_the_site_stays_as_it_was(running: Up, tmp_path: Path):
    written = running.write(1)
    running.wait_until(lambda: all(running.main_pid(name) for name in SERVICES), "services")
    before = {name: running.main_pid(name) for name in SERVICES}
    commands = [ON_ENGINES, ON_ENGINES, ("bench", "replay"), ("showmigrations", "clubs")]
    logs = [tmp_path / f"{number}.log" for number in range(len(commands))]
    with ExitStack() as stack:
        begun = [stack.enter_context(started(log, *words)) for log, words in zip(logs, commands, strict=True)]
        for process, log in zip(begun, logs, strict=True):
            assert process.wait(PATIENCE) == 0, processes.tail(log, 40)
    assert {name: running.main_pid(name) for name in SERVICES} == before
    assert running.ready()
    assert running.count(written) == 1
