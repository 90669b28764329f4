"""The parts of ``up`` that can be shown without starting one."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from deploy import checkout, network, processes, watchdog
from deploy.address import Address, UpError, a_host_of, allowed_hosts, holder
from deploy.preparing import Preparing
from deploy.supervisor import Child, Forked, StartError, Supervised, Supervisor, ending, stop_order
from tests.children import database_url


def test_a_local_address_is_answered_under_its_local_names_alone():
    assert allowed_hosts(Address("127.0.0.1", 8000)) == ["localhost", "127.0.0.1", "[::1]"]


def test_one_address_of_the_network_is_added():
    assert allowed_hosts(Address("10.1.2.3", 8000))[3:] == ["10.1.2.3"]
    assert allowed_hosts(Address("fd00::5", 8000))[3:] == ["[fd00::5]"]


@pytest.mark.parametrize("bind", ["0.0.0.0", "::"])
def test_listening_everywhere_adds_this_machines_names_but_not_every_name(bind: str):
    hosts = allowed_hosts(Address(bind, 8000))
    assert socket.gethostname() in hosts
    assert "*" not in hosts


@pytest.mark.parametrize(
    ("bind", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("10.1.2.3", "http://10.1.2.3:8000"),
        ("fd00::5", "http://[fd00::5]:8000"),
    ],
)
def test_the_printed_address_can_be_opened_on_this_machine(bind: str, url: str):
    assert Address(bind, 8000).url == url


@pytest.mark.parametrize(
    ("allowed", "host"),
    [("club.example,other.example", "club.example"), (".club.example", "club.example"), ("*", "localhost")],
)
def test_the_health_question_uses_a_host_that_is_let_in(allowed: str, host: str):
    assert a_host_of(allowed) == host


def test_an_address_of_another_machine_is_refused_with_a_way_out():
    with pytest.raises(
        UpError, match=r"192\.0\.2\.7 is not an address of this machine; try --bind 0\.0\.0\.0"
    ):
        Address("192.0.2.7", 8000).listen()


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_what_is_no_port_is_named_with_what_is_one(port: str):
    with pytest.raises(
        SystemExit, match=rf"--port {port} is not a TCP port: choose one from 1 to 65535, or 0"
    ):
        call_command("up", f"--port={port}")


def test_the_holder_of_a_port_is_found_and_nobody_holds_a_free_one():
    with network.listen("127.0.0.1:0") as listener:
        port = listener.getsockname()[1]
        assert holder(port).endswith(f"(process {os.getpid()})")
    assert holder(port) == ""


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_everywhere_in_ipv6_is_everywhere_in_ipv4_too():
    with network.listen(":::0") as listener:
        socket.create_connection(("127.0.0.1", listener.getsockname()[1])).close()


def test_the_watchdog_keeps_the_children_that_have_not_ended():
    lines = [f"+{os.getpid()} 2\n", "+999999 15\n", "-999999\n"]
    assert watchdog.listed(lines) == {os.getpid(): (processes.start_time(os.getpid()), 2)}


def test_a_zombie_counts_as_dead():
    with subprocess.Popen([sys.executable, "-c", "0"]) as child:
        end = time.monotonic() + 30
        while processes.start_time(child.pid) and time.monotonic() < end:
            time.sleep(0.01)
        assert processes.start_time(child.pid) is None


def test_a_sweep_ends_marked_processes_in_other_sessions_and_no_others(tmp_path: Path):
    marker = f"sweep-{os.getpid()}"
    sleep = "import time; time.sleep(600)"
    script = f"import subprocess as s, sys; s.run([sys.executable, '-c', {sleep!r}], start_new_session=True)"
    marked = processes.spawn(
        [sys.executable, "-c", script], environment=os.environ | {processes.MARKER: marker}
    )
    other = processes.spawn([sys.executable, "-c", sleep])
    end = time.monotonic() + 30
    while len(processes.marked(marker)) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    processes.sweep(marker)
    assert processes.marked(marker) == []
    assert marked.wait() == -signal.SIGKILL
    assert other.poll() is None
    processes.stop(other, signal.SIGKILL, 1)


def test_a_stop_ends_what_a_child_forked_under_another_marker_too(tmp_path: Path):
    marker, sleep = f"forked-{os.getpid()}", "import time; time.sleep(600)"
    words = [sys.executable, "-c", sleep]
    left = processes.spawn(words, environment=os.environ | {processes.MARKER: f"{marker}/worker"})
    parts = (Forked(f"{marker}/worker", tmp_path / "worker.log"),)

    def launch() -> "subprocess.Popen[bytes]":
        return processes.spawn(words, environment=os.environ | {processes.MARKER: f"{marker}/background"})

    supervisor = Supervisor(f"test-of-{marker}", print)
    with supervisor.on_duty():
        log, mark = tmp_path / "log", f"{marker}/background"
        supervisor.start(Child("background", launch, signal.SIGTERM, 1, log, mark, forked=parts))
    assert left.wait(60) == -signal.SIGKILL
    assert processes.marked(marker) == []


def test_engines_stop_after_everything_that_needs_them():
    def child(name: str, marker: str = "") -> Supervised:
        process = subprocess.Popen([sys.executable, "-c", "0"])
        process.wait()
        return Supervised(Child(name, lambda: process, signal.SIGTERM, 1, Path("log"), marker), process)

    everything = [child("postgresql"), child("valkey"), child("web", "m/web"), child("worker", "m/worker")]
    order = [[one.child.name for one in group] for group in stop_order(everything)]
    assert order == [["web", "worker"], ["valkey"], ["postgresql"]]


def test_an_ending_is_told_in_words():
    assert (ending(-9), ending(1)) == ("was ended by SIGKILL", "ended with 1")


def test_the_supervisor_lives_without_django_celery_and_the_web_server():
    heavy = "{'django', 'celery', 'redis', 'uvicorn', 'environs'}"
    code = f"import sys, deploy.up; print(sorted({heavy} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], cwd=checkout.ROOT, capture_output=True, text=True)
    assert (answer.stdout, answer.stderr) == ("[]\n", "")


def supervised_to_its_end(tmp_path: Path, script: str) -> tuple[list[str], int]:
    """What a supervisor says of a child that runs once, and how often it has started it."""
    said: list[str] = []
    starts: list[int] = []

    def launch() -> "subprocess.Popen[bytes]":
        starts.append(1)
        return subprocess.Popen([sys.executable, "-c", script])

    supervisor = Supervisor(f"once-{os.getpid()}", said.append)
    with supervisor.on_duty():
        supervisor.start(Child("demo", launch, signal.SIGTERM, 1, tmp_path / "log", once=True))
        end = time.monotonic() + 60
        while supervisor._supervised and time.monotonic() < end:
            for one in list(supervisor._supervised):
                supervisor._mind(one)
            time.sleep(0.02)
        assert supervisor._supervised == []
    return said, len(starts)


def test_a_child_that_runs_once_is_not_started_again_when_it_is_done(tmp_path: Path):
    assert supervised_to_its_end(tmp_path, "") == ([], 1)


@pytest.mark.long
def test_a_child_that_runs_once_is_tried_three_times_and_then_given_up(tmp_path: Path):
    said, starts = supervised_to_its_end(tmp_path, "raise SystemExit(3)")
    assert (starts, said[-1]) == (3, "demo ended with 3; it was tried 3 times")


PREPARE = """
import socket, sys
from deploy.up_to_date import prepare
from deploy.web import load
load()
prepare(socket.socket(fileno=int(sys.argv[1])), static=False)
"""


def prepared(said: bytes, **variables: str) -> tuple[bytes, int, str]:
    """What a process that prepares answers to what its supervisor has said, its exit code, and its output."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        words = [sys.executable, "-c", PREPARE, str(theirs.fileno())]
        process = subprocess.Popen(
            words,
            cwd=checkout.ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings"} | variables,
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        theirs.close()
        ours.sendall(said)
        ours.shutdown(socket.SHUT_WR)
        heard = b"".join(iter(lambda: ours.recv(4096), b""))
        output, _ = process.communicate()
        return heard, process.returncode, output


@pytest.mark.long
def test_who_prepares_answers_with_the_first_pages_path_when_all_is_done():
    heard, code, output = prepared(b"go\n")
    assert (code, output) == (0, "")
    path, ready = heard.decode().splitlines()
    assert path.startswith("/setup/")
    assert ready == "ready"


@pytest.mark.long
def test_who_prepares_leaves_the_database_alone_when_its_supervisor_has_gone():
    assert prepared(b"", DATABASE_URL="postgres:///nowhere?host=/nowhere") == (b"", 0, "")


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_database_of_another_version_is_refused_with_its_sentence_alone():
    MigrationRecorder(connection).record_applied("clubs", "0999_later")
    try:
        heard, code, output = prepared(b"go\n", DATABASE_URL=database_url(connection.settings_dict))
    finally:
        MigrationRecorder(connection).record_unapplied("clubs", "0999_later")
    assert code == 1
    assert heard.startswith(b"refused the database has clubs.0999_later, which this Midpoint does not know")
    assert heard.endswith(b"start with an empty database\n")
    assert output.startswith("midpoint: the database has clubs.0999_later")
    assert "Traceback" not in output


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_so_does_every_other_command():
    MigrationRecorder(connection).record_applied("clubs", "0999_later")
    code = "from deploy.launch import execute; execute(['manage.py', 'verify_sheets'], migrated=False)"
    variables = {
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "DATABASE_URL": database_url(connection.settings_dict),
    }
    try:
        told = subprocess.run(
            [sys.executable, "-c", code],
            cwd=checkout.ROOT,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        MigrationRecorder(connection).record_unapplied("clubs", "0999_later")
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith("midpoint: the database has clubs.0999_later")
    assert told.stderr.count("\n") == 1


def test_whoever_starts_the_site_reads_that_sentence_and_no_log():
    with Preparing(Supervisor(f"refused-{os.getpid()}", print)) as preparing:
        web = preparing.theirs.dup()
        with web:
            web.sendall(b"/setup/x/\nrefused the database is another one\n")
            with pytest.raises(StartError) as refused:
                preparing.done()
    assert str(refused.value) == "the database is another one"


@pytest.mark.long
def test_who_cannot_prepare_says_what_failed_and_is_not_ready():
    heard, code, output = prepared(b"go\n", DATABASE_URL="postgres:///nowhere?host=/nowhere")
    assert (heard, code) == (b"", 1)
    assert output.rstrip().endswith("midpoint: the database was not brought up to date (exit code 1)")
