"""A pairing: its boards, its players, and the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Player
from scoring.codec import from_plain
from scoring.models import Match
from tournaments.core.stages.pairings import Reason
from tournaments.log.queries.penalties import penalties_in
from tournaments.models import Board, EntrantRow, PairingRow, StageEntrant
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
    """The matches of a pairing, in the order of the boards (four queries)."""
    boards = Board.objects.filter(pairing=pairing).order_by("number").values("match")
    matches = Match.objects.filter(pk__in=boards).with_players()
    return list(matches.order_by("board__number"))


def players_of(pairing: PairingRow, boards: Sequence[Match]) -> list[PairingSide]:
    """The one or two entrants with their players, and the points of a match on one board (four queries)."""
    wanted = [pk for pk in (pairing.a_id, pairing.b_id) if pk is not None]
    entrants = EntrantRow.objects.filter(pk__in=wanted).with_players().in_bulk()
    result = getattr(boards[0], "result", None) if len(boards) == 1 else None
    points = (result.white_points, result.black_points) if result else (None, None)
    given = penalties_in(pairing.stage.flight.event, [pairing.ref]).get(pairing.ref, (0, 0))
    found = zip((entrants[pk] for pk in wanted), points, given, strict=False)
    return [
        PairingSide(each, each.title, each.players, each.pk == pairing.winner_id, own, penalty)
        for each, own, penalty in found
    ]


def reasons_of(pairing: PairingRow) -> list[str]:
    """The reasons for this pairing in the reader's language."""
    read: list[Reason] = [from_plain(Reason, reason, "reason") for reason in pairing.reasons]
    wanted = {reason.entrant for reason in read} - {0}
    rows = StageEntrant.objects.filter(stage=pairing.stage_id, number__in=wanted).select_related("entrant")
    names = {
        row.number: row.entrant.title for row in rows.prefetch_related("entrant__members__player__person")
    }
    return [sentence(reason, names.get(reason.entrant, "")) for reason in read]
