"""The limits of the web process, on real sockets of a real one."""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation

from clubs.accounts.services.tokens import make_token
from clubs.models import Scope
from deploy.limits import LINGER_BYTES, SMALL_BODY, smaller
from tests.children import ServerChild
from tests.factories import ClubFactory, member

PATIENCE = 60.0  # for a machine with other work; nothing here measures time
MEGABYTE = 1_000_000
# What the kernel holds between two sockets of this machine, generously.
IN_THE_PIPES = 20 * MEGABYTE


@pytest.fixture(scope="module")
def patient(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerChild]:
    """A web process that waits long, with the documented number of connections."""
    child = ServerChild(
        connection.settings_dict, tmp_path_factory.mktemp("patient") / "web.log", REQUEST_SECONDS="600"
    )
    yield child
    child.stop()


@pytest.fixture(scope="module")
def narrow(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerChild]:
    """A web process that waits long, in which an address has twenty connections."""
    child = ServerChild(
        connection.settings_dict,
        tmp_path_factory.mktemp("narrow") / "web.log",
        REQUEST_SECONDS="600",
        CONNECTIONS_PER_ADDRESS="20",
    )
    yield child
    child.stop()


@pytest.fixture(scope="module")
def hurried(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerChild]:
    """A web process in which a request has a second to arrive, behind a proxy on this machine."""
    child = ServerChild(
        connection.settings_dict,
        tmp_path_factory.mktemp("hurried") / "web.log",
        REQUEST_SECONDS="1",
        CONNECTIONS_PER_ADDRESS="5",
        TRUSTED_PROXIES="127.0.0.0/8",
    )
    yield child
    child.stop()


def connect(child: ServerChild) -> socket.socket:
    address = urlsplit(child.url)
    return socket.create_connection((address.hostname, address.port), timeout=PATIENCE)


def written_by(child: ServerChild) -> int:
    """Bytes that the process has written into files, whether or not they reached a disk."""
    lines = Path(f"/proc/{child.pid}/io").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("wchar")))


def read_to_the_end(there: socket.socket) -> bytes:
    """All that comes until the other side closes; a connection that was reset has ended too."""
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := there.recv(65536):
            answer += piece
    return answer


def post(there: socket.socket, path: str, *headers: str) -> None:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
    there.sendall("\r\n".join(lines).encode())


def stream(there: socket.socket, size: int, *, chunked: bool = True) -> int:
    """Send a body until it is all there or nobody takes more; how much went out."""
    piece, sent = b"x" * 100_000, 0
    framed = b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece
    try:
        while sent < size:
            there.sendall(framed)
            sent += len(piece)
        if chunked:
            there.sendall(b"0\r\n\r\n")
    except OSError:
        pass
    return sent


@pytest.mark.long
@pytest.mark.parametrize(
    "path", ["/clubs/nowhere/upload/", "/account/login/", "/api/v1/clubs/x/uploads/", "/no"]
)
def test_a_large_body_of_a_stranger_is_cut_off_early_and_nothing_is_stored(patient: ServerChild, path: str):
    before = written_by(patient)
    with connect(patient) as there:
        post(there, path, "Transfer-Encoding: chunked", "Content-Type: multipart/form-data; boundary=b")
        sent = stream(there, 300 * MEGABYTE)
        answer = read_to_the_end(there)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert sent < SMALL_BODY + LINGER_BYTES + IN_THE_PIPES
    assert written_by(patient) - before < SMALL_BODY


def test_a_declared_size_is_refused_before_the_body_comes(patient: ServerChild):
    with connect(patient) as there:
        post(there, "/account/login/", f"Content-Length: {300 * MEGABYTE}", "Expect: 100-continue")
        answer = read_to_the_end(there)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer.lower()
    assert answer.endswith(b"At most 2 MB can be sent here. Go back and choose a smaller file.\n")


