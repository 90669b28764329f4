"""Where gnubg is."""

import os
import shutil

ANSWERS = "MIDPOINT_GNUBG_ANSWERS"
"""Environment: the file descriptor on which the script answers."""
PLACES = ("/usr/games", "/usr/local/games")
"""Where Debian puts games, which need not be in PATH."""
INSTALL = "GNU Backgammon is not installed: install the package gnubg"


def gnubg_path() -> str | None:
    """The program; None if it is not installed."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *PLACES])
    return shutil.which("gnubg", path=path)


def missing() -> str:
    """What to install, or nothing."""
    return "" if gnubg_path() else INSTALL
