"""Keys that an installation makes once and keeps in ``var/``, readable by it alone."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

from django.conf import settings


def kept(name: str, make: Callable[[], bytes]) -> Path:
    """The file of a key, made if it is not there yet; of two who make one, one wins."""
    path = Path(settings.VAR) / name
    if not path.exists():
        # Of its own for each thread: one that is written to after it was linked would be the key itself.
        draft = path.with_suffix(f".{token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(make())
        # Another process may make one at this moment: a link never replaces, and is never half a file.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path
