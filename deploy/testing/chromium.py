"""The Chromium of the browser tests."""

import os
import shutil
import subprocess

from deploy import attach

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


class NoBrowserError(Exception):
    """No Chromium was found and none could be installed."""


def find_chromium() -> str:
    """The path of a Chromium; root installs Debian's if there is none.

    Raises:
        NoBrowserError: none is there and none can be installed.
    """
    if found := installed_chromium():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        attach.say("installing Chromium with apt-get for the browser tests")
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", *words], env=quiet, stdout=subprocess.DEVNULL, check=False)
        if found := installed_chromium():
            return found
    raise NoBrowserError(
        "no Chromium was found. Install it (Debian: sudo apt install chromium), set MIDPOINT_CHROMIUM to its "
        "path, or leave these tests out with --no-browser"
    )


def installed_chromium() -> str | None:
    names = (os.environ.get("MIDPOINT_CHROMIUM", ""), *NAMES)
    return next((path for name in names if name and (path := shutil.which(name))), None)
