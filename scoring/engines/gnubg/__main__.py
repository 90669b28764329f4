"""The child, `python -m scoring.engines.gnubg --parent PID --memory BYTES`; see `child`."""

import os
import sys

from scoring.engines.child import run
from scoring.engines.containment import enter
from scoring.engines.gnubg.evaluator import opened
from scoring.engines.presets import GNUBG

LANES = 2
"""Most gnubg at once, one a processor: gnubg waits about as long as it computes."""

if __name__ == "__main__":
    say = enter("scoring.engines.gnubg", __doc__)
    # Not everywhere a process knows which processors it can use.
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    lanes = min(LANES, processors)
    sys.exit(run(say, engine="gnubg", presets=GNUBG, opening=opened, lanes=lanes))
