"""``manage.py up``: engines, migrations, static files, then web, workers and beat under one supervisor."""

import contextlib
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from deploy import attach, checkout, embedded, forks, network, processes
from deploy.checkout import EnginesBusyError, RunState
from deploy.network import interface_addresses
from deploy.supervisor import Child, StartError, Supervisor

WEB_POOL = 10
WEB_GRACE = network.STREAMS_GRACE + 5.0
DEMO_PATIENCE = 1800.0
TASK_GRACE = 15.0  # seconds a running task gets when the installation stops; it is then run again later
CELERY = (sys.executable, "-m", "celery", "-A", "deploy.celery_app")


class UpError(Exception):
    """The installation cannot start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the web process listens."""

    bind: str
    port: int

    @property
    def everywhere(self) -> bool:
        return self.bind in {"0.0.0.0", "::", ""}  # noqa: S104 - compared, not bound

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        host = "127.0.0.1" if self.everywhere else self.bind
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def listen(self) -> socket.socket:
        """The listening socket.

        Raises:
            UpError: the port is taken, or the address is not this machine's.
        """
        try:
            return network.listen(f"{self.bind}:{self.port}")
        except PermissionError:
            raise UpError(
                f"port {self.port} needs root's rights; choose one over 1023: --port 8000"
            ) from None
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == 99:
                raise UpError(f"{self.bind} is not an address of this machine; try --bind 0.0.0.0") from None
            raise UpError(
                f"port {self.port} on {self.bind} is taken{holder(self.port)}. "
                f"Stop that program or choose another port: manage.py up --port {free_port(self)}"
            ) from None


def holder(port: int) -> str:
    """`` by NAME (process PID)`` for the listener on a TCP port, where Linux lets us see it; else nothing."""
    with contextlib.suppress(OSError):
        inodes = set()
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            inodes |= {
                row[9] for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port
            }
        wanted = {f"socket:[{inode}]" for inode in inodes}
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if any(str(link.readlink()) in wanted for link in (entry / "fd").iterdir()):
                    return f" by {(entry / 'comm').read_text().strip()} (process {entry.name})"
    return ""


def free_port(taken: Address) -> int:
    """The next port above a taken one that can be listened on."""
    for port in range(taken.port + 1, taken.port + 50):
        with contextlib.suppress(OSError), network.listen(f"{taken.bind}:{port}"):
            return port
    return taken.port + 50


def allowed_hosts(address: Address) -> list[str]:
    """The host names that visitors may use: this machine's, as far as it listens there."""
    hosts = ["localhost", "127.0.0.1", "[::1]"]
    if not address.everywhere:
        bracketed = f"[{address.bind}]" if ":" in address.bind else address.bind
        return list(dict.fromkeys([*hosts, bracketed]))
    name = socket.gethostname()
    hosts += [name, f"{name}.local", socket.getfqdn()]
    with contextlib.suppress(OSError):
        hosts += [str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)]
    hosts += interface_addresses()
    return list(dict.fromkeys(hosts))


def venue_urls(address: Address) -> list[str]:
    """The addresses by which phones in the local network reach this machine; none where it listens for itself
    alone.
    """
    if address.everywhere:
        return [f"http://{host}:{address.port}" for host in interface_addresses()]
    loopback = address.bind == "localhost" or address.bind.startswith("127.") or address.bind == "::1"
    return [] if loopback else [address.url]


