"""Where gnubg is, and how its script is spoken to."""

import os
import shutil

ANSWERS = "MIDPOINT_GNUBG_ANSWERS"
"""Environment: the file descriptor on which the script answers."""
VERSION = "MIDPOINT_GNUBG_VERSION"
"""Environment: what `gnubg --version` said."""


def gnubg_path() -> str | None:
    """The program, also where Debian puts games; None if it is not installed."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"])
    return shutil.which("gnubg", path=path)
