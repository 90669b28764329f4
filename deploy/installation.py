"""``manage.py up``: engines, migrations, static files, web, workers and beat."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deploy import attach, checkout, embedded, forks, network, processes
from deploy.address import Address, UpError, a_host_of, allowed_hosts, venue_urls
from deploy.checkout import EnginesBusyError, RunState
from deploy.preparing import Preparing, say
from deploy.supervisor import Child, Forked, StartError, Supervisor

WEB_POOL = 10
WEB_GRACE = network.STREAMS_GRACE + 5.0
TASK_GRACE = 15.0  # seconds a running task gets when the installation stops; it is then run again later


class Installation:
    """One run of ``up``."""

    def __init__(self, address: Address, *, demo: bool) -> None:
        self.address, self.demo = address, demo
        self.marker = uuid.uuid4().hex
        self.began = time.monotonic()
        self.supervisor = Supervisor(self.marker, say, checkout.variable_directory() / "log" / "up.log")

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
        """Hold the engines, waiting for a command that uses them briefly."""
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
        """End orphans of a killed supervisor."""
        state = checkout.read_state()
        if state and state.marker:
            processes.sweep(state.marker)

    def _serve(self, listener: socket.socket, where: embedded.ServerHome) -> None:
        engines = embedded.missing_engines(where)
        variables = self._variables_of(engines)
        environment = self._environment(variables)
        # The web loads its modules, two seconds of a processor, while the engines start.
        with Preparing(self.supervisor) as preparing:
            self._start_web(listener, environment, preparing)
            self._start_engines(engines)
            first_start = preparing.done()
        if self.supervisor.told_to_stop():
            return
        checkout.write_state(RunState(os.getpid(), "up", self.marker, self.address.url, variables))
        host = a_host_of(environment["ALLOWED_HOSTS"])
        self.supervisor.wait_until(lambda: self._answers(host), "the web process", 120)
        if self.supervisor.told_to_stop():
            return
        # Only now: on two processors they would take the time that the first page is waited for.
        self._start_workers(environment)
        if self.demo:
            self._start_demo(environment)
        self._greet(first_start)
        self.supervisor.run()
        say("stopping")

    def _variables_of(self, engines: list[embedded.EmbeddedServer]) -> dict[str, str]:
        variables = {name: value for engine in engines for name, value in engine.variables().items()}
        return {name: value for name, value in variables.items() if not os.environ.get(name)}

    def _start_engines(self, engines: list[embedded.EmbeddedServer]) -> None:
        """Start all engines, then wait for each."""
        begun: list[embedded.EmbeddedServer] = []
        try:
            for engine in sorted(engines, key=lambda engine: engine.slow):
                say(f"starting embedded {engine.name}")
                begun.append(engine)
                engine.begin()
            for engine in engines:
                process = engine.answering()
                child = Child(engine.name, engine.launch, engine.stop_signal, engine.patience, engine.log)
                self.supervisor.adopt(child, process)
                begun.remove(engine)
        except embedded.ServerError:
            for engine in begun:
                engine.stop()
            raise

    def _environment(self, variables: dict[str, str]) -> dict[str, str]:
        defaults = {
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "PUBLIC_URL": self.address.url,
            "ALLOWED_HOSTS": ",".join(allowed_hosts(self.address)),
            "VENUE_URLS": ",".join(venue_urls(self.address)),
        }
        given = {name: value for name, value in os.environ.items() if value or name not in defaults}
        return defaults | given | variables | {processes.MARKER: self.marker}

    def _start_web(self, listener: socket.socket, environment: dict[str, str], preparing: Preparing) -> None:
        """Start the web processes, which migrate and collect before they answer."""
        count = forks.wanted(shared_cache=bool(environment.get("CACHE_URL")))
        command = [sys.executable, "-m", "deploy.web", "--fd", str(listener.fileno())]
        command += ["--processes", str(count)]
        pooled = environment | {"DATABASE_POOL": environment.get("DATABASE_POOL") or str(WEB_POOL)}
        self._service("web", command, pooled, WEB_GRACE, [listener.fileno()], preparing)

    def _start_workers(self, environment: dict[str, str]) -> None:
        level = ["-l", environment.get("LOG_LEVEL") or "INFO"]
        quiet = [*level, "--without-gossip", "--without-mingle"]
        worker = ["worker", *quiet, "-n", "worker@%h", "-Q", "default,estimates", "--autoscale", "2,1", "-B"]
        # Analyses run for minutes: on a queue of their own they never keep mail and live pages waiting.
        processors = str(max(1, (os.cpu_count() or 1) - 1))
        analysis = ["worker", *quiet, "-n", "analysis@%h", "-Q", "estimates,analysis", "-c", processors]
        # Django's checks load every page's view, half of a worker's start: `verify` makes them.
        workers = environment | {"CELERY_SKIP_CHECKS": "yes"}
        words = {"worker": worker, "analysis": analysis}
        forked = tuple(Forked(f"{self.marker}/{name}", checkout.log_file(name)) for name in words)
        command = [sys.executable, "-m", "deploy.background", json.dumps(words)]
        self._service("background", command, workers, TASK_GRACE, forked=forked)

    def _service(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        patience: float,
        descriptors: Sequence[int] = (),
        preparing: Preparing | None = None,
        forked: tuple[Forked, ...] = (),
    ) -> None:
        """Start a service; only its first start prepares.

        A service with ``forked`` processes reports them here, and opens its log itself.
        """
        marker, log = f"{self.marker}/{name}", checkout.log_file(name)

        def launch(words: Sequence[str] = (), more: Sequence[int] = ()) -> subprocess.Popen[bytes]:
            return processes.spawn(
                [*command, *words],
                environment=environment | {processes.MARKER: marker},
                log=None if forked else log,
                file_descriptors=[*descriptors, *more],
                directory=checkout.ROOT,
            )

        process = launch(preparing.words, [preparing.theirs.fileno()]) if preparing else launch()
        child = Child(name, launch, signal.SIGTERM, patience, log, marker, forked=forked)
        self.supervisor.adopt(child, process)

    def _answers(self, host: str) -> bool:
        request = urllib.request.Request(f"{self.address.url}/healthz", headers={"Host": host})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - our own http address
                return bool(answer.status == 200)
        except urllib.error.HTTPError as error:
            raise StartError(f"{self.address.url}/healthz answers {error.code}") from None
        except OSError:
            return False

    def _start_demo(self, environment: dict[str, str]) -> None:
        """Create the demo club beside the site, resuming a killed run."""
        say("creating the demo club; its pages appear in a few seconds, its year of matches follows")
        marker = f"{self.marker}/demo"
        command = [sys.executable, str(checkout.ROOT / "manage.py"), "demo", "--wait"]

        def launch() -> subprocess.Popen[bytes]:
            marked = environment | {processes.MARKER: marker}
            return processes.spawn(command, environment=marked, directory=checkout.ROOT)

        log = checkout.log_file("demo")
        self.supervisor.start(Child("demo", launch, signal.SIGTERM, TASK_GRACE, log, marker, once=True))

    def _greet(self, first_start: str) -> None:
        """Print the address, and on a first start the setup page's."""
        took = time.monotonic() - self.began
        how = "Ctrl-C stops it" if sys.stdin and sys.stdin.isatty() else f"kill {os.getpid()} stops it"
        say(f"Midpoint runs at {self.address.url}/  ({took:.1f} s; {how})")
        if self.address.everywhere:
            hosts = allowed_hosts(self.address)[3:]
            say("also at " + ", ".join(f"http://{host}:{self.address.port}/" for host in hosts))
        if phones := venue_urls(self.address):
            say(f"phones on this network: {phones[0]}/ (“QR code for phones” on an event's page)")
        if first_start:
            say(f"First start: create the administrator and the club at {self.address.url}{first_start}")
        say(f"logs: {checkout.variable_directory() / 'log'}")
