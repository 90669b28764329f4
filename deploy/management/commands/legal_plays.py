"""``manage.py legal_plays``: legal plays of positions on standard input."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.rules.dice import Roll
from scoring.rules.errors import ScoringError
from scoring.rules.generate import generate
from scoring.rules.position import Position


class Command(BaseCommand):
    """Answers each line ``{"id", "pos", "dice"}`` with its legal results."""

    help = (
        "Read one JSON object per line from standard input: id (anything), pos (26 characters from the "
        "mover's view: opponent's bar, points 1 to 24, own bar; A-O mover, a-o opponent, - empty) and dice "
        "(two numbers). Write id, n_dice (how many dice a legal play uses) and results (the distinct "
        "resulting positions, sorted, from the same view; none if no play is legal)."
    )
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for number, line in enumerate(sys.stdin, start=1):
            if line.strip():
                self.stdout.write(json.dumps(_answer(number, line)))


def _answer(number: int, line: str) -> dict[str, Any]:
    try:
        case = json.loads(line)
        first, second = case["dice"]
        position, roll = Position.from_key(case["pos"]), Roll(first, second)
        name = case["id"]
    except (ValueError, KeyError, TypeError) as error:
        reason = (
            str(error) if isinstance(error, ScoringError) else f"{line.strip()!r} is not a case ({error!r})"
        )
        raise CommandError(f"line {number}: {reason}") from error
    dice, results = generate(position, roll)
    keys = sorted(Position.from_packed(packed).key for packed in results)
    return {"id": name, "n_dice": dice, "results": keys}
