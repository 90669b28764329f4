"""Ending and reopening the board record of a chouette game with the game.

Locks are taken in one order: the chouette's sheet, the chouette, the board's sheet, its match.
"""

from collections.abc import Iterable

from clubs.live.topics import publish
from clubs.models import WorkStatus
from scoring.log.queries.boards import standing_event
from scoring.log.queries.sheets import events_of
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import append_events, lock_match, state_of
from scoring.models import Analysis, Chouette, ChouetteGame, Match, MatchStatus, Sheet
from scoring.rules.chouette.events import GameOver
from scoring.rules.endings import Ending
from scoring.rules.errors import IllegalAction
from scoring.rules.events import Event, MatchEnded, Voided
from scoring.rules.logs import MATCH_LOG
from scoring.rules.match_state import FinishedGame, MatchState
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import last_standing
from scoring.sheets.services.entries import EntryRefused
from scoring.signals import record_over

ALIVE = (WorkStatus.QUEUED, WorkStatus.RUNNING, WorkStatus.DONE)


def over_at(finished: FinishedGame) -> GameOver:
    """The table's event for a game that ended on the board; the box is White."""
    outcome = finished.outcome
    return GameOver(outcome.winner is Side.WHITE, outcome.win, outcome.ended)


def follow_table(*, table: Chouette, author: Author, corrected: Iterable[int] = ()) -> None:
    """Close the board records of finished games, and reopen those of games resumed.

    ``corrected`` are the changed seqs of the table's log: analyses of their games and of later ones, whose
    seats may differ now, are discarded. Call it with the table locked, after writing its rows. Raises
    EntryRefused if the board's record disagrees.
    """
    places = tuple(corrected)
    for game in ChouetteGame.objects.filter(chouette=table, match__isnull=False).select_related("match"):
        assert game.match is not None  # noqa: S101 - the filter says so
        goes_on = game.number is not None and game.end_seq is None
        # First, so that analyses requested below are kept.
        forgotten = any(seq <= (game.end_seq or seq) for seq in places) and _forget_analyses(game.match)
        if goes_on != (game.match.status == MatchStatus.PLAYING):
            sheet, match = lock_match(game.match)
            change = _reopen if goes_on else _close
            change(game, sheet, match, author)
        elif not goes_on and places:
            _check_end(game, game.match)
            if forgotten and game.number is not None:
                record_over.send(sender=Match, match=game.match)


def end_record(match: Match, author: Author, reason: Ending = Ending.AGREED) -> None:
    """Close a board record. The caller has locked the sheet and the match."""
    state = MATCH_LOG.apply(state_of(match.sheet), MatchEnded(reason))
    _append(match.sheet, author, MatchEnded(reason), state)
    _set_status(match, MatchStatus.VOID if reason is Ending.VOID else MatchStatus.FINISHED)


def _close(game: ChouetteGame, _sheet: Sheet, match: Match, author: Author) -> None:
    end_record(match, author, Ending.VOID if game.number is None else Ending.AGREED)
    record_over.send(sender=Match, match=match)


def _reopen(_game: ChouetteGame, sheet: Sheet, match: Match, author: Author) -> None:
    if state_of(sheet).games:
        refused = IllegalAction("board_ended_it", "this game ended on the board: undo its last play there")
        raise EntryRefused(0, refused)
    log = events_of(sheet)
    end = last_standing(log)[0]
    rest = (Voided() if row.seq == end.seq else row.event for row in log)
    _append(sheet, author, Voided(), MATCH_LOG.replay(rest), replaces=end.seq)
    _set_status(match, MatchStatus.PLAYING)


def _check_end(game: ChouetteGame, match: Match) -> None:
    """Refuse another result for a game that ended on the board."""
    state = state_of(match.sheet)
    if game.number is None or not state.games:
        return
    event = standing_event(game)
    if isinstance(event, GameOver) and event != over_at(state.games[-1]):
        refused = IllegalAction("board_says", "this game ended on the board: correct the result there")
        raise EntryRefused(0, refused)


def _append(
    sheet: Sheet, author: Author, event: Event, state: MatchState, *, replaces: int | None = None
) -> None:
    append_events(
        sheet=sheet,
        events=[event],
        state=state,
        user=author.user,
        claim=author.claim,
        client_keys=[f"table~{sheet.head_seq + 1}"],
        replaces=[replaces],
    )


def _set_status(match: Match, status: MatchStatus) -> None:
    match.status = status
    match.version += 1
    match.save(update_fields=["status", "version"])
    publish(match.ref, match.version)


def _forget_analyses(match: Match) -> bool:
    """Discard a match's analyses, made with other cubes; whether there were any."""
    forgotten = Analysis.objects.filter(match=match, status__in=ALIVE).update(
        status=WorkStatus.FAILED, lease_until=None, error="corrected: the cubes were corrected at the table"
    )
    return forgotten > 0