def test_how_much_can_be_sent_is_said_in_the_senders_language(monkeypatch, settings):
    settings.LANGUAGES = [("en", "English"), ("eu", "Euskara")]
    said = {"en": "At most %(most)s MB.", "eu": "%(most)s MB gehienez."}
    monkeypatch.setattr("deploy.limits._", lambda _words: said[translation.get_language()])
    in_basque = {"headers": [(b"accept-language", b"xx, eu-ES;q=0.9, en;q=0.5")]}
    assert smaller(in_basque, 16 * 2**20) == "16 MB gehienez.\n"
    assert smaller({"headers": [(b"accept-language", b"\xff")]}, 2**20) == "At most 1 MB.\n"
    assert smaller({"headers": []}, 2**20) == "At most 1 MB.\n"


@pytest.mark.long
@pytest.mark.parametrize("length", ["9" * 5000, "-1", "1e9"])
def test_a_length_that_is_no_size_is_refused(patient: ServerChild, length: str):
    with connect(patient) as there:
        post(there, "/account/login/", f"Content-Length: {length}")
        assert read_to_the_end(there).split(b" ")[1] in {b"400", b"413"}


def test_what_fits_is_answered_by_the_page(patient: ServerChild):
    with connect(patient) as there:
        post(there, "/account/login/", "Transfer-Encoding: chunked", "Connection: close")
        assert stream(there, 2 * MEGABYTE) == 2 * MEGABYTE
        assert read_to_the_end(there).startswith(b"HTTP/1.1 403 ")  # no CSRF token: Django has seen it


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["session behind a cookie of another site", "token", "session"])
def test_who_is_signed_in_uploads_more_and_a_made_up_cookie_does_not(patient: ServerChild, how: str):
    club = ClubFactory.create()
    user = member(club)
    client = Client()
    client.force_login(user)
    if how.startswith("session"):
        others = "" if how == "session" else "{bad}[1]=a b,c; "
        path, mine, forged = (
            f"/clubs/{club.slug}/upload/",
            f"Cookie: {others}sessionid={client.cookies['sessionid'].value}",
            "Cookie: sessionid=abcdefghijklmnopqrstuvwxyz012345",
        )
    else:
        _row, text = make_token(user=user, label="t", scopes=[Scope.READ], expires_at=None)
        path, mine, forged = (
            f"/api/v1/clubs/{club.slug}/uploads/",
            f"Authorization: Bearer {text}",
            ("Authorization: Bearer mp_made-up"),
        )
    answers = []
    for header in (mine, forged):
        with connect(patient) as there:
            post(there, path, header, f"Content-Length: {5 * MEGABYTE}", "Connection: close")
            stream(there, 5 * MEGABYTE, chunked=False)
            answers.append(read_to_the_end(there).split(b" ")[1])
    assert answers[0] != b"413"
    assert answers[1] == b"413"


@pytest.mark.long
def test_a_request_that_says_nothing_ends(hurried: ServerChild):
    with connect(hurried) as there:
        assert b" 408 " in read_to_the_end(there)


@pytest.mark.long
@pytest.mark.parametrize("end", ["\r\n", ""])
def test_headers_that_trickle_end(hurried: ServerChild, end: str):
    with connect(hurried) as there:
        there.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        trickle(there, f"X-a: b{end}")
        assert b" 408 " in read_to_the_end(there)


@pytest.mark.long
def test_a_body_that_trickles_ends(hurried: ServerChild):
    with connect(hurried) as there:
        post(there, "/account/login/", "Content-Length: 1000000")
        trickle(there, "x")
        assert b" 408 " in read_to_the_end(there)


@pytest.mark.long
def test_a_second_request_on_the_same_connection_has_its_own_time(hurried: ServerChild):
    with connect(hurried) as there:
        there.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in there.recv(65536)
        there.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        trickle(there, "s")
        assert b" 408 " in read_to_the_end(there)


@pytest.mark.long
def test_a_body_that_comes_steadily_has_longer(hurried: ServerChild):
    """40 KB at once are worth 2.5 s of time; a pause of 1.5 s does no harm then."""
    with connect(hurried) as there:
        post(there, "/account/login/", "Content-Length: 41000", "Connection: close")
        there.sendall(b"x" * 40000)
        time.sleep(1.5)
        there.sendall(b"x" * 1000)
        assert b" 408 " not in read_to_the_end(there)


