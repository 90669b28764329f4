"""``midpoint-helper``: analyse matches of your club on this computer."""

import json
import os
import signal
import sys
import threading
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scoring.engines.errors import EngineError
from scoring.engines.registry import ENGINES, installed_engines
from scoring.helper.labels import PRESETS, label_of
from scoring.helper.runner import BAD_TOKEN, REFUSED, HelperLoop
from scoring.helper.server import Server, WrongAddress, checked_address

MARK = "mph_"
MOST_PROCESSES = 8
_lock = threading.Lock()


def main(arguments: list[str] | None = None) -> int:
    """Run until stopped; the exit status: 0 stopped, 2 token, 3 too old, 4 refused or no engine."""
    options = _options(arguments)
    try:
        token = options.token_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        say("stopped", text=f"the token file cannot be read: {error}")
        return BAD_TOKEN
    if not token.startswith(MARK) or not token.isascii() or len(token.split()) != 1:
        say("stopped", text=f"{options.token_file} has no helper token: it begins with {MARK}")
        return BAD_TOKEN
    if options.nice:
        os.nice(options.nice)
    labels = _labels(options.preset or list(PRESETS))
    if not labels:
        missing = "; ".join(engine.missing() for engine in ENGINES.values() if engine.missing())
        say("stopped", text=f"no engine can be used: {missing}")
        return REFUSED
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    say("started", server=options.server, labels=labels, processes=options.processes)
    server, statuses = Server(options.server, token), [0] * options.processes

    def work(index: int) -> None:
        statuses[index] = HelperLoop(server, labels, stop, say, once=options.once).run()
        if statuses[index]:
            stop.set()  # what one was refused, all are

    threads = [threading.Thread(target=work, args=(index,)) for index in range(options.processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    say("stopped", status=max(statuses))
    return max(statuses)


def say(event: str, **values: Any) -> None:
    """Write one JSON line of the log."""
    line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), "event": event, **values})
    with _lock:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def _labels(presets: list[str]) -> list[str]:
    found = []
    for engine in installed_engines():
        for preset in presets:
            try:
                label = label_of(engine, preset)
            except EngineError as error:
                say("engine_failed", engine=engine, text=f"{error.code}: {error}")
                break
            if label is not None:
                found.append(str(label))
    return found


def _address(text: str) -> str:
    try:
        return checked_address(text)
    except WrongAddress as error:
        raise ArgumentTypeError(str(error)) from error


def _processes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_PROCESSES:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_PROCESSES}")
    return int(text)


def _options(arguments: list[str] | None) -> Namespace:
    parser = ArgumentParser(
        prog="midpoint-helper",
        description=(
            "Analyse matches of your club on this computer. Create the token under Me, Analysis helpers. "
            "Writes one JSON object a line. Stop it with Ctrl-C at any time."
        ),
    )
    parser.add_argument(
        "--server", type=_address, required=True, help="the address, e.g. https://club.example"
    )
    parser.add_argument("--token-file", type=Path, required=True, help="the file with the token")
    parser.add_argument(
        "--preset", action="append", choices=PRESETS, help="only this depth; by default fast and deep"
    )
    parser.add_argument("--processes", type=_processes, default=1, help="matches at the same time; default 1")
    parser.add_argument("--nice", type=int, default=10, choices=range(20), metavar="0-19", help="default 10")
    parser.add_argument("--once", action="store_true", help="answer one part of a match, then stop")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
