"""Contain a child process, such as an engine's, before it starts its work."""

import argparse
import ctypes
import json
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

Say = Callable[[dict[str, Any]], None]
"""Writes an answer of a child: an object on a line, as JSON."""

_PR_SET_PDEATHSIG = 1
_NICENESS = 10
_LARGEST_FILE = 64 * 1024 * 1024


def enter(module: str, description: str | None) -> Say:
    """Read the two options that every child is started with, contain this process, return what answers.

    ``module`` is what follows ``python -m``.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--parent", type=int, required=True, help="process id without which to stop")
    parser.add_argument("--memory", type=int, required=True, help="bytes of address space")
    options = parser.parse_args()
    answers = private_output()
    contain(parent=options.parent, memory_limit=options.memory)

    def say(message: dict[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False).encode() + b"\n"
        while line:
            line = line[os.write(answers, line) :]

    return say


def contain(*, parent: int, memory_limit: int) -> None:
    """Give way to interactive work, cap memory and files, leave no core file, die with the parent.

    Exits at once if the parent is gone already.
    """
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _exit_without(parent)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def private_output() -> int:
    """A descriptor for the answers alone: what C++ prints on standard output goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    return answers


def _watch(parent: int) -> None:
    while True:
        _exit_without(parent)
        time.sleep(1.0)


def _exit_without(parent: int) -> None:
    if os.getppid() != parent:
        os._exit(1)
