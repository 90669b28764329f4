"""The folder of nightly backups: file names, and which files are kept.

Each of the last days, weeks and months that has a backup keeps its newest one (``BACKUP_KEEP``). Files with
other names are never touched, and neither is the newest backup.
"""

import contextlib
import logging
import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from deploy.backup.archive import DRAFT, Reader, holds
from deploy.backup.errors import BackupError

logger = logging.getLogger(__name__)

NAMED = "midpoint-%Y%m%dT%H%M%SZ.tar"
_NAME = re.compile(r"midpoint-\d{8}T\d{6}Z\.tar")


def folder() -> Path:
    """The configured folder. Raises BackupError if there is none.

    It is never created: with its disk not mounted, it would be on another one.
    """
    if not settings.BACKUP_FOLDER:
        raise BackupError(
            "no folder is configured: name a FILE, or set BACKUP_FOLDER (docs/operators/back-up.md)"
        )
    path = Path(settings.BACKUP_FOLDER)
    if not path.is_dir():
        raise BackupError(
            f"BACKUP_FOLDER={path} is not a folder: create it, mount its disk, or name another one"
        )
    return path


def next_file(moment: datetime) -> Path:
    """The path of a backup that starts at this moment."""
    return folder() / moment.astimezone(UTC).strftime(NAMED)


def taken_at(path: Path) -> datetime | None:
    """When a backup was taken, by its file name; None for other names."""
    if not _NAME.fullmatch(path.name) or not path.is_file() or path.is_symlink():
        return None
    try:
        return datetime.strptime(path.name, NAMED).replace(tzinfo=UTC)
    except ValueError:  # such as the 31st of February
        return None


def kept(moments: Collection[datetime], numbers: Sequence[int]) -> set[datetime]:
    """The backups to keep: the newest of each of the last days, weeks and months.

    >>> day = datetime(2026, 11, 23, 3, tzinfo=UTC)
    >>> [kept({day.replace(day=n) for n in range(1, 24)}, (2, 0, 0)) == {day, day.replace(day=22)}]
    [True]
    """
    stay: set[datetime] = {max(moments)} if moments else set()
    for number, period in zip(numbers, ("%Y-%m-%d", "%G-%V", "%Y-%m"), strict=True):
        newest: dict[str, datetime] = {}
        for moment in sorted(moments):
            newest[moment.strftime(period)] = moment
        stay |= set(sorted(newest.values(), reverse=True)[:number])
    return stay


def rotate(moment: datetime) -> list[Path]:
    """Remove expired backups and the remains of killed ones; return their paths.

    Call it when a new backup is complete and checked. A file that cannot be read, or is dated in the future,
    stays and does not count.
    """
    where, numbers = folder(), [int(number) for number in settings.BACKUP_KEEP.split(",")]
    named = {at: path for path in where.iterdir() if (at := taken_at(path)) is not None and at <= moment}
    ours = {at: path for at, path in named.items() if _can_be_read(path)}
    removed = [ours[at] for at in set(ours) - kept(ours, numbers) if _is_removed(ours[at])]
    return sorted(removed) + _remove_abandoned(where)


def _can_be_read(path: Path) -> bool:
    """Whether the file has its end; ``restore --check`` checks its members."""
    try:
        with Reader(path):
            return True
    except BackupError:
        return False


def _remove_abandoned(where: Path) -> list[Path]:
    removed = []
    for path in where.glob(f".midpoint-*.tar{DRAFT}"):
        if _NAME.fullmatch(path.name.removeprefix(".").removesuffix(DRAFT)):
            with contextlib.suppress(OSError), path.open("rb+") as file:
                if holds(file, path) and _is_removed(path):
                    removed.append(path)
    return removed


def _is_removed(path: Path) -> bool:
    """Remove a file; False if it is gone already or cannot be removed (logged)."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        logger.warning("cannot remove the expired backup %s: %s", path, error.strerror)
        return False
    return True
