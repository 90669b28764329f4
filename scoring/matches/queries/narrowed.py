"""Filter a list of matches by search and state, with counts."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.access import Viewer
from clubs.models import Player, Role, User
from clubs.people.search import named
from scoring.analysis.queries.told import judged_among
from scoring.log.queries.visible import clubs_of
from scoring.matches.occasions import matches_at, matches_called
from scoring.matches.queries.matches import OPENED, unconfirmed, unconfirmed_in, waiting_for
from scoring.models import Match, MatchStatus, Seat
from scoring.models.match import MatchQuerySet

MOST_COUNTED = 1000


class WhichMatches(StrEnum):
    """The filters of a match list; results by default.

    Live are those that are called or begun: a draw opens its matches long before. To confirm are results that
    wait for the viewer; those that wait for others only are unconfirmed.
    """

    RESULTS = ""
    MINE = "mine"
    CONFIRM = "confirm"
    ANALYSED = "analysed"
    LIVE = "live"
    UNCONFIRMED = "unconfirmed"


WORDS: dict[WhichMatches, Promise] = {
    WhichMatches.RESULTS: _("Results"),
    WhichMatches.MINE: _("Mine"),
    WhichMatches.CONFIRM: _("To confirm"),
    WhichMatches.ANALYSED: _("Analysed"),
    WhichMatches.LIVE: _("Live"),
    WhichMatches.UNCONFIRMED: _("Awaiting confirmation"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a list with the number of its matches, up to ``MOST_COUNTED``; None where not counted."""

    shown: WhichMatches
    number: int | None

    @property
    def words(self) -> Promise:
        return WORDS[self.shown]

    @property
    def parameter(self) -> str | None:
        """The value of ``show`` in an address, None for all."""
        return self.shown.value or None

    @property
    def counted(self) -> int | None:
        """The number to show; with ``more`` it is the least that there are."""
        return None if self.number is None else min(self.number, MOST_COUNTED)

    @property
    def more(self) -> bool:
        return self.number is not None and self.number > MOST_COUNTED


def found_by(matches: MatchQuerySet, text: str, viewer: Viewer) -> MatchQuerySet:
    """Matches with a player or event of this name."""
    seats = Seat.objects.filter(player__in=named(Player.objects.all(), text).values("pk"))
    found = Q(pk__in=seats.values("match"))
    for at_occasion in matches_at(text, viewer):
        found |= Q(pk__in=at_occasion)
    return matches.filter(found)


def kept(matches: MatchQuerySet, shown: WhichMatches, viewer: Viewer) -> MatchQuerySet:
    """The matches that a filter shows."""
    match shown:
        case WhichMatches.MINE:
            return matches.filter(seats__player__user=viewer) if isinstance(viewer, User) else matches.none()
        case WhichMatches.CONFIRM:
            return matches.filter(pk__in=_asks(viewer).values("pk"))
        case WhichMatches.ANALYSED:
            return judged_among(matches, viewer)
        case WhichMatches.LIVE:
            begun = Q(sheet__head_seq__gt=OPENED)
            for called in matches_called():
                begun |= Q(pk__in=called)
            return matches.filter(begun, status=MatchStatus.PLAYING)
        case WhichMatches.UNCONFIRMED:
            others = matches.filter(pk__in=unconfirmed().values("pk"))
            return others.exclude(pk__in=_asks(viewer).values("pk"))
        case _:
            return matches.exclude(status=MatchStatus.PLAYING)


def _asks(viewer: Viewer) -> MatchQuerySet:
    """The unconfirmed results that the viewer may confirm: as a player, or as a director of their club."""
    if not isinstance(viewer, User):
        return Match.objects.none()
    return waiting_for(viewer) | unconfirmed_in(clubs_of(viewer, least=Role.DIRECTOR))


def choices_of(
    matches: MatchQuerySet, viewer: Viewer, current: WhichMatches, *, counted: bool = True
) -> list[Choice]:
    """The choices with their numbers (one query).

    Those without a match are left out, but for the current; signed out, what the viewer would have to do.

    All of them, without numbers and without a query, unless ``counted``: further down a list.
    """
    own = {WhichMatches.MINE, WhichMatches.CONFIRM, WhichMatches.UNCONFIRMED}
    offered = [shown for shown in WhichMatches if shown not in own or isinstance(viewer, User)]
    if current not in offered:
        offered.append(current)
    if not counted:
        return [Choice(shown, None) for shown in offered]
    numbers = _counted([kept(matches, shown, viewer) for shown in offered])
    choices = [Choice(shown, number) for shown, number in zip(offered, numbers, strict=True)]
    return [choice for choice in choices if choice.number or choice.shown in {WhichMatches.RESULTS, current}]


def _counted(rows: list[MatchQuerySet]) -> list[int]:
    """How many rows each has, up to one more than ``MOST_COUNTED``, in one statement."""
    parts: list[str] = []
    parameters: list[Any] = []
    for each in rows:
        try:
            sql, values = each.order_by().values("pk")[: MOST_COUNTED + 1].query.sql_with_params()
        except EmptyResultSet:
            parts.append("0")
            continue
        parts.append(f"(SELECT count(*) FROM ({sql}) AS counted)")  # noqa: S608 - Django's own SQL
        parameters.extend(values)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", parameters)
        return [int(number) for number in cursor.fetchone()]
