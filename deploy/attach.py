"""Engines for the length of one command: this checkout's, or throw-away ones."""

import contextlib
import fcntl
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from deploy import checkout, embedded
from deploy.checkout import ENGINE_VARIABLES, EnginesBusyError, RunState

PATIENCE = 60.0
_THROWAWAY, _MAKING = "throwaway-", ".throwaway-"
_MADE_WITHIN = 3600.0  # seconds


def say(text: str) -> None:
    sys.stderr.write(f"midpoint: {text}\n")
    sys.stderr.flush()


@contextlib.contextmanager
def engines_for(command: str) -> Iterator[bool]:
    """Set ``DATABASE_URL``, ``BROKER_URL``, ``CACHE_URL`` for the block.

    Beside ``up`` also ``PUBLIC_URL``. Engines named in the environment are used as they are. Otherwise a
    running ``up`` lends its engines; without one they are started on this checkout's data and stopped at the
    end of the block. A second command waits. Yields whether they were started here: then the database is not
    up to date yet.
    """
    if all(os.environ.get(name) for name in ENGINE_VARIABLES):
        yield False
        return
    end = time.monotonic() + PATIENCE
    waiting = False
    while True:
        with contextlib.ExitStack() as stack:
            state = checkout.running_state()
            if state and state.command == "up":
                stack.enter_context(environment(_unset(state.variables | {"PUBLIC_URL": state.address})))
                yield False
                return
            try:
                stack.enter_context(checkout.engines_held())
            except EnginesBusyError as busy:
                if time.monotonic() > end:
                    raise
                if not waiting:
                    say(f"{busy}; waiting for it")
                    waiting = True
            else:
                checkout.write_state(RunState(os.getpid(), command, "", "", {}))
                variables = stack.enter_context(started(embedded.home(checkout.engine_home())))
                stack.enter_context(environment(variables))
                yield True
                return
        time.sleep(0.2)


@contextlib.contextmanager
def throwaway_engines() -> Iterator[dict[str, str]]:
    """Start fresh engines without durability; yield their variables.

    Their data is removed at the end.
    """
    base = checkout.ROOTS_HOME if os.geteuid() == 0 else Path(tempfile.gettempdir())
    base.mkdir(mode=0o755, parents=True, exist_ok=True)
    _remove_abandoned(base)
    with own_home(base) as path:
        where = embedded.home(path, throwaway=True)
        try:
            with started(where) as variables:
                yield variables
        finally:
            where.clear()


@contextlib.contextmanager
def own_home(base: Path) -> Iterator[Path]:
    """Create a directory for throw-away engines, locked for the block.

    It gets its name once locked: under that name another command could take it for an abandoned one.
    """
    making = Path(tempfile.mkdtemp(prefix=_MAKING, dir=base))
    with (making / "in-use").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        making.chmod(0o711)
        yield making.rename(base / f"{_THROWAWAY}{making.name.removeprefix(_MAKING)}")


@contextlib.contextmanager
def started(where: embedded.ServerHome) -> Iterator[dict[str, str]]:
    """Start the engines that the environment does not name; stop them at the end."""
    engines = embedded.missing_engines(where)
    running: list[embedded.EmbeddedServer] = []
    try:
        for engine in sorted(engines, key=lambda engine: engine.slow):
            running.append(engine)
            engine.begin()
        for engine in engines:
            engine.answering()
        variables: dict[str, str] = {}
        for engine in engines:
            variables |= engine.variables()
        yield _unset(variables)
    finally:
        for engine in running:
            engine.stop()
        where.clear()


@contextlib.contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Set these variables in ``os.environ`` for the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _unset(variables: dict[str, str]) -> dict[str, str]:
    """The variables not set in the environment, which takes precedence."""
    return {name: value for name, value in variables.items() if not os.environ.get(name)}


def _remove_abandoned(base: Path) -> None:
    """Remove throw-away homes whose owner was killed: their lock is free."""
    for path in base.glob(f"{_MAKING}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _MADE_WITHIN:
                shutil.rmtree(path, ignore_errors=True)
    for path in base.glob(f"{_THROWAWAY}*"):
        with contextlib.suppress(OSError), (path / "in-use").open("r+") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            embedded.ServerHome(path=path, sockets=path / "run", user=None, throwaway=True).clear()
