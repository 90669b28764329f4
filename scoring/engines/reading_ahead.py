"""Match files read by a second process, some ahead of the process that stores their matches."""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import IO

from scoring.engines.conversion import read_bounded
from scoring.notation.ready import ReadyRecord, ready
from scoring.rules.errors import ScoringError

AHEAD = 16
"""Contents that the second process may have at once: large files and small ones even out."""
AHEAD_BYTES = 2 * 1024 * 1024
"""No further content is given to it while it has as many bytes."""

_ROOT = Path(__file__).resolve().parents[2]
_END = object()
_BROKEN = (EOFError, BrokenPipeError, pickle.UnpicklingError)


def read_ahead(
    contents: Iterable[bytes | None],
) -> Generator[tuple[bytes | None, ReadyRecord | None], None, None]:
    """Each content with its record, None where the caller has to read it: what is wrong is raised there.

    The first is the caller's; from the second on, each is read while the caller is busy with those before.
    Where the second process breaks down, the caller reads the rest. A content that is None stays so.
    """
    waiting = iter(contents)
    ahead = deque[tuple[bytes | None, bool]]()  # each with whether the second process has it
    reader: _Reader | None = None
    with contextlib.ExitStack() as stack:
        while True:
            while not _is_enough(ahead) and (content := next(waiting, _END)) is not _END:
                if reader is None and ahead:
                    reader = stack.enter_context(_reader())
                given = content if isinstance(content, bytes) else None
                ahead.append((given, reader is not None and given is not None and reader.ask(given)))
            if not ahead:
                return
            current, asked = ahead.popleft()
            yield current, reader.answer() if reader and asked else None


def _is_enough(ahead: Collection[tuple[bytes | None, bool]]) -> bool:
    """Whether so much waits that the second process is given no more; it always has one."""
    held = sum(len(content or b"") for content, _asked in ahead)
    return len(ahead) > AHEAD or (len(ahead) > 1 and held >= AHEAD_BYTES)


class _Reader:
    """The second process: contents go in, records come out, each pickled.

    It takes what it is asked and gives what it has read while it reads: nobody waits for a full pipe.
    """

    def __init__(self, asks: IO[bytes], answers: IO[bytes]) -> None:
        self.asks, self.answers = asks, answers

    def ask(self, content: bytes) -> bool:
        try:
            pickle.dump(content, self.asks)
            self.asks.flush()
        except BrokenPipeError:
            return False
        return True

    def answer(self) -> ReadyRecord | None:
        try:
            record = pickle.load(self.answers)  # noqa: S301 - written by our own process
        except _BROKEN:
            return None
        return record if isinstance(record, ReadyRecord) else None


@contextlib.contextmanager
def _reader() -> Iterator[_Reader]:
    # A session of its own: Ctrl-C is for the caller, whose end closes the pipe.
    process = subprocess.Popen(
        [sys.executable, "-m", "scoring.engines.reading_ahead"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        start_new_session=True,
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the second process has no pipes")
    try:
        yield _Reader(process.stdin, process.stdout)
    finally:
        process.kill()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()


def main() -> None:
    """Read contents from standard input until it ends; whatever else is printed goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    asked, read = SimpleQueue[bytes | None](), SimpleQueue[bytes | None]()
    threading.Thread(target=_take, args=(sys.stdin.buffer, asked), daemon=True).start()
    giving = threading.Thread(target=_give, args=(answers, read))
    giving.start()
    while (content := asked.get()) is not None:
        try:
            record = ready(read_bounded(content))
        except ScoringError:
            record = None
        read.put(pickle.dumps(record, protocol=pickle.HIGHEST_PROTOCOL))
    read.put(None)
    giving.join()


def _take(asks: IO[bytes], asked: SimpleQueue[bytes | None]) -> None:
    """Put what is asked into the queue, None at the end."""
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            asked.put(pickle.load(asks))  # noqa: S301 - written by the process that started this one
    asked.put(None)


def _give(answers: IO[bytes], read: SimpleQueue[bytes | None]) -> None:
    """Write what was read until None comes, or nobody takes it any more."""
    with contextlib.suppress(BrokenPipeError), answers:
        while (answer := read.get()) is not None:
            answers.write(answer)
            answers.flush()


if __name__ == "__main__":
    main()
