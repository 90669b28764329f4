"""Board records of chouette games: their players and the table's log."""

import json
from collections.abc import Mapping

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.engines.chouette_turns import TableMoment
from scoring.log.queries.sheets import numbered
from scoring.models import ChouetteGame, ChouettePlayer, Match, SheetEvent
from scoring.rules.chouette.costs import Seating
from scoring.rules.chouette.events import ChouetteEvent
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.logs import CHOUETTE_LOG
from scoring.rules.sides import Side


def game_of(match: Match) -> ChouetteGame:
    """The chouette's game that a board records, with its table (one query)."""
    rows = ChouetteGame.objects.select_related("chouette__sheet", "chouette__club")
    return rows.get(match=match)


def seating_of(game: ChouetteGame) -> Seating | None:
    """The seating of the game; None if it was undone."""
    state = CHOUETTE_LOG.state_from_plain(json.loads(game.chouette.sheet.state))
    if state.game is not None and state.game.number == game.number:
        return state.game.seating
    return next((each.seating for each in state.games if each.number == game.number), None)


def side_names(match: Match) -> dict[Side, str]:
    """The box, with its partner, and the crew in its order (two queries)."""
    game = game_of(match)
    seating = seating_of(game)
    if seating is None:
        return {Side.WHITE: _("Box"), Side.BLACK: _("Crew")}
    rows = ChouettePlayer.objects.filter(chouette=game.chouette).select_related("player__person")
    names = {row.ref: row.player.name for row in rows}
    partner = () if seating.partner is None else (seating.partner,)
    return {
        Side.WHITE: " / ".join(names[ref] for ref in (seating.box, *partner)),
        Side.BLACK: " / ".join(names[ref] for ref in seating.crew),
    }


def tell_sides(match: Match) -> Match:
    """Give the sides of a board's record the names that they are shown with. Load its sides along."""
    names = side_names(match)
    for side in match.sides.all():
        side.told = names[Side(side.colour)]
    return match


def standing_event(game: ChouetteGame) -> ChouetteEvent | None:
    """The event that stands at the end of a game in the table's log."""
    rows = SheetEvent.objects.filter(Q(seq=game.end_seq) | Q(replaces=game.end_seq))
    row = rows.filter(sheet=game.chouette.sheet_id).order_by("-seq").first()
    return None if row is None else CHOUETTE_LOG.event_from_plain(row.kind, row.body)


def table_record(game: ChouetteGame) -> tuple[Seating, ChouetteOptions, list[TableMoment], Mapping[str, str]]:
    """What the table's log says of the game: who sat where, the rules, its events, who decided for whom.

    An event that was written before the board was there belongs before its first roll.
    """
    log = numbered(CHOUETTE_LOG, game.chouette.sheet)
    before = CHOUETTE_LOG.replay(row.event for row in log if row.seq <= game.begun_seq)
    assert before.game is not None  # noqa: S101 - the event at begun_seq began it
    moments = dict(
        SheetEvent.objects.filter(sheet=game.chouette.sheet_id, moment__isnull=False).values_list(
            "seq", "moment__board_seq"
        )
    )
    end = game.end_seq or log[-1].seq
    found = [
        TableMoment(row.seq, moments.get(row.seq, 1), row.event)
        for row in log
        if game.begun_seq < row.seq <= end
    ]
    return before.game.seating, before.game.options, found, _proxies(before)


def _proxies(state: SessionState) -> dict[str, str]:
    return {seat.player: seat.proxy for seat in state.seats if seat.proxy is not None}
