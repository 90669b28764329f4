"""The drill: back up a running site while people write, restore it on another machine, compare everything."""

import json
import os
import signal
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deploy import processes
from deploy.checkout import copy_project
from tests.chaos.conftest import Shared
from tests.chaos.installation import BASE_PYTHON, Up, bare_environment, run, with_environment

pytestmark = [pytest.mark.chaos, pytest.mark.long]
EVENTS = "SELECT count(*) FROM scoring_sheetevent"
# Eight people at four boards, over HTTP, until they are killed.
WRITE = """
import random, threading, time
from urllib.parse import urlsplit
from clubs.models import Club
from deploy.benches.scoresheet import BenchWriter, new_match, session_of, write
club = Club.objects.create(slug="drill-{pid}", name="Drill")
boards = [new_match(club, number) for number in range(4)]
until = time.monotonic() + 3600
for match, users in boards:
    for user in users:
        writer = BenchWriter(match, session_of(user), random.Random(user.pk))
        threading.Thread(target=write, args=[writer, urlsplit("{url}").netloc, until]).start()
"""
NIGHT = "from deploy.tasks import nightly_backup; nightly_backup()"
# Told of where the backup was taken, and put to rest where it is restored.
TOLD = {"clubs_backup", "clubs_outgoingmail", "tournaments_pushcall"}


def manifest_of(path: Path) -> dict[str, Any]:
    with tarfile.open(path) as tar:
        member = tar.extractfile("manifest.json")
        assert member is not None
        return dict(json.load(member))


def told(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def events(up: Up) -> int:
    with up.database() as connection:
        row = connection.execute(EVENTS).fetchone()
    return int(row[0]) if row else 0


def test_a_backup_under_load_is_the_same_elsewhere(running: Up, new_checkout: Callable[[str], Path]):
    file, checkout = running.checkout / "drill.tar", running.checkout
    before = events(running)
    writing = processes.spawn(
        [BASE_PYTHON, checkout / "manage.py", "shell", "-c", WRITE.format(pid=os.getpid(), url=running.url)],
        environment=bare_environment(),
        log=checkout / "writing.out",
        directory=checkout,
    )
    try:
        running.wait_until(lambda: events(running) > before + 20, "writers")
        begun = events(running)
        taken = told(run(checkout, "backup", str(file), "--json"))
        ended = events(running)
        running.wait_until(lambda: events(running) > ended, "writers that go on")
    finally:
        processes.stop(writing, signal.SIGKILL, 1)
    manifest = manifest_of(file)
    assert begun <= manifest["tables"]["scoring_sheetevent"]["rows"] <= ended
    assert ended > begun
    # The shared installation has a table of the tests, which is nobody's of Midpoint.
    assert taken["left_out"] in ([], ["kept"])

    refused = run(checkout, "restore", str(file))
    assert "stop the site first" in refused.stderr
    assert refused.returncode == 1

    elsewhere = with_environment(copy_project(new_checkout("elsewhere")))
    restored = told(run(elsewhere, "restore", str(file), "--verify", "--json"))
    assert restored["rows"] == taken["rows"]
    assert restored["verified"]["ok"]
    assert restored["verified"]["sheets"] == manifest["tables"]["scoring_sheet"]["rows"] >= 4
    assert restored["same_secret_key"]
    for name in taken["keys"]:
        key = Path(name).name
        assert (elsewhere / "var" / key).read_bytes() == (checkout / "var" / key).read_bytes()

    told(run(elsewhere, "backup", str(elsewhere / "again.tar"), "--json"))
    again = manifest_of(elsewhere / "again.tar")
    assert again["tables"].keys() == manifest["tables"].keys()
    differ = {name for name in again["tables"] if again["tables"][name] != manifest["tables"][name]}
    assert differ <= TOLD
    assert {name: value for name, value in again["sequences"].items() if name != "clubs_backup.id"} == {
        name: value for name, value in manifest["sequences"].items() if name != "clubs_backup.id"
    }

    twice = run(elsewhere, "restore", str(file))
    assert "this installation is not empty: it has rows in" in twice.stderr
    with Up(elsewhere) as up:
        up.wait_until(up.ready, "readiness")
        assert events(up) == manifest["tables"]["scoring_sheetevent"]["rows"]


def test_the_workers_of_a_running_site_take_the_nightly_backup(running: Up, shared: Shared):
    asked = run(running.checkout, "shell", "-c", NIGHT, env=shared.environment())
    assert asked.returncode == 0, asked.stderr
    running.wait_until(lambda: list(shared.backups.glob("midpoint-*.tar")), "nightly backup")
    (file,) = shared.backups.glob("midpoint-*.tar")
    assert told(run(running.checkout, "restore", str(file), "--check", "--json"))["tables"] > 70
    with running.database() as connection:
        rows = connection.execute("SELECT status, path, error FROM clubs_backup WHERE into_folder").fetchall()
    assert rows == [("done", str(file), "")]
