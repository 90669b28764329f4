"""Matches from one player's side: won or lost, and against whom."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, FilteredRelation, Q

from clubs.models import Player
from scoring.matches.occasions import Occasion
from scoring.matches.queries.days import Day
from scoring.matches.queries.matches import MatchLine, score_of
from scoring.models import MatchStatus
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


_WON, _DECIDED = Q(result__winner=F("own_seat__side__colour")), ~Q(result__winner="")


def record_of(player: Player, matches: MatchQuerySet) -> Tally:
    """The player's record in the finished ones of these matches (one query)."""
    seat = FilteredRelation("seats", condition=Q(seats__player=player))
    finished = matches.annotate(own_seat=seat).filter(own_seat__isnull=False, status=MatchStatus.FINISHED)
    return Tally(
        **finished.aggregate(
            matches=Count("pk"), won=Count("pk", filter=_WON), lost=Count("pk", filter=_DECIDED & ~_WON)
        )
    )


def forms_of(days: Iterable[Day], player: Player) -> list[Recent]:
    """The player's matches of these days, from their side."""
    return [_form(line, player, day.occasion) for day in days for line in day.lines]


def _form(line: MatchLine, player: Player, occasion: Occasion | None) -> Recent:
    own, other = line.sides if player in line.white.side.players else line.sides[::-1]
    won = own.won if own.won or other.won else None
    return Recent(line, won, score_of(own, other), other.side.name, own.pr, occasion)
