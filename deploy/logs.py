"""Log files of a bounded size, also while their writers run."""

import shutil
from pathlib import Path

LARGEST = 10_000_000  # bytes of a file, after which it is set aside
KEPT = 3  # files that were set aside, the newest is ``.log.1``


def rotate(log: Path, *, largest: int = LARGEST, kept: int = KEPT) -> bool:
    """Set a log that has grown too large aside and empty it; whether that was so.

    Its writers have it open at its end and write on at the beginning: the file stays the same. What is
    written between the copy's end and the cut, microseconds, is lost. Raises OSError where it cannot be done.
    """
    if not log.exists() or log.stat().st_size <= largest:
        return False
    for number in range(kept, 1, -1):
        older = log.with_suffix(f".log.{number - 1}")
        if older.exists():
            older.replace(log.with_suffix(f".log.{number}"))
    with log.open("r+b") as file, log.with_suffix(".log.1").open("wb") as aside:
        shutil.copyfileobj(file, aside, 1 << 20)
        file.truncate(0)
    return True
