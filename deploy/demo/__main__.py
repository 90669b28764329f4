"""The child process `python -m deploy.demo --parent PID --memory BYTES`.

It plays matches, see `deploy.demo.farm`. Standard input: `{"matches": [{"number", "plan"}, ...]}`. Standard
output, one object per line and match: `{"number", "events": [[kind, body], ...]}`.
"""

import json
import sys
from typing import Any

from deploy.demo.playing import MatchPlan, play_match
from deploy.demo.strength import Strength
from scoring.engines.containment import enter
from scoring.engines.gammonview.sparring import SparringPartner
from scoring.rules.events import event_to_plain


def main() -> int:
    """Play every match of the request; return 0."""
    say = enter("deploy.demo", __doc__)
    partner = SparringPartner()
    for match in json.load(sys.stdin)["matches"]:
        events = [event_to_plain(event) for event in play_match(plan_from_json(match["plan"]), partner)]
        say({"number": match["number"], "events": events})
    return 0


def plan_from_json(plan: dict[str, Any]) -> MatchPlan:
    """Undo ``dataclasses.asdict``."""
    return MatchPlan(**{**plan, "white": Strength(**plan["white"]), "black": Strength(**plan["black"])})


if __name__ == "__main__":
    sys.exit(main())
