"""The child, `python -m scoring.engines.gnubg --parent PID --memory BYTES`; see `child`."""

import sys

from scoring.engines.child import run
from scoring.engines.containment import enter
from scoring.engines.gnubg.evaluator import opened
from scoring.engines.presets import GNUBG

LANES = 2
"""gnubg waits about as long as it computes."""

if __name__ == "__main__":
    answers = enter("scoring.engines.gnubg", __doc__)
    sys.exit(run(answers, engine="gnubg", presets=GNUBG, opening=opened, lanes=LANES))
