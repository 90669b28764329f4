"""Keys that an installation makes once and keeps in ``var/``, readable by it alone."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from django.conf import settings


def kept(name: str, make: Callable[[], bytes]) -> Path:
    """The file of a key, made if it is not there yet; of two processes that make one, one wins."""
    path = Path(settings.VAR) / name
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(make())
        # Another process may make one at this moment: a link never replaces, and is never half a file.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path
