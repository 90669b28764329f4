"""Version and commit of this Midpoint."""

import subprocess
import tomllib

from deploy.checkout import ROOT


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def commit() -> str | None:
    """The commit of the checkout; None without one, as in a container image."""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "rev-parse", "HEAD"]
    try:
        answer = subprocess.run(git, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return answer.stdout.strip() or None
