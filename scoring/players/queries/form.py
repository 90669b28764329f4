"""How a player has been doing lately: the last results, and what they did to the rating."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clubs.models import Player
from scoring.matches.occasions import Occasion
from scoring.matches.queries.days import Day
from scoring.matches.queries.matches import MatchLine, score_of
from scoring.models import RatingChange


@dataclass(frozen=True, slots=True)
class Recent:
    """One match from the player's side, whose points stand first in ``score``.

    ``won`` is None where nobody won, ``pr`` without an analysis.
    """

    line: MatchLine
    won: bool | None
    score: str
    opponent: str
    pr: float | None
    occasion: Occasion | None


def forms_of(days: Iterable[Day], player: Player) -> list[Recent]:
    """The matches of these days, in all of which the player sits, seen from that side."""
    return [_form(line, player, day.occasion) for day in days for line in day.lines]


def _form(line: MatchLine, player: Player, occasion: Occasion | None) -> Recent:
    own, other = line.sides if player in line.white.side.players else line.sides[::-1]
    won = own.won if own.won or other.won else None
    return Recent(line, won, score_of(own, other), other.side.name, own.pr, occasion)


def sum_lately(changes: Iterable[RatingChange], *, since: datetime) -> float | None:
    """What the matches since then did to the rating, in points; None without one."""
    lately = [change.after - change.before for change in changes if change.played_at >= since]
    return sum(lately) if lately else None
