"""Rating lists, ranks and the arithmetic of rating changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Count,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce, RowNumber

from clubs.access import Viewer
from clubs.models import Club, Player, User, WorkStatus
from clubs.models.person import sort_key
from scoring.analysis.queries.performances import file_labels_in, labels_in, pooled
from scoring.log.queries.keyset import Order, Stretch, stretch
from scoring.models import Match, Rating, RatingChange, RatingList, RatingUpdate, Seat
from scoring.models.rating import RatingQuerySet
from scoring.theory.performance import Performance

NEWEST_FIRST = Order("-played_at", "-match_ref", cursor="match_ref")
BESIDE = 8  # provisional players that stand beside the first page


class Sort(StrEnum):
    """What a rating list is sorted by."""

    RATING = "rating"
    NAME = "name"
    CHANGE = "change"
    MATCHES = "matches"
    LAST = "last"

    @property
    def ascending(self) -> bool:
        return self is Sort.NAME


ORDERS = {
    Sort.RATING: Order("-value", "id", cursor="player__ref"),
    Sort.NAME: Order("by_name", "id", cursor="player__ref"),
    Sort.CHANGE: Order("-newest_points", "id", cursor="player__ref"),
    Sort.MATCHES: Order("-matches", "id", cursor="player__ref"),
    Sort.LAST: Order("-last_played_at", "id", cursor="player__ref"),
}


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A row of a rating list; ``last`` is the player's newest change.

    ``rank`` counts from 1 those with enough rated matches; None for a provisional player, who has fewer.
    """

    rank: int | None
    rating: Rating
    performance: Performance | None
    last: RatingChange | None

    @property
    def pr(self) -> float | None:
        return self.performance.pr if self.performance else None


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The steps of a rating change, for the page that explains it.

    ``surprise`` is 1 - P(winner), ``step`` the points that the match is worth before K (4 x root x surprise).
    """

    change: RatingChange
    root: float
    probability_of_winner: float
    surprise: float
    step: float

    @property
    def points(self) -> float:
        """What the player won (+) or lost (-), in rating points."""
        return self.change.after - self.change.before

    @property
    def whole_length(self) -> bool:
        """Whether the formula uses the match length itself."""
        return self.change.weight == self.change.length


def arithmetic(change: RatingChange) -> Arithmetic:
    """The steps of a change, computed as the formula of its list does."""
    root = sqrt(change.weight)
    winner = change.probability if change.won else 1.0 - change.probability
    return Arithmetic(change, root, winner, 1.0 - winner, 4.0 * root * (1.0 - winner))


def list_of(club: Club) -> RatingList | None:
    """The club's main list with its club and how many ``players`` stand on it; None before a rated match."""
    lists = RatingList.objects.select_related("club").filter(club=club, name="")
    return lists.annotate(players=Count("ratings")).first()


def lists_in(clubs: QuerySet[Club]) -> list[RatingList]:
    """The rating lists of these clubs with their clubs and how many ``players`` stand on each (one query)."""
    lists = RatingList.objects.filter(club__in=clubs).select_related("club")
    return list(lists.annotate(players=Count("ratings")).order_by("club__name", "name", "pk"))


def rating_stretch(
    rating_list: RatingList,
    viewer: Viewer,
    *,
    search: str = "",
    sort: Sort = Sort.RATING,
    provisional: bool | None = None,
    after: str = "",
    before: str = "",
    label: str = "",
    size: int = 50,
) -> tuple[Stretch[RatingLine], str, list[str]]:
    """A stretch of the list, the label of its error rates, and all labels (seven queries at most).

    ``label`` is the one to show, by default the one of ours with most matches.
    ``search`` keeps the names that contain it, whatever their capitals and accents; ranks stay the list's.
    ``provisional`` keeps those who have no rank yet, or leaves them out; None has everybody.
    """
    shown = _called(_among(rating_list, provisional=provisional), search).annotate(
        by_name=Coalesce("player__person__sort_key", Value("")),
    )
    if sort is Sort.CHANGE:
        newest = RatingChange.objects.on_list(rating_list).filter(player=OuterRef("player"))
        points = newest.annotate(points=F("after") - F("before")).order_by("-played_at", "-match_ref")
        shown = shown.annotate(newest_points=Subquery(points.values("points")[:1]))
    found = stretch(
        shown,
        ORDERS[sort],
        cursor_of=lambda rating: str(rating.player.ref),
        after=after,
        before=before,
        size=size,
    )
    labels = _labels(rating_list, viewer)
    label = label if label in labels else next(iter(labels), "")
    lines = _lines(rating_list, found.rows, _ranks(rating_list, found.rows), viewer, label)
    return Stretch(lines, found.before, found.after), label, labels


