"""Log files of bounded size, rotated while in use."""

import shutil
from pathlib import Path

LARGEST = 10_000_000  # bytes of a file, after which it is set aside
KEPT = 3  # files that were set aside, the newest is ``.log.1``


def rotate(log: Path, *, largest: int = LARGEST, kept: int = KEPT) -> bool:
    """Copy a large log aside and truncate it; return whether it was.

    Its writers keep the same file open in append mode. Lines written in the microseconds between copy and
    truncation are lost. Raises OSError on failure.
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
