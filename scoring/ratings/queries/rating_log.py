"""Read a rating list's log in bounded memory: results and stored changes.

Logs are streamed by server-side cursors, and everything else is asked for in pieces of ``CHUNK``: no
statement has more parameters where a club has more matches. Which results rate is said by
``scoring.formulas.policy``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Count, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from clubs.models import Club
from scoring.formulas.policy import MatchFacts, RatingPolicy
from scoring.formulas.streams import CHUNK, Link, LogKey, Rated, RatingStanding, Stored
from scoring.models import Colour, Match, MatchStatus, RatingChange, RatingList, Seat
from scoring.rules.endings import Ending

FETCHED = 5000
"""Rows that a stream takes from its cursor at once."""

Row = tuple[Any, ...]
Item = TypeVar("Item")


def streamed(rows: QuerySet[Any, Row]) -> Iterator[Row]:
    """The rows of a ``values_list``, as they come from a server-side cursor; in a transaction.

    They come in PostgreSQL's binary form: the text that Django's own ``iterator`` reads costs five times the
    processor.
    """
    sql, parameters = rows.query.sql_with_params()
    with connection.chunked_cursor() as cursor:
        cursor.cursor.execute(sql, parameters, binary=True)
        while found := cursor.fetchmany(FETCHED):
            yield from found


def fetched(rows: QuerySet[Any, Row]) -> list[Row]:
    """The rows of a ``values_list`` that are few, in binary form too."""
    sql, parameters = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.cursor.execute(sql, parameters, binary=True)
        found: list[Row] = cursor.fetchall()
        return found


def rated_log(club: Club) -> Iterator[Rated]:
    """Every result of the club that rates, in the order of the log."""
    return _rated(streamed(_results(Match.objects.in_club(club)).order_by("played_at", "ref")))


def rated_among(matches: Collection[int]) -> dict[int, Rated | None]:
    """Each match's place in the log; None if it is not rated."""
    found: dict[int, Rated | None] = dict.fromkeys(matches)
    for some in in_pieces(matches):
        rows = fetched(_results(Match.objects.filter(pk__in=some)))
        found |= {rated.match: rated for rated in _rated(rows)}
    return found


def _results(matches: QuerySet[Match]) -> QuerySet[Any, Row]:
    """Final results, one row per pair of players on opposite sides."""
    white, black = (Q(sides__colour=colour) for colour in (Colour.WHITE, Colour.BLACK))
    seats = Seat.objects.filter(match=OuterRef("pk")).order_by().values("match").annotate(number=Count("pk"))
    return (
        matches.filter(status=MatchStatus.FINISHED, result__final_at__isnull=False)
        .alias(whites=FilteredRelation("sides", condition=white))
        .alias(blacks=FilteredRelation("sides", condition=black))
        .filter(Q(whites__seats__player__isnull=False), Q(blacks__seats__player__isnull=False))
        .annotate(players=Subquery(seats.values("number")))
        .values_list(
            "pk",
            "ref",
            "played_at",
            "length",
            "friendly",
            "result__winner",
            "result__ended",
            "whites__seats__player",
            "blacks__seats__player",
            "players",
        )
    )


def _rated(rows: Iterable[Row]) -> Iterator[Rated]:
    """The rated results. The policy is asked once per kind of match."""
    policy, kinds = RatingPolicy(), dict[tuple[Any, ...], bool]()
    for match, ref, played_at, length, friendly, winner, ended, white, black, players in rows:
        kind = (length, friendly, winner, ended, players)
        rates = kinds.get(kind)
        if rates is None:
            rates = kinds[kind] = policy.unrated_because(_facts(*kind)) is None
        if rates and winner == "white":
            yield Rated(match, ref, played_at, length, white, black)
        elif rates:
            yield Rated(match, ref, played_at, length, black, white)


def _facts(length: int, friendly: bool, winner: str, ended: str, players: int | None) -> MatchFacts:  # noqa: FBT001
    """A final match of this kind. A database constraint keeps players distinct."""
    others = tuple(f"player {number}" for number in range(1, players or 0))
    return MatchFacts(
        length=length,
        players=(("player 0",), others),
        finished=True,
        final=True,
        has_winner=bool(winner),
        ending=Ending(ended) if ended else Ending.PLAYED,
        friendly=friendly,
    )


def first_place(rating_list: RatingList, changed: Mapping[int, Rated | None]) -> LogKey | None:
    """The first place in the log that these matches touch: where they are stored and where they are now."""
    places = {rated.place for rated in changed.values() if rated is not None}
    for some in in_pieces(changed):
        stored = RatingChange.objects.on_list(rating_list).filter(match_id__in=some, won=True)
        places |= set(stored.values_list("played_at", "match_ref"))
    return min(places, default=None)


def links(rating_list: RatingList, since: LogKey) -> Iterator[Link]:
    """Pairs of players in the stored log from a place on, by index-only scan."""
    rows = RatingChange.objects.on_list(rating_list).filter(won=True).since(since)
    ordered = rows.order_by("played_at", "match_ref")
    columns = ordered.values_list("played_at", "match_ref", "match_id", "player_id", "opponent_id")
    return streamed(columns)


def stored_numbers(rating_list: RatingList, matches: Sequence[int]) -> dict[int, Stored]:
    """The numbers of some stored matches, at most ``CHUNK``."""
    if not matches:
        return {}
    rows = RatingChange.objects.on_list(rating_list).filter(match_id__in=matches).order_by("match_id", "won")
    sides = fetched(
        rows.values_list("match_id", "length", "before", "opponent_before", "experience_before", "number")
    )
    found = {}
    for lost, won in zip(sides[::2], sides[1::2], strict=True):
        match, length, before, opponent_before, experience, number = won
        found[match] = Stored(length, before, opponent_before, experience, lost[4], number, lost[5])
    return found


def standings_before(
    rating_list: RatingList, entering: Collection[Rated]
) -> dict[tuple[int, int], RatingStanding]:
    """Stored standings before these matches, by match and player."""
    found = {}
    for some in in_pieces(entering):
        asked = [(each, player) for each in some for player in (each.winner, each.loser)]
        with connection.cursor() as cursor:
            cursor.execute(
                _BEFORE,
                [
                    [each.match for each, _player in asked],
                    [player for _each, player in asked],
                    [each.played_at for each, _player in asked],
                    [each.ref for each, _player in asked],
                    rating_list.pk,
                ],
            )
            for match, player, *standing in cursor.fetchall():
                found[match, player] = RatingStanding(*standing)
    return found


_BEFORE = """
    SELECT asked.match, asked.player, before.after, before.experience_after, before.number, before.played_at
    FROM unnest(%s::bigint[], %s::bigint[], %s::timestamptz[], %s::text[]) AS asked (match, player, at, ref)
    CROSS JOIN LATERAL (
        SELECT after, experience_after, number, played_at
        FROM scoring_ratingchange AS change
        WHERE change.player_id = asked.player AND change.list_id = %s
            AND (change.played_at, change.match_ref) < (asked.at, asked.ref COLLATE "C")
        ORDER BY change.played_at DESC, change.match_ref DESC
        LIMIT 1
    ) AS before
"""


def in_pieces(items: Collection[Item]) -> Iterator[list[Item]]:
    """Split into lists of at most ``CHUNK``."""
    waiting = iter(items)
    while some := list(islice(waiting, CHUNK)):
        yield some