def provisional_beside(
    rating_list: RatingList, *, search: str = "", size: int = BESIDE
) -> tuple[list[Rating], bool]:
    """The best of those without a rank, and whether there are more (one query; none where all are ranked)."""
    if rating_list.club.ranked_from <= 1:
        return [], False
    rows = list(_called(_among(rating_list, provisional=True), search).best_first()[: size + 1])
    return rows[:size], len(rows) > size


def top(rating_list: RatingList, viewer: Viewer, *, size: int = 5) -> list[RatingLine]:
    """The first places of a list (four queries)."""
    rows = list(_among(rating_list, provisional=False).best_first()[:size])
    club = Club.objects.filter(pk=rating_list.club_id)
    label = next(iter(labels_in(club, viewer)), "")
    return _lines(rating_list, rows, range(1, len(rows) + 1), viewer, label)


def ratings_of(player: Player, clubs: QuerySet[Club]) -> list[Rating]:
    """Where the player stands in these clubs, most matches first (one query).

    Each has its ``better``, how many of the ``ranked`` stand before it, and is ``provisional`` or not.
    """
    rows = Rating.objects.filter(player=player, list__club__in=clubs).select_related("list__club")
    return list(_placed(rows).order_by("-matches", "pk"))


def own_rating(rating_list: RatingList, user: User) -> Rating | None:
    """Where the user stands on the list, as in ``ratings_of`` (one query)."""
    rows = Rating.objects.on_list(rating_list).filter(player__user=user).select_related("player")
    return _placed(rows).first()


def _placed(ratings: RatingQuerySet) -> RatingQuerySet:
    enough = F("list__club__ranked_from")
    ranked = Rating.objects.filter(list=OuterRef("list"), matches__gte=enough).order_by().values("list")
    before = Q(value__gt=OuterRef("value")) | Q(value=OuterRef("value"), id__lt=OuterRef("id"))
    provisional = Case(When(matches__lt=enough, then=True), default=False, output_field=BooleanField())
    return ratings.annotate(
        better=Coalesce(Subquery(_number(ranked.filter(before))), 0),
        ranked=Coalesce(Subquery(_number(ranked)), 0),
        provisional=provisional,
    )


def _number(by_list: QuerySet[Rating, Any]) -> QuerySet[Rating, Any]:
    return by_list.annotate(number=Count("pk")).values("number")


def changes_of(player: Player, rating_list: RatingList, *, limit: int) -> list[RatingChange]:
    """The player's newest changes on a list in the order of play, at most ``limit`` (one query)."""
    rows = RatingChange.objects.on_list(rating_list).filter(player=player).select_related("opponent__person")
    newest = rows.annotate(points=F("after") - F("before")).order_by("-played_at", "-match_ref")
    return list(newest[:limit])[::-1]


def change_stretch(
    player: Player, rating_list: RatingList, *, after: str = "", before: str = "", size: int = 25
) -> Stretch[RatingChange]:
    """A stretch of the player's changes on a list, newest first (two queries at most).

    Each has its match, its ``points`` and the ``colour`` that the player had.
    """
    rows = RatingChange.objects.on_list(rating_list).filter(player=player)
    own = Seat.objects.filter(match=OuterRef("match"), player=player).values("side__colour")
    rows = rows.select_related("opponent__person", "match__result").annotate(colour=Subquery(own[:1]))
    found: Stretch[RatingChange] = stretch(
        rows.annotate(points=F("after") - F("before")),
        NEWEST_FIRST,
        cursor_of=lambda change: str(change.match_ref),
        after=after,
        before=before,
        size=size,
    )
    return found


