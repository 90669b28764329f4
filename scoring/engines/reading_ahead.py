"""Match files read by a second process, one ahead of the process that stores their matches."""

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import IO

from scoring.engines.conversion import read_bounded
from scoring.notation.record import MatchRecord
from scoring.rules.errors import ScoringError

_ROOT = Path(__file__).resolve().parents[2]
_BROKEN = (EOFError, BrokenPipeError, pickle.UnpicklingError)


_END = object()


def read_ahead(
    contents: Iterable[bytes | None],
) -> Generator[tuple[bytes | None, MatchRecord | None], None, None]:
    """Each content with its record, None where the caller has to read it: what is wrong is raised there.

    The first is the caller's; from the second on, each is read while the caller is busy with the one before.
    Where the second process breaks down, the caller reads the rest. A content that is None stays so.
    """
    waiting = iter(contents)
    content: object = next(waiting, _END)
    reader: _Reader | None = None
    asked = False
    with contextlib.ExitStack() as stack:
        while content is not _END:
            following = next(waiting, _END)
            record = reader.answer() if reader and asked else None
            asked = False
            if isinstance(following, bytes):
                reader = reader or stack.enter_context(_reader())
                asked = reader.ask(following)
            yield (content if isinstance(content, bytes) else None), record
            content = following


class _Reader:
    """The second process: contents go in, records come out, each pickled."""

    def __init__(self, asks: IO[bytes], answers: IO[bytes]) -> None:
        self.asks, self.answers = asks, answers

    def ask(self, content: bytes) -> bool:
        try:
            pickle.dump(content, self.asks)
            self.asks.flush()
        except BrokenPipeError:
            return False
        return True

    def answer(self) -> MatchRecord | None:
        try:
            record = pickle.load(self.answers)  # noqa: S301 - written by our own process
        except _BROKEN:
            return None
        return record if isinstance(record, MatchRecord) else None


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
        raise RuntimeError("the second process was started without pipes")
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
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            content = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the process that started this one
            try:
                record = read_bounded(content)
            except ScoringError:
                record = None
            pickle.dump(record, answers, protocol=pickle.HIGHEST_PROTOCOL)
            answers.flush()


if __name__ == "__main__":
    main()
