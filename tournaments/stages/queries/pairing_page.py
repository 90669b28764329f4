"""A pairing: its boards, its players, and the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Player
from clubs.models.columns import read
from scoring.codec import from_plain
from scoring.models import Match
from tournaments.core.stages.pairings import Reason
from tournaments.events.queries.entrant_rows import (
    ENTRANT,
    PLAYERS_OF_ENTRANTS,
    SELECT_ENTRANTS,
    with_their_players,
)
from tournaments.log.queries.penalties import penalties_in
from tournaments.models import EntrantRow, PairingRow, StageEntrant
from tournaments.words.reasons import sentence


@dataclass(frozen=True, slots=True)
class PairingSide:
    """One entrant of a pairing and the players behind it."""

    entrant: EntrantRow
    title: str
    players: Sequence[Player]
    won: bool
    points: int | None
    penalties: int = 0
    """Penalty points that this side was given at the desk."""


def boards_of(pairing: PairingRow) -> list[Match]:
    """The matches of a pairing with their results, in the order of the boards (one query)."""
    matches = Match.objects.filter(board__pairing=pairing).select_related("result")
    return list(matches.order_by("board__number"))


@dataclass(frozen=True, slots=True)
class PairingNames:
    """The two sides of a pairing and, in the reader's language, the reasons for it."""

    sides: list[PairingSide]
    reasons: list[str]


def names_of(pairing: PairingRow, boards: Sequence[Match]) -> PairingNames:
    """The one or two entrants with their players, and whom the reasons are about (two queries).

    The sides have the points of a match on one board. A bracket is the only reason for its own pairings.
    """
    reasons: list[Reason] = []
    if not pairing.stage.is_bracket:
        reasons = [from_plain(Reason, each, "reason") for each in pairing.reasons]
    sides = [pk for pk in (pairing.a_id, pairing.b_id) if pk is not None]
    asked = [pairing.stage_id, sides, [reason.entrant for reason in reasons]]
    rows = list(read(_NAMED, asked, *ENTRANT))
    entrants = with_their_players(row[:-1] for row in rows)
    numbered = {row[-1]: entrants[row[0].pk].title for row in rows}
    return PairingNames(
        _sides(pairing, [entrants[pk] for pk in sides], boards),
        [sentence(reason, numbered.get(reason.entrant, "")) for reason in reasons],
    )


def _sides(pairing: PairingRow, entrants: Sequence[EntrantRow], boards: Sequence[Match]) -> list[PairingSide]:
    result = getattr(boards[0], "result", None) if len(boards) == 1 else None
    points = (result.white_points, result.black_points) if result else (None, None)
    given = penalties_in(pairing.stage.flight.event, [pairing.ref]).get(pairing.ref, (0, 0))
    return [
        PairingSide(each, each.title, each.players, each.pk == pairing.winner_id, own, penalty)
        for each, own, penalty in zip(entrants, points, given, strict=False)
    ]


_NAMED = f"""
    {SELECT_ENTRANTS}, numbered.number
    FROM {EntrantRow._meta.db_table} AS entrant
        LEFT JOIN {StageEntrant._meta.db_table} AS numbered
            ON numbered.entrant_id = entrant.id AND numbered.stage_id = %s
        {PLAYERS_OF_ENTRANTS}
    WHERE entrant.id = ANY(%s) OR numbered.number = ANY(%s)
    ORDER BY entrant.id, member.position, member.id
"""
