"""The play on the front page: a real match, and what the play cost."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from django.db.models import Q

from clubs.access import Viewer
from clubs.models import Club
from scoring.analysis.queries.performances import analysed_among, standing_analyses
from scoring.analysis.queries.worst import WorstError, worst_from
from scoring.drawing.board_view import BoardView
from scoring.log.queries.visible import seen_among
from scoring.models import DecisionRow, Match
from scoring.notation.plays import parse_moves
from scoring.templatetags.board import best_arrow, played_arrow
from scoring.theory.decisions import DecisionKind

LOOKED_AT = 8


@dataclass(frozen=True, slots=True)
class ShownPlay:
    """The biggest recent error: its board with both plays as arrows.

    ``cost`` is the normalised equity that the play lost, ``best`` the play that the engine would have made.
    """

    match: Match
    board: BoardView
    player: str
    played: str
    best: str
    cost: float


def shown_play(viewer: Viewer) -> ShownPlay | None:
    """A play for visitors; None without an analysed public match (up to six queries)."""
    public = seen_among(Match.objects.filter(club__in=Club.objects.public()), viewer)
    matches = list(analysed_among(public, viewer).with_players().newest_first()[:LOOKED_AT])
    analyses = standing_analyses(matches, viewer)
    worst = {
        analyses[match.pk].pk: (match, found)
        for match in matches
        if match.pk in analyses and (found := worst_from(analyses[match.pk].summary))
    }
    if not worst:
        return None
    places = reduce(or_, (Q(analysis=pk, event_seq=found.seq) for pk, (_, found) in worst.items()))
    rows = DecisionRow.objects.filter(places, kind=DecisionKind.CHECKER, counted=True)
    shown = (_shown(*worst[row.analysis_id], row) for row in rows.order_by("-error", "pk"))
    return next((play for play in shown if play), None)


def _shown(match: Match, found: WorstError, row: DecisionRow) -> ShownPlay | None:
    if found.board is None or not row.played or not row.candidates:
        return None
    best = row.candidates[0]["action"]
    arrows = (played_arrow(parse_moves(row.played), found.error), best_arrow(parse_moves(best)))
    board = replace(found.board, bottom=found.board.on_roll, arrows=arrows)
    return ShownPlay(match, board, match.side(found.side).name, row.played, best, found.error)
