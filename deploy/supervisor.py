"""Keeps child processes running until told to stop; one loop, no threads."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from deploy import logs, processes

TICK = 0.1
STEADY = 20.0  # seconds after which a child counts as running well and its next end as the first one
LONGEST_DELAY = 10.0
MOST_TRIES = 3
LOGS_EVERY = 5.0  # seconds between two looks at the size of the logs


class StartError(Exception):
    """A child ended, or was not ready in time, during the start."""


@dataclass(frozen=True, slots=True)
class Forked:
    """A process forked and restarted by a child: its marker and log."""

    marker: str
    log: Path


@dataclass(frozen=True, slots=True)
class Child:
    """What the supervisor knows about a process.

    ``launch`` starts it and returns its handle; ``signal`` asks it to stop within ``patience`` seconds.
    ``marker`` finds orphans when it dies, in any process group, besides what it has ``forked``. One that
    runs ``once`` is done when it ends with 0, and given up after ``MOST_TRIES`` failures.
    """

    name: str
    launch: Callable[[], subprocess.Popen[bytes]]
    signal: int
    patience: float
    log: Path
    marker: str = ""
    once: bool = False
    forked: tuple[Forked, ...] = ()


class Restarts:
    """When an ended process is restarted: at once the first time, then with backoff."""

    def __init__(self) -> None:
        self.since = time.monotonic()
        self.failures = 0
        self.due: float | None = None

    def is_due(self) -> bool:
        return self.due is not None and time.monotonic() >= self.due

    def started(self) -> None:
        self.due, self.since = None, time.monotonic()

    def ended(self, name: str, code: int, say: Callable[[str], None]) -> None:
        """Schedule the restart and report how the process ended."""
        now = time.monotonic()
        self.failures = 1 if now - self.since > STEADY else self.failures + 1
        delay = 0.0 if self.failures == 1 else min(0.25 * 2**self.failures, LONGEST_DELAY)
        self.due = now + delay
        again = f"in {delay:.0f} s" if delay else "now"
        say(f"{name} {ending(code)}; restarting it {again}")


class Supervised(Restarts):
    """A child over its restarts."""

    def __init__(self, child: Child, process: subprocess.Popen[bytes]) -> None:
        super().__init__()
        self.child, self.process = child, process
        self.starts = 0


class Supervisor:
    """Starts children, restarts those that end, stops them in reverse order."""

    def __init__(self, marker: str, say: Callable[[str], None], *logs: Path) -> None:
        """``logs`` are rotated, besides those of the children."""
        self._marker, self._say, self._logs = marker, say, logs
        self._supervised: list[Supervised] = []
        self._signals = 0
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._logs_due = 0.0

    def told_to_stop(self) -> bool:
        return self._signals > 0

    @contextlib.contextmanager
    def on_duty(self) -> Iterator[None]:
        """Treat Ctrl-C and SIGTERM as stop; stop all children after the block."""
        numbers = [signal.SIGINT, signal.SIGTERM]
        # Respect nohup; a script's background job ignores SIGINT by default.
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            numbers.append(signal.SIGHUP)
        before = {number: signal.signal(number, self._take_signal) for number in numbers}
        self._guard()
        try:
            yield
        finally:
            self._stop_all()
            self._dismiss_watchdog()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _take_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._signals += 1

    def start(self, child: Child) -> None:
        self.adopt(child, child.launch())

    def adopt(self, child: Child, process: subprocess.Popen[bytes]) -> None:
        """Supervise a process that is already running."""
        self._supervised.append(Supervised(child, process))
        self._tell(f"+{process.pid} {child.signal}")

    def wait_until(self, ready: Callable[[], bool], what: str, patience: float) -> None:
        """Watch the children until ``ready``, without restarting any.

        Raises:
            StartError: a child ended first, or the time is over.
        """
        end = time.monotonic() + patience
        while not self.told_to_stop() and not ready():
            for one in self._supervised:
                # Asked once more: it may have said why and ended since.
                if one.process.poll() is not None and not ready():
                    code = one.process.returncode
                    raise StartError(f"{one.child.name} ended with {code}; {end_of(one.child.log)}")
            if time.monotonic() > end:
                raise StartError(f"{what} was not ready within {patience:.0f} s")
            time.sleep(TICK)

    def run(self) -> None:
        """Restart ended children, with backoff, until a stop signal."""
        while not self.told_to_stop():
            for one in list(self._supervised):
                self._mind(one)
            self._guard()
            self._bound_logs()
            time.sleep(TICK)

    def _mind(self, one: Supervised) -> None:
        if one.due is not None:
            if one.is_due():
                one.started()
                one.process = one.child.launch()
                self._tell(f"+{one.process.pid} {one.child.signal}")
        elif one.process.poll() is not None:
            self._tell(f"-{one.process.pid}")
            self._bury(one)
            if one.child.once and self._has_ended(one):
                return
            one.ended(one.child.name, one.process.returncode, self._say)
            if one.failures > 1:
                self._say(end_of(one.child.log))

    def _has_ended(self, one: Supervised) -> bool:
        """Whether a child that runs once is done, or given up."""
        failed = one.process.returncode != 0
        one.starts += 1
        if failed and one.starts < MOST_TRIES:
            return False
        self._supervised.remove(one)
        if failed:
            self._say(f"{one.child.name} {ending(one.process.returncode)}; it was tried {MOST_TRIES} times")
        return True

    def _bound_logs(self) -> None:
        if time.monotonic() < self._logs_due:
            return
        self._logs_due = time.monotonic() + LOGS_EVERY
        children = [one.child for one in self._supervised]
        forked = [part.log for child in children for part in child.forked]
        for log in (*self._logs, *(child.log for child in children), *forked):
            try:
                logs.rotate(log)
            except OSError as error:
                self._say(f"{log} is larger than {logs.LARGEST} bytes and cannot be rotated: {error}")

    def _bury(self, one: Supervised) -> None:
        """End a dead child's orphans before its successor starts."""
        processes.signal_group(one.process.pid, signal.SIGKILL)
        for marker in (one.child.marker, *(part.marker for part in one.child.forked)):
            if marker:
                processes.sweep(marker)

    def _stop_all(self) -> None:
        """Stop children kind by kind; a second signal shortens the wait."""
        for group in stop_order(self._supervised):
            for one in group:
                if one.process.poll() is None:
                    one.process.send_signal(one.child.signal)
            for one in group:
                end = time.monotonic() + one.child.patience
                while one.process.poll() is None and time.monotonic() < end and not self._impatient(one):
                    time.sleep(0.02)
                self._bury(one)
                one.process.wait()
                self._tell(f"-{one.process.pid}")

    def _impatient(self, one: Supervised) -> bool:
        """Whether a second Ctrl-C can kill this child; engines always finish writing."""
        return self._signals > 1 and bool(one.child.marker)

    def _guard(self) -> None:
        """Keep a watchdog running that knows every child."""
        if self._watchdog is not None and self._watchdog.poll() is None:
            return
        root = Path(__file__).resolve().parent.parent
        self._watchdog = subprocess.Popen(
            [sys.executable, "-m", "deploy.watchdog", self._marker],
            stdin=subprocess.PIPE,
            cwd=root,
            env={name: value for name, value in os.environ.items() if name != processes.MARKER},
            start_new_session=True,
        )
        for one in self._supervised:
            if one.due is None:
                self._tell(f"+{one.process.pid} {one.child.signal}")

    def _tell(self, line: str) -> None:
        if self._watchdog is not None and self._watchdog.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # a killed watchdog is replaced and told everything
                self._watchdog.stdin.write(f"{line}\n".encode())
                self._watchdog.stdin.flush()

    def _dismiss_watchdog(self) -> None:
        if self._watchdog is not None and self._watchdog.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._watchdog.stdin.close()
            self._watchdog.wait()


def end_of(log: Path) -> str:
    """The last lines of a log, under its name."""
    return f"the end of {log}:\n{processes.tail(log)}"


def stop_order(supervised: Sequence[Supervised]) -> list[list[Supervised]]:
    """Marked processes first, as they need the engines to finish; then engines."""
    ours = [one for one in supervised if one.child.marker]
    return [ours, *([one] for one in reversed(supervised) if not one.child.marker)]


def ending(code: int) -> str:
    """How a process ended, in words."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