def newest_change_of(user: User) -> RatingChange | None:
    """The newest change of the user's ratings on any list (one query)."""
    rows = RatingChange.objects.filter(player__user=user).select_related(
        "list__club", "match", "player__person", "opponent__person"
    )
    return rows.annotate(points=F("after") - F("before")).order_by("-played_at", "-match_ref", "-pk").first()


def changes_in(match: Match) -> list[RatingChange]:
    """What the match did to its players on its club's main list, White's first (one query)."""
    players = [*match.white.players, *match.black.players]
    rows = RatingChange.objects.filter(
        match=match, player__in=players, list__club=match.club_id, list__name=""
    )
    rows = rows.select_related("player__person").annotate(points=F("after") - F("before"))
    white = {player.pk for player in match.white.players}
    return sorted(rows, key=lambda change: change.player_id not in white)


def queued_updates(player: Player) -> list[RatingUpdate]:
    """One queued replay for each list with a match of the player to rerate (one query)."""
    waiting = RatingUpdate.objects.filter(status=WorkStatus.QUEUED, match__seats__player=player)
    return list(waiting.order_by("list_id", "pk").distinct("list_id"))


def _among(rating_list: RatingList, *, provisional: bool | None) -> RatingQuerySet:
    everybody = Rating.objects.on_list(rating_list).select_related("player__person")
    if provisional is None:
        return everybody
    enough = {"matches__gte": rating_list.club.ranked_from}
    return everybody.exclude(**enough) if provisional else everybody.filter(**enough)


def _called(ratings: RatingQuerySet, search: str) -> RatingQuerySet:
    wanted = sort_key(search)
    return ratings.filter(player__person__sort_key__contains=wanted) if wanted else ratings


def _ranked(rating_list: RatingList) -> RatingQuerySet:
    """Ranked players, with enough rated matches. Load the list with its club."""
    return Rating.objects.on_list(rating_list).filter(matches__gte=rating_list.club.ranked_from)


def _ranks(rating_list: RatingList, rows: Sequence[Rating]) -> list[int | None]:
    """Ranks of some rows (one query)."""
    place = Window(RowNumber(), order_by=[F("value").desc(), F("id").asc()])
    # Both conditions hold behind the window: one pass over the list counts for all rows.
    shown = Q(place__lt=1) | Q(pk__in=[row.pk for row in rows])
    places = dict(_ranked(rating_list).annotate(place=place).filter(shown).values_list("pk", "place"))
    return [places.get(row.pk) for row in rows]


def _labels(rating_list: RatingList, viewer: Viewer) -> list[str]:
    """The labels of the club's analyses, then of its files, each by the most matches (two queries)."""
    club = Club.objects.filter(pk=rating_list.club_id)
    return [*labels_in(club, viewer), *file_labels_in(club, viewer)]


def _lines(
    rating_list: RatingList, rows: Sequence[Rating], ranks: Sequence[int | None], viewer: Viewer, label: str
) -> list[RatingLine]:
    club = Club.objects.filter(pk=rating_list.club_id)
    players = [rating.player_id for rating in rows]
    performances = pooled(players, matches=Match.objects.filter(club__in=club), label=label, viewer=viewer)
    last = {change.player_id: change for change in _newest_changes(rating_list, players)}
    return [
        RatingLine(rank, rating, performances.get(rating.player_id), last.get(rating.player_id))
        for rank, rating in zip(ranks, rows, strict=True)
    ]


def _newest_changes(rating_list: RatingList, players: list[int]) -> QuerySet[RatingChange]:
    changes = RatingChange.objects.on_list(rating_list).filter(player__in=players)
    return (
        changes.annotate(points=F("after") - F("before"))
        .order_by("player_id", "-played_at", "-match_ref")
        .distinct("player_id")
    )
