"""Recording a chouette game on a scoresheet.

Rolls and plays there, cubes at the table.

The box is White, the crew Black. The record is an unrated match without players or result: the table's
ledger has the points. The game ends on the board and at the table in one transaction, and undoing one undoes
the other. Locks are taken in the order chouette's sheet, chouette, board's sheet, match (``lock_match``
takes the first).
"""

from django.db import transaction

from clubs.live.topics import publish
from scoring.chouettes.services.board_ends import end_record, over_at
from scoring.chouettes.services.chouettes import (
    append_entries,
    lock_table,
    refuse_phones_at_closed,
    table_state,
)
from scoring.chouettes.services.corrections import replace_events
from scoring.log.queries.boards import game_of
from scoring.log.queries.sheets import numbered
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import begin_sheets
from scoring.models import Chouette, ChouetteGame, Colour, Match, MatchStatus, Sheet, SheetEvent, SideRow
from scoring.rules.chouette.events import ChouetteEvent, GameOver, Nothing
from scoring.rules.errors import IllegalAction
from scoring.rules.events import MatchStarted
from scoring.rules.logs import CHOUETTE_LOG
from scoring.rules.match_state import MatchState, Status
from scoring.rules.options import RuleOptions
from scoring.rules.sheet import begin
from scoring.sheets.services.entries import Entry, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused, put_in_place
from scoring.sheets.services.results import status_in

# The table has the cubes, and applies Jacoby to each.
BOARD = RuleOptions(cube=False, jacoby=False, beavers=False, raccoons=False, automatic_doubles=0)
KEY = "board~"


def open_board(*, chouette: Chouette, author: Author) -> Match:
    """The board record of the current game, created on first use.

    Cubes turned before count as before the first roll. Raises EntryRefused without a game.
    """
    with transaction.atomic():
        table = lock_table(chouette)
        refuse_phones_at_closed(table, author)
        state = table_state(table.sheet)
        if state.game is None:
            raise EntryRefused(0, IllegalAction("no_game", "no game is in progress"))
        game = ChouetteGame.objects.select_related("match").get(chouette=table, number=state.game.number)
        if game.match is None:
            game.match = _begin(table, author)
            game.save(update_fields=["match"])
            # Not in the log, but every phone at the table can open the board now.
            table.version += 1
            table.save(update_fields=["version"])
            publish(table.ref, table.version)
    return game.match


def _begin(table: Chouette, author: Author) -> Match:
    start = MatchStarted(0, BOARD)
    sheet = Sheet(club=table.club, opened_by=author.user)
    begin_sheets(sheets=[sheet], events=[start], states=[begin(start)], user=author.user, claim=author.claim)
    match = Match.objects.create(
        club=table.club,
        sheet=sheet,
        length=0,
        status=MatchStatus.PLAYING,
        friendly=True,
        in_chouette=True,
    )
    SideRow.objects.bulk_create(SideRow(match=match, colour=colour) for colour in Colour)
    return match


def follow_board(*, match: Match, state: MatchState, author: Author) -> None:
    """Apply a change of the board record to its match and to the game at the table.

    The caller has locked both sheets and the match. Raises EntryRefused where the two would disagree.
    """
    match.status = status_in(state)
    match.version += 1
    match.save(update_fields=["status", "version"])
    game = game_of(match)
    refuse_phones_at_closed(game.chouette, author)
    goes_on = game.number is not None and game.end_seq is None
    if goes_on:
        _game_goes_on(game, match, state, author)
    elif game.number is None or _ended_at_table(game):
        _stays_as_it_ended(state)
    else:
        _board_ended_it(game, state, author)


def _game_goes_on(game: ChouetteGame, match: Match, state: MatchState, author: Author) -> None:
    if not state.games:
        if state.status is Status.OVER:
            raise _refused("table_ends", "a chouette game ends at the table: end it there")
        return
    if state.status is not Status.OVER:
        end_record(match, author)
    table = lock_table(game.chouette)
    over: Entry[ChouetteEvent] = Entry(f"{KEY}{match.ref}-{match.sheet.head_seq}", over_at(state.games[-1]))
    append_entries(table, author, [over])


def _ended_at_table(game: ChouetteGame) -> bool:
    """Whether the game's end was recorded at the table."""
    if game.end_seq is None:
        return False
    ended = SheetEvent.objects.get(sheet=game.chouette.sheet_id, seq=game.end_seq)
    return not ended.client_key.startswith(KEY)


def _stays_as_it_ended(state: MatchState) -> None:
    """Refuse a different result on the board; plays can still be corrected."""
    if state.games or state.status is not Status.OVER:
        raise _refused("table_ended_it", "this game was ended at the table: undo that there")


def _board_ended_it(game: ChouetteGame, state: MatchState, author: Author) -> None:
    """Correct or undo the game's end at the table, as on the board."""
    if bool(state.games) != (state.status is Status.OVER):
        raise _refused("take_back_the_end", "this no longer ends the game: undo the end on the board first")
    table = lock_table(game.chouette)
    event: ChouetteEvent = over_at(state.games[-1]) if state.games else Nothing()
    log = numbered(CHOUETTE_LOG, table.sheet)
    assert game.end_seq is not None  # noqa: S101 - it has ended
    standing = next(row.event for row in log if row.seq == game.end_seq)
    if standing == event or not isinstance(standing, GameOver):
        return
    try:
        new = put_in_place(CHOUETTE_LOG, log, game.end_seq, event, cut=False)
    except CorrectionRefused as misfit:
        raise _refused(
            "table_went_on", "the table has moved on: undo the later entries there first"
        ) from misfit
    replace_events(table, author, log, new, [f"{KEY}{table.sheet.head_seq}"], reason="")


def _refused(code: str, text: str) -> EntryRefused:
    return EntryRefused(0, IllegalAction(code, text))
