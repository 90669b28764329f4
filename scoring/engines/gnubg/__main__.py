"""The child, `python -m scoring.engines.gnubg --parent PID --memory BYTES`: becomes a contained gnubg."""

import os
import re
import subprocess
import sys
from pathlib import Path

from scoring.engines.containment import enter
from scoring.engines.gnubg.program import ANSWERS, VERSION, gnubg_path

_SCRIPT = Path(__file__).with_name("script.py")


def main() -> None:
    """Where gnubg is installed this does not return: the process is gnubg from then on."""
    answers = enter("scoring.engines.gnubg", __doc__)
    program = gnubg_path()
    if program is None:
        sys.exit("gnubg is not installed")
    os.set_inheritable(answers, True)  # noqa: FBT003 - the standard library's signature
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"GNU Backgammon (\S+)", told)
    environment = {**os.environ, ANSWERS: str(answers), VERSION: found[1] if found else "unknown"}
    os.execve(program, [program, "-t", "-q", "-r", "-p", str(_SCRIPT)], environment)  # noqa: S606 - no shell


if __name__ == "__main__":
    main()
