"""The ledger as one player reads it on a phone: a line per game."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.chouette.session_state import ScoredGame
from scoring.rules.match import Win


def my_lines(games: Sequence[ScoredGame], me: str, shorts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Box, winner, the player's points (None if they sat out) and their total after each game."""

    def name(ref: str) -> str:
        return _("You") if ref == me else shorts.get(ref, "?")

    ways = {Win.GAMMON: _("gammon"), Win.BACKGAMMON: _("backgammon")}
    lines: list[dict[str, Any]] = []
    total = 0
    for game in games:
        points = next((line.points for line in game.ledger if line.player == me), None)
        total += points or 0
        box, winner = game.seating.box, game.winner
        lines.append(
            {
                "number": game.number,
                "box": name(box),
                "is_box": box == me,
                "winner": _("Box") if winner == box else name(winner),
                "how": ways.get(game.results[-1].win, ""),
                "points": points,
                "total": total,
            }
        )
    return lines
