"""A player's records against opponents, clubs and names in files."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from clubs.access import Viewer
from clubs.models import Club, Player
from scoring.log.queries.keyset import Order, Stretch, stretch
from scoring.log.queries.visible import seat_open_to
from scoring.matches.queries.form import Tally
from scoring.models import Alias, MatchStatus, Seat

MOST_PLAYED_FIRST = Order("-matches", "player_id", cursor="player__ref")


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The player's record against one opponent."""

    opponent: Player
    record: Tally
    last_played_at: datetime


def records_by_length(player: Player, clubs: Iterable[Club], viewer: Viewer) -> list[tuple[int, Tally]]:
    """Records by match length in these visible clubs, shortest first; 0 is money (one query).

    They are counted in an index of the player's seats, over finished matches that the viewer can see.
    """
    seats = Seat.objects.filter(player=player, finished_length__isnull=False)
    seats = seats.filter(seat_open_to(viewer), finished_club__in=[club.pk for club in clubs])
    counted = {
        "matches": Count("pk"),
        "won": Count("pk", filter=Q(finished_won=True)),
        "lost": Count("pk", filter=Q(finished_won=False)),
    }
    rows: Any = seats.values("finished_length").annotate(**counted).order_by("finished_length")
    return [(row["finished_length"], Tally(row["matches"], row["won"], row["lost"])) for row in rows]


def together(records: Iterable[Tally]) -> Tally:
    """The sum of some records."""
    told = list(records)
    return Tally(*(sum(getattr(each, name) for each in told) for name in ("matches", "won", "lost")))


def opponents_of(
    player: Player, clubs: QuerySet[Club], *, after: str = "", before: str = "", size: int = 25
) -> Stretch[HeadToHead]:
    """Records against all opponents, most matches first (at most three queries)."""
    theirs = Q(match__result__winner=F("side__colour"))
    decided = ~Q(match__result__winner="")
    rows = (
        Seat.objects.filter(match__seats__player=player, match__club__in=clubs)
        .filter(match__status=MatchStatus.FINISHED)
        .exclude(side__in=Seat.objects.filter(player=player).values("side"))
        .values("player_id", "player__ref")
        .annotate(
            matches=Count("pk"),
            won=Count("pk", filter=decided & ~theirs),
            lost=Count("pk", filter=theirs),
            last=Max("match__played_at"),
        )
    )
    found = stretch(
        rows,
        MOST_PLAYED_FIRST,
        cursor_of=lambda row: str(row["player__ref"]),
        after=after,
        before=before,
        size=size,
    )
    people = Player.objects.with_person().in_bulk([row["player_id"] for row in found.rows])
    records = [
        HeadToHead(people[row["player_id"]], Tally(row["matches"], row["won"], row["lost"]), row["last"])
        for row in found.rows
    ]
    return Stretch(records, found.before, found.after)


def clubs_where_known(player: Player, clubs: QuerySet[Club]) -> list[Club]:
    """Those of these clubs in which the player has a role or has played (one query)."""
    known = Q(pk__in=player.memberships.values("club"))
    known |= Q(pk__in=player.seats.filter(finished_length__isnull=False).values("finished_club"))
    # The others are few: a match for each of all seats would be looked up.
    known |= Q(pk__in=player.seats.filter(finished_length=None).values("match__club"))
    return list(clubs.filter(known).order_by("name", "pk"))


def names_of(player: Player, clubs: QuerySet[Club]) -> list[Alias]:
    """The player's names in these clubs' files (one query)."""
    aliases = Alias.objects.filter(player=player, club__in=clubs).select_related("club", "claimed_by__person")
    return list(aliases.order_by("club__name", "key"))
