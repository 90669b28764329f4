"""The program of a helper against a server that restarts, refuses, redirects or is none."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from deploy.checkout import ROOT
from scoring.helper.__main__ import main
from scoring.helper.pauses import BackOff
from scoring.helper.runner import BAD_TOKEN, OUTDATED, REFUSED, STOPPED, HelperLoop
from scoring.helper.server import Server

Answer = tuple[int, Any, dict[str, str]]
NOTHING: Answer = (200, {"lease": None, "ask_again_seconds": 60}, {})


class Answering(ThreadingHTTPServer):
    """A server that gives these answers in turn, then the last one for ever."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Answer] = [NOTHING]
        self.asked: list[tuple[str, Any, str]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Answering

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers["Authorization"]))
        answers = self.server.answers
        status, content, headers = answers.pop(0) if len(answers) > 1 else answers[0]
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Answering]:
    with Answering() as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def told(server: Answering, *answers: Answer) -> tuple[int, list[tuple[str, dict]]]:
    """The exit status and the log of one run against these answers."""
    server.answers = list(answers)
    said: list[tuple[str, dict]] = []
    asked = Server(f"http://127.0.0.1:{server.server_port}", "mph_x")
    runner = HelperLoop(
        asked,
        ["e 1 fast@1 t"],
        threading.Event(),
        lambda event, **values: said.append((event, values)),
        once=True,
        pauses=BackOff(lambda: -0.99),
    )
    return runner.run(), said


def problem(status: int, code: str, detail: str = "Because.") -> Answer:
    return status, {"code": code, "detail": detail}, {}


def test_it_asks_with_its_token_and_labels(server) -> None:
    assert told(server, NOTHING) == (STOPPED, [("nothing_waits", {})])
    body = {"protocol": 1, "labels": ["e 1 fast@1 t"]}
    assert server.asked == [("/api/v1/helper/claims/", body, "Bearer mph_x")]


def test_a_server_that_restarts_or_is_behind_a_sign_in_page_is_asked_again(server) -> None:
    page: Answer = (200, b"<html>Sign in to the hotel's network</html>", {})
    status, said = told(
        server, (503, b"", {}), (502, b"<html>", {}), page, (429, {}, {"Retry-After": "0"}), NOTHING
    )
    assert status == STOPPED
    assert [event for event, _values in said] == ["unreachable"] * 4 + ["nothing_waits"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (problem(401, "token_not_valid"), BAD_TOKEN),
        (problem(409, "helper_outdated", "Update Midpoint there."), OUTDATED),
        (problem(403, "helper_paused"), REFUSED),
        (problem(409, "helper_label"), REFUSED),
        ((404, b"<html>", {}), REFUSED),
        ((302, b"", {"Location": "https://elsewhere.example/"}), REFUSED),
    ],
)
def test_a_refusal_is_told_and_ends_one_try(server, answer, status) -> None:
    ended, said = told(server, answer)
    assert ended == status
    assert [event for event, _values in said] == ["refused"]
    assert said[0][1]["text"]
    assert len(server.asked) == 1  # a token never follows a redirect


def test_questions_that_cannot_be_read_or_had_never_been_faced_are_released(server) -> None:
    lease = {"ref": "abcdefghjk", "until": "", "heartbeat_seconds": 20, "engine": "gammonview", "label": "x"}
    unreadable: Answer = (200, {"lease": lease | {"request": {"questions": 7}}, "ask_again_seconds": 1}, {})
    nowhere: Answer = (
        200,
        {"lease": lease | {"engine": "sh", "request": {"questions": [], "preset": "fast"}}},
        {},
    )
    empty: Answer = (204, b"", {})
    status, said = told(server, unreadable, empty, nowhere, empty, NOTHING)
    assert status == STOPPED
    released = [values for event, values in said if event == "released"]
    assert len(released) == 2
    assert "unknown engine 'sh'" in released[1]["why"]
    assert [path for path, _body, _token in server.asked].count(
        "/api/v1/helper/leases/abcdefghjk/release/"
    ) == 2


@pytest.mark.parametrize(
    ("content", "status"), [(None, BAD_TOKEN), ("mp_another", BAD_TOKEN), ("mph_a b", BAD_TOKEN)]
)
def test_a_file_without_a_helper_token_is_named(tmp_path, capsys, content, status) -> None:
    path = tmp_path / "token"
    if content is not None:
        path.write_text(content)
    assert main(["--server", "https://club.example", "--token-file", str(path)]) == status
    assert "token" in json.loads(capsys.readouterr().out)["text"]


@pytest.mark.parametrize(
    "options", [["--server", "http://club.example"], ["--processes", "9"], ["--preset", "x"]]
)
def test_options_that_cannot_be_are_named(options, capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--server", "https://club.example", "--token-file", "x", *options])
    assert options[1] in capsys.readouterr().err


def test_the_command_runs_from_any_folder(tmp_path) -> None:
    token = tmp_path / "token"
    token.write_text("none")
    options = ["--server", "https://club.example", "--token-file", str(token)]
    command = [sys.executable, str(ROOT / "midpoint-helper"), *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (BAD_TOKEN, "")
    assert json.loads(done.stdout)["event"] == "stopped"
