"""The real program of a helper against a real server, with a real engine and a real worker."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clubs.models import WorkStatus
from clubs.tasks import reconcile, wake
from clubs.work import services as work
from scoring.helping.services.helpers import ask_for_helper, end_helper
from scoring.models import Analysis, Helper, HelperLease, HelperStatus, LeaseStatus
from tests.children import WorkerChild
from tests.factories import ClubFactory, member
from tests.scoring.analysis.test_analyses import give_leases_up, import_shared
from tests.scoring.helping.wire import an_imported_match
from tests.waiting import until

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[3]


def started(server: str, tmp_path: Path, token: str, *options: str) -> "subprocess.Popen[str]":
    file = tmp_path / f"{token[4:12]}.token"
    file.write_text(token + "\n")
    command = [
        sys.executable,
        "-m",
        "scoring.helper",
        "--server",
        server,
        "--token-file",
        str(file),
        *options,
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO_")}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def ended(client: "subprocess.Popen[str]") -> tuple[int, list[dict[str, Any]]]:
    output, _none = client.communicate(timeout=300)
    return client.returncode, [json.loads(line) for line in output.splitlines()]


def a_token(club: Any) -> str:
    _helper, token = ask_for_helper(user=member(club), club=club, name="Desktop")
    Helper.objects.update(status=HelperStatus.ALLOWED)
    return token


def events(log: list[dict[str, Any]]) -> list[str]:
    return [line["event"] for line in log]


def test_a_match_is_analysed_by_two_helpers_at_once_and_checked(
    worker: WorkerChild, server, tmp_path
) -> None:
    worker.kill()
    club = ClubFactory.create()
    for _each in range(2):
        an_imported_match(club)
    Analysis.objects.update(preset="fast")
    worker.forget()
    clients = [started(server, tmp_path, a_token(club), "--once", "--preset", "fast") for _each in range(2)]
    for client in clients:
        status, log = ended(client)
        assert status == 0, log
        assert events(log) == ["started", "claimed", "answered", "stopped"]
        assert log[2]["status"] == "checking"
    leases = HelperLease.objects.all()
    assert {lease.status for lease in leases} == {LeaseStatus.CHECKING}
    assert leases.values("analysis").distinct().count() == leases.values("helper").distinct().count() == 2
    worker.start()
    wake(Analysis.objects.all()[0])
    until(lambda: not Analysis.objects.exclude(status=WorkStatus.DONE).exists())
    assert {lease.status for lease in HelperLease.objects.all()} == {LeaseStatus.ACCEPTED}
    for analysis in Analysis.objects.all():
        assert analysis.decisions.values("number").distinct().count() == analysis.decisions.count() > 0


def test_a_killed_helper_s_match_goes_on_elsewhere_and_one_that_is_stopped_gives_it_back(
    worker: WorkerChild, server, tmp_path, shared_data
) -> None:
    worker.kill()
    club = ClubFactory.create()
    import_shared(club, shared_data, "galaxy-8062348.txt")
    Analysis.objects.update(preset="deep")
    worker.forget()
    token = a_token(club)
    killed = started(server, tmp_path, token, "--preset", "deep")
    until(HelperLease.objects.exists)
    killed.kill()
    killed.communicate()
    give_leases_up()
    work.requeue_lost(Analysis)
    assert Analysis.objects.get().attempts_left == 3

    stopped = started(server, tmp_path, token, "--preset", "deep")
    until(lambda: HelperLease.objects.count() == 2)
    stopped.send_signal(signal.SIGINT)
    status, log = ended(stopped)
    assert (status, events(log)) == (0, ["started", "claimed", "released", "stopped"])
    assert [lease.status for lease in HelperLease.objects.order_by("pk")] == [
        LeaseStatus.LOST,
        LeaseStatus.RELEASED,
    ]
    Analysis.objects.update(preset="fast")
    status, log = ended(started(server, tmp_path, token, "--once"))
    assert status == 0, log
    worker.start()
    reconcile()
    wake(Analysis.objects.get())
    until(lambda: HelperLease.objects.filter(status=LeaseStatus.ACCEPTED).exists(), patience=300)


def test_a_killed_worker_checks_again_and_an_ended_helper_is_told(
    worker: WorkerChild, server, tmp_path, shared_data
) -> None:
    worker.kill()
    club = ClubFactory.create()
    import_shared(club, shared_data, "galaxy-8062348.txt")
    worker.forget()
    token = a_token(club)
    status, log = ended(started(server, tmp_path, token, "--once"))
    assert status == 0, log
    worker.start()
    wake(Analysis.objects.get())
    until(lambda: Analysis.objects.filter(status=WorkStatus.RUNNING).exists())
    worker.kill()
    assert HelperLease.objects.get().status in {LeaseStatus.CHECKING, LeaseStatus.ACCEPTED}
    worker.forget()
    give_leases_up()
    worker.start()
    reconcile()
    until(lambda: HelperLease.objects.filter(status=LeaseStatus.ACCEPTED).exists(), patience=300)
    helper = Helper.objects.get()
    end_helper(user=helper.user, ref=helper.ref)
    status, log = ended(started(server, tmp_path, token, "--once"))
    assert (status, log[-2]["code"]) == (2, "token_not_valid")
