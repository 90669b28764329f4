"""Keys that an installation creates once in ``var/``, readable only by itself."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

from django.conf import settings


def kept(name: str, make: Callable[[], bytes]) -> Path:
    """The file of a key, created if missing; of two processes, one wins."""
    path = Path(settings.VAR) / name
    if not path.exists():
        # One draft per thread: writing to a draft after linking it would change the key.
        draft = path.with_suffix(f".{token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(make())
        # Another process may create it now: a link never replaces a file and is never partial.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path
