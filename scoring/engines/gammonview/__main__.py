"""The child, `python -m scoring.engines.gammonview --parent PID --memory BYTES`; see `child`."""

import sys

from scoring.engines.child import run
from scoring.engines.containment import enter
from scoring.engines.gammonview.evaluator import opened
from scoring.engines.presets import GAMMONVIEW

if __name__ == "__main__":
    say = enter("scoring.engines.gammonview", __doc__)
    sys.exit(run(say, engine="gammonview", presets=GAMMONVIEW, opening=opened))
