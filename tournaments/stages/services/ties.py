"""Team matches: boards, line-ups and the outcome."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Player, User
from scoring.log.services.sheets import lock_sheet
from scoring.models import Colour, Match, MatchStatus, Seat
from scoring.rules.endings import Ending
from scoring.sheets.services.openings import reseat
from scoring.sheets.services.results import ResultValue, value_of
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.stage import Stage
from tournaments.core.stages.teams import BoardResult, tie_outcome
from tournaments.events.services.events import require_as_seen
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import Board, EntrantRow, PairingRow, PairingState, StageRow


def outcome_of_tie(
    stage: StageRow, value: Stage, pairing: PairingRow, match: Match, result: ResultValue | None
) -> Outcome | None:
    """The outcome of a team match once every board is in.

    ``match`` counts with ``result`` (None: it has none). A board without a winner (double no-show) is missing
    until a director awards it.
    """
    boards = Board.objects.filter(pairing=pairing).select_related("match__result").order_by("number")
    found = [
        (board.number, result if board.match_id == match.pk else _result(board.match)) for board in boards
    ]
    decided = [
        BoardResult(number, each.winner == Colour.WHITE, each.points)
        for number, each in found
        if each is not None and each.winner
    ]
    outcome = tie_outcome(value.pairings[pairing.number], decided, planned=stage.boards)
    if outcome is None:
        return None
    return replace(outcome, confirmed=all(each.final for _number, each in found if each is not None))


def _result(match: Match) -> ResultValue | None:
    if match.status != MatchStatus.FINISHED:
        return None
    value = value_of(match.result)
    return None if value.ended == Ending.VOID else value


def set_line_up(
    *,
    pairing: PairingRow,
    entrant: EntrantRow,
    players: Sequence[Player],
    user: User | None,
    seen: Sequence[str] | None = None,
) -> None:
    """Set a team's line-up, from board 1, before anything is played.

    Raises DeskRefused for a player who is not in the team or listed twice, for a wrong number of players, for
    a match without this team, and once a board has begun; OvertakenRefused where the line-up is not the one
    ``seen`` (refs of players, from board 1).
    """
    with transaction.atomic():
        boards = list(Board.objects.filter(pairing=pairing).select_related("match__sheet").order_by("number"))
        for board in boards:
            lock_sheet(board.match.sheet_id)
        pairing = PairingRow.objects.select_related("stage__flight__event__club").get(pk=pairing.pk)
        _check_line_up(pairing, entrant, players, boards)
        known = None if seen is None else {"players": list(seen)}
        require_as_seen(known, {"players": line_up_of(pairing, entrant)})
        colour = _colour(pairing, entrant)
        for board, player in zip(boards, players, strict=True):
            reseat(match=board.match, colour=colour, players=[player])
        note(
            event=pairing.stage.flight.event,
            kind="line_up",
            user=user,
            pairing=pairing.ref,
            entrant=entrant.ref,
            about=[player.ref for player in players],
        )


def line_up_of(pairing: PairingRow, entrant: EntrantRow) -> list[str]:
    """Refs of a team's players in a match, from board 1 (one query)."""
    seats = Seat.objects.filter(side__match__board__pairing=pairing, side__colour=_colour(pairing, entrant))
    ordered = seats.order_by("side__match__board__number", "order")
    return list(ordered.values_list("player__ref", flat=True))


def _colour(pairing: PairingRow, entrant: EntrantRow) -> Colour:
    return Colour.WHITE if pairing.a_id == entrant.pk else Colour.BLACK


def _check_line_up(
    pairing: PairingRow, entrant: EntrantRow, players: Sequence[Player], boards: Sequence[Board]
) -> None:
    if pairing.state != PairingState.OPEN or entrant.pk not in {pairing.a_id, pairing.b_id}:
        raise DeskRefused(_("This team has no open match here."), code="no_tie")
    if len(players) != len(boards) or len({player.pk for player in players}) != len(players):
        raise DeskRefused(
            _("Choose %(boards)s different players, starting with board 1.") % {"boards": len(boards)},
            code="line_up",
        )
    own = {player.pk for player in entrant.players}
    stranger = next((player for player in players if player.pk not in own), None)
    if stranger is not None:
        raise DeskRefused(
            _("%(name)s does not play for %(team)s.") % {"name": stranger.name, "team": entrant.title},
            code="not_in_the_team",
        )
    if Board.objects.filter(pairing=pairing, match__sheet__head_seq__gt=1).exists():
        raise DeskRefused(_("A board has started. The line-up can no longer change."), code="begun")
