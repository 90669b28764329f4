"""The keys in ``var/``, which a site keeps outside its database.

Uploaded files are rows; logs, static files and Valkey's messages and caches are created again. A
``SECRET_KEY`` in the environment belongs to the operator and is not in a backup: only a fingerprint of it
is.
"""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path

from django.conf import settings
from django.utils.crypto import salted_hmac

from deploy.backup.errors import BackupError
from tournaments.display.services import push_key

NAMES = ("secret_key", push_key.KEY)
FOLDER = "keys"
REPLACED = ".before-restore"


def kept_keys() -> dict[str, bytes]:
    """The keys created by this site, by file name."""
    found = {}
    for name in NAMES:
        with contextlib.suppress(FileNotFoundError):
            found[name] = (Path(settings.VAR) / name).read_bytes()
    return found


def fingerprint_of(secret: str, *, salt: str) -> str:
    """A fingerprint of a ``SECRET_KEY`` that reveals nothing about it."""
    return salted_hmac("deploy.backup", salt, secret=secret, algorithm="sha256").hexdigest()


def same_signatures(manifest_print: str, *, salt: str, keys: dict[str, bytes]) -> bool:
    """Whether links and sessions are signed as when the backup was taken."""
    own = os.environ.get("SECRET_KEY") or keys.get("secret_key", settings.SECRET_KEY.encode()).decode()
    return fingerprint_of(own, salt=salt) == manifest_print


@contextlib.contextmanager
def staged(keys: dict[str, bytes]) -> Iterator[Callable[[], dict[str, str]]]:
    """Write keys beside those in ``var/``; yield a callable that installs them.

    It renames the keys it replaces, and returns their new names. Keys that were not installed are removed at
    the end of the block. Raises BackupError where the keys cannot be written; then nothing has changed.
    """
    drafts: dict[str, Path] = {}
    try:
        for name, content in keys.items():
            drafts[name] = Path(settings.VAR) / f"{name}.{os.getpid()}"
            _write(drafts[name], content)
        yield lambda: _put_in_place(drafts)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


def _write(draft: Path, content: bytes) -> None:
    name = draft.stem
    try:
        for taken in (draft.with_name(name), draft.with_name(name + REPLACED)):
            if taken.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{taken} is a folder")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise BackupError(
            f"cannot write the key {name} to {draft.parent}: {error.strerror}; free some space there or "
            "give this user write permission. Nothing was changed"
        ) from error


def _put_in_place(drafts: dict[str, Path]) -> dict[str, str]:
    replaced = {}
    for name, draft in drafts.items():
        path = draft.with_name(name)
        if path.exists() and path.read_bytes() != draft.read_bytes():
            kept = _free(path.with_name(name + REPLACED))
            path.rename(kept)
            replaced[name] = kept.name
        draft.replace(path)
    return replaced


def _free(wanted: Path) -> Path:
    """An unused name: a key kept by an earlier restore stays."""
    names = (wanted.with_name(f"{wanted.name}-{number}") for number in count(2))
    return next(path for path in chain([wanted], names) if not path.exists() and not path.is_symlink())
