"""Matches from one player's side: won or lost, and against whom."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Q

from clubs.models import Player
from scoring.matches.occasions import Occasion
from scoring.matches.queries.days import Day
from scoring.matches.queries.matches import MatchLine, score_of
from scoring.models import MatchStatus, Seat
from scoring.models.match import MatchQuerySet


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


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished matches: how many, and how many of them were won and lost; the rest had no winner."""

    matches: int
    won: int
    lost: int

    @property
    def percent(self) -> float | None:
        """Won of those with a winner, 0..100; None before the first."""
        decided = self.won + self.lost
        return 100.0 * self.won / decided if decided else None


def record_of(player: Player, matches: MatchQuerySet) -> Tally:
    """The player's record in these finished matches (one query)."""
    seats = Seat.objects.filter(player=player, match__in=matches, match__status=MatchStatus.FINISHED)
    own = Q(match__result__winner=F("side__colour"))
    decided = ~Q(match__result__winner="")
    counted = seats.aggregate(
        matches=Count("pk"), won=Count("pk", filter=own), lost=Count("pk", filter=decided & ~own)
    )
    return Tally(**counted)


def forms_of(days: Iterable[Day], player: Player) -> list[Recent]:
    """The player's matches of these days, from their side."""
    return [_form(line, player, day.occasion) for day in days for line in day.lines]


def _form(line: MatchLine, player: Player, occasion: Occasion | None) -> Recent:
    own, other = line.sides if player in line.white.side.players else line.sides[::-1]
    won = own.won if own.won or other.won else None
    return Recent(line, won, score_of(own, other), other.side.name, own.pr, occasion)