def trickle(there: socket.socket, text: str) -> None:
    """Send the same few bytes again and again until the other side has closed."""
    end = time.monotonic() + PATIENCE
    there.settimeout(0.1)
    with contextlib.suppress(OSError):
        while time.monotonic() < end:
            there.sendall(text.encode())
            with contextlib.suppress(TimeoutError):
                if there.recv(1, socket.MSG_PEEK) is not None:
                    break
    there.settimeout(PATIENCE)


@pytest.mark.long
def test_an_address_has_so_many_connections_and_the_others_are_told(narrow: ServerChild):
    held = [connect(narrow) for _ in range(20)]
    try:
        with connect(narrow) as one_more:
            answer = read_to_the_end(one_more)
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b"retry-after" in answer.lower()
        held.pop().close()
        assert eventually_served(narrow)
    finally:
        for there in held:
            there.close()
    assert eventually_served(narrow)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_venue_of_three_hundred_phones_behind_one_address_is_served(patient: ServerChild):
    """The 201st was refused. Each has a live page open, and all of them ask for something at once."""
    club = ClubFactory.create()
    phones: list[tuple[int, http.client.HTTPConnection]] = []
    asking: list[socket.socket] = []
    try:
        for _number in range(300):
            phones.append(live(patient, club.ref))
            asking.append(connect(patient))
        assert {status for status, _there in phones} == {200}
        for there in asking:
            there.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert {read_to_the_end(there).split(b" ")[1] for there in asking} == {b"200"}
        assert threads_of(patient) < 100  # a live page has none
    finally:
        for there in asking:
            there.close()
        for _status, phone in phones:
            phone.close()


def threads_of(child: ServerChild) -> int:
    return len(list(Path(f"/proc/{child.pid}/task").iterdir()))


def eventually_served(child: ServerChild) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with connect(child) as there:
            there.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            if b" 200 " in read_to_the_end(there):
                return True
        time.sleep(0.05)
    return False


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_live_pages_last_and_count_for_the_address_behind_the_proxy(hurried: ServerChild):
    club = ClubFactory.create()
    streams = [live(hurried, club.ref, "203.0.113.9") for _ in range(5)]
    try:
        assert [status for status, _open in streams] == [200] * 5
        assert live(hurried, club.ref, "203.0.113.9")[0] == 429
        other_status, other = live(hurried, club.ref, "203.0.113.10")
        assert other_status == 200
        other.close()
        time.sleep(2.5)  # longer than a request may take to arrive
        for _status, there in streams:
            there.sock.settimeout(0.1)
            with pytest.raises(TimeoutError):  # still open: neither an end nor a refusal comes
                drain(there.sock)
    finally:
        for _status, there in streams:
            there.close()


def drain(there: socket.socket) -> None:
    while there.recv(65536):
        pass


def live(child: ServerChild, ref: str, address: str = "") -> tuple[int, http.client.HTTPConnection]:
    there = http.client.HTTPConnection(urlsplit(child.url).netloc, timeout=PATIENCE)
    headers = {"Accept": "text/event-stream"}
    if address:
        headers["X-Forwarded-For"] = f"198.51.100.7, {address}"
    there.request("GET", f"/live/{ref}", headers=headers)
    sock = there.sock
    status = there.getresponse().status
    there.sock = sock  # http.client lets go of it where the answer closes
    return status, there


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_made_up_address_from_this_machine_changes_no_limit(patient: ServerChild):
    """The sign-in page counts wrong codes by address: a new one in each request must not begin anew."""
    answers = []
    for number in range(40):
        there = http.client.HTTPConnection(urlsplit(patient.url).netloc, timeout=PATIENCE)
        there.request("GET", "/account/login/")
        page = there.getresponse()
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        page.read()
        token = cookie.partition("=")[2]
        body = f"csrfmiddlewaretoken={token}&login=a{number}%40example.org&password=wrong"
        headers = {
            "Cookie": cookie,
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Forwarded-For": f"203.0.113.{number}",
            "X-Real-IP": f"203.0.113.{number}",
            "Forwarded": f"for=203.0.113.{number}",
        }
        there.request("POST", "/account/login/", body=body, headers=headers)
        answers.append(there.getresponse().status)
        there.close()
    assert 429 in answers