def a_host_of(allowed: str) -> str:
    """A host name that the comma-separated ``ALLOWED_HOSTS`` lets in."""
    first = allowed.split(",", maxsplit=1)[0].strip()
    return "localhost" if first in {"*", ""} else first.removeprefix(".")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Installation:
    """One run of ``up``."""

    def __init__(self, address: Address, *, demo: bool) -> None:
        self.address, self.demo = address, demo
        self.marker = uuid.uuid4().hex
        self.began = time.monotonic()
        self.supervisor = Supervisor(self.marker, say)

    def run(self) -> None:
        """Start everything, serve until told to stop, stop everything.

        Raises:
            UpError: it runs already, the port is taken, or a part does not start.
        """
        os.umask(0o022)
        with self._held(), self.address.listen() as listener:
            self.address = replace(self.address, port=listener.getsockname()[1])  # where 0 asked for any
            self._clear_up_after_predecessor()
            checkout.write_state(RunState(os.getpid(), "up", self.marker, "", {}))
            where = embedded.home(checkout.engine_home())
            try:
                with self.supervisor.on_duty():
                    self._serve(listener, where)
            except StartError as error:
                raise UpError(str(error)) from None
            finally:
                where.clear()
        say("stopped")

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the engines; a command that uses them for a moment is waited for."""
        end = time.monotonic() + attach.PATIENCE
        told = False
        with contextlib.ExitStack() as stack:
            while True:
                try:
                    stack.enter_context(checkout.engines_held())
                    break
                except EnginesBusyError as busy:
                    if busy.state is None or busy.state.command == "up":
                        where = f" at {busy.state.address}" if busy.state and busy.state.address else ""
                        raise UpError(
                            f"Midpoint is already running from {checkout.ROOT}{where}"
                            + (f" (process {busy.state.pid})" if busy.state else "")
                        ) from None
                    if time.monotonic() > end:
                        raise UpError(str(busy)) from None
                    if not told:
                        say(f"{busy}; waiting for it")
                        told = True
                    time.sleep(0.2)
            yield

    def _clear_up_after_predecessor(self) -> None:
        """End what a killed supervisor may have left: nothing minds it any more."""
        state = checkout.read_state()
        if state and state.marker:
            processes.sweep(state.marker)

    def _serve(self, listener: socket.socket, where: embedded.Home) -> None:
        variables = self._start_engines(where)
        if self.supervisor.told_to_stop():
            return
        environment = self._environment(variables)
        first_start = self._prepare(environment)
        if self.supervisor.told_to_stop():
            return
        checkout.write_state(RunState(os.getpid(), "up", self.marker, self.address.url, variables))
        self._start_web(listener, environment)
        host = a_host_of(environment["ALLOWED_HOSTS"])
        self.supervisor.wait_until(lambda: self._answers(host), "the web process", 120)
        if self.supervisor.told_to_stop():
            return
        # Only now: on two processors they would take the time that the first page is waited for.
        self._start_workers(environment)
        self._greet(environment, first_start)
        self.supervisor.run()
        say("stopping")

    def _start_engines(self, where: embedded.Home) -> dict[str, str]:
        variables: dict[str, str] = {}
        for engine in embedded.missing_engines(where):
            say(f"starting embedded {engine.name}")
            try:
                process = engine.start()
            except embedded.EngineError:
                engine.stop()
                raise
            child = Child(engine.name, engine.launch, engine.stop_signal, engine.patience, engine.log)
            self.supervisor.adopt(child, process)
            variables |= engine.variables()
        return {name: value for name, value in variables.items() if not os.environ.get(name)}

    def _environment(self, variables: dict[str, str]) -> dict[str, str]:
        defaults = {
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "PUBLIC_URL": self.address.url,
            "ALLOWED_HOSTS": ",".join(allowed_hosts(self.address)),
            "VENUE_URLS": ",".join(venue_urls(self.address)),
        }
        return defaults | dict(os.environ) | variables | {processes.MARKER: self.marker}

    def _prepare(self, environment: dict[str, str]) -> str:
        """Print the address, and on a first start that of the page that makes the administrator."""
        say("preparing the database and the static files")
        stamp, wanted = checkout.variable_directory() / "static.stamp", static_fingerprint()
        prepare = self._manage(["prepare"], environment)
        if not stamp.exists() or stamp.read_text() != wanted:
            self._output_of(
                "collectstatic", self._manage(["collectstatic", "--no-input", "-v0"], environment)
            )
            if not self.supervisor.told_to_stop():
                stamp.write_text(wanted)
        return self._output_of("prepare", prepare)

    def _output_of(self, name: str, process: subprocess.Popen[bytes]) -> str:
        """What one of our own commands prints; a failed one stops the start."""
        output = process.communicate()[0].decode(errors="replace").strip()
        if process.returncode and not self.supervisor.told_to_stop():
            raise UpError(f"manage.py {name} failed:\n{output[-3000:]}")
        return output

    def _manage(self, words: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, str(checkout.ROOT / "manage.py"), *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=processes.dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - no threads here
        )

    def _start_web(self, listener: socket.socket, environment: dict[str, str]) -> None:
        count = forks.wanted(shared_cache=bool(environment.get("CACHE_URL")))
        command = [sys.executable, "-m", "deploy.web", "--fd", str(listener.fileno())]
        command += ["--processes", str(count)]
        pooled = environment | {"DATABASE_POOL": environment.get("DATABASE_POOL", str(WEB_POOL))}
        self._service("web", command, pooled, WEB_GRACE, [listener.fileno()])

    def _start_workers(self, environment: dict[str, str]) -> None:
        level = ["-l", environment.get("LOG_LEVEL", "INFO")]
        quiet = [*level, "--without-gossip", "--without-mingle"]
        worker = [*CELERY, "worker", *quiet, "-n", "worker@%h", "-Q", "default", "--autoscale", "2,1", "-B"]
        # Analyses run for minutes: on a queue of their own they never keep mail and live pages waiting.
        processors = str(max(1, (os.cpu_count() or 1) - 1))
        analysis = [*CELERY, "worker", *quiet, "-n", "analysis@%h", "-Q", "analysis", "-c", processors]
        # Django's checks load every page's view, half of a worker's start: `verify` makes them.
        workers = environment | {"CELERY_SKIP_CHECKS": "yes"}
        self._service("worker", worker, workers, TASK_GRACE)
        self._service("analysis", analysis, workers, TASK_GRACE)

    def _service(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        patience: float,
        descriptors: list[int] | None = None,
    ) -> None:
        marker, log = f"{self.marker}/{name}", checkout.log_file(name)

        def launch() -> subprocess.Popen[bytes]:
            return processes.spawn(
                command,
                environment=environment | {processes.MARKER: marker},
                log=log,
                file_descriptors=descriptors or (),
                directory=checkout.ROOT,
            )

        self.supervisor.start(Child(name, launch, signal.SIGTERM, patience, log, marker))

    def _answers(self, host: str) -> bool:
        request = urllib.request.Request(f"{self.address.url}/healthz", headers={"Host": host})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - our own http address
                return bool(answer.status == 200)
        except urllib.error.HTTPError as error:
            raise StartError(f"{self.address.url}/healthz answers {error.code}") from None
        except OSError:
            return False

    def _make_demo(self, environment: dict[str, str]) -> None:
        """Make the demo club, once; its steps are shown as they come. Ctrl-C ends that too."""
        say(f"making the demo club, once (up to two minutes); the site is at {self.address.url}/ meanwhile")
        process = subprocess.Popen(
            [sys.executable, str(checkout.ROOT / "manage.py"), "demo"],
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is passed on below, once
            preexec_fn=processes.dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - no threads here
        )
        try:
            self.supervisor.wait_until(lambda: process.poll() is not None, "the demo club", DEMO_PATIENCE)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
        if process.returncode and not self.supervisor.told_to_stop():
            raise UpError("the demo club was not made; run again without --demo, or see above")

    def _greet(self, environment: dict[str, str], first_start: str) -> None:
        """Print the address, and on a first start the address of the page that makes the administrator."""
        if self.demo:
            self._make_demo(environment)
            if self.supervisor.told_to_stop():
                return
        say(f"Midpoint runs at {self.address.url}/  ({time.monotonic() - self.began:.1f} s; Ctrl-C stops it)")
        if self.address.everywhere:
            hosts = allowed_hosts(self.address)[3:]
            say("also under " + ", ".join(f"http://{host}:{self.address.port}/" for host in hosts))
        if phones := venue_urls(self.address):
            say(f"phones in this network: {phones[0]}/ (an event's page has the code: “Code for phones”)")
        if first_start:
            say(f"First start: make the administrator and the club at {self.address.url}{first_start}")
        say(f"logs: {checkout.variable_directory() / 'log'}")


def static_fingerprint() -> str:
    """Changes whenever a static file of ours or the set of installed packages does."""
    digest = hashlib.sha256((checkout.ROOT / "requirements.lock").read_bytes())
    sources = [*checkout.ROOT.glob("*/static"), *checkout.ROOT.glob("static")]
    for path in sorted(path for source in sources for path in source.rglob("*") if path.is_file()):
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
