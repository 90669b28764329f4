"""Refuse entries the rules allow: impossible scores, director-only events.

The rules engine also replays what files tell of matches long past; on a live sheet a game cannot be worth
more than the board allows, and what only a director decides is only a director's to enter.
"""

from scoring.log.queries.writers import Author
from scoring.models import Sheet
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import IllegalAction, ScoringError
from scoring.rules.events import (
    Event,
    GameRecorded,
    LengthSet,
    MatchEnded,
    MatchStarted,
    PenaltyGiven,
    PositionSet,
    Resigned,
    Ruled,
    Voided,
)
from scoring.rules.game import GameState, Phase
from scoring.rules.match import Win
from scoring.rules.match_state import MatchState
from scoring.rules.position import OFF
from scoring.rules.refusals import WORDS
from scoring.rules.sides import Side

_DIRECTED_ENDS = frozenset({Ending.WITHDRAWN, Ending.DISQUALIFIED, Ending.PENALTY, Ending.VOID})


def refuse_entry(sheet: Sheet, state: MatchState, event: Event, author: Author) -> None:
    """Raise IllegalAction for an event this author cannot enter in this state."""
    refused = _out_of_place(event) or _for_directors(sheet, event, author) or impossible_score(state, event)
    if refused is not None:
        raise refused


def _out_of_place(event: Event) -> ScoringError | None:
    if isinstance(event, Voided | MatchStarted):
        return IllegalAction(
            "not_an_entry", "{kind} cannot be entered: undo the event instead", kind=event.kind
        )
    return None


def is_directors(sheet: Sheet, event: Event) -> bool:
    """Whether only directors can enter or remove the event on this sheet.

    The length of an event's match is the event's; elsewhere the players correct what they agreed on.
    """
    if isinstance(event, MatchEnded):
        return event.reason in _DIRECTED_ENDS
    return isinstance(event, PenaltyGiven | Ruled) or (isinstance(event, LengthSet) and sheet.directed)


def _for_directors(sheet: Sheet, event: Event, author: Author) -> ScoringError | None:
    if is_directors(sheet, event) and not author.directs:
        return IllegalAction("for_directors", "only directors can enter this: {kind}", kind=event.kind)
    return None


def impossible_score(state: MatchState, event: Event) -> ScoringError | None:
    """Why a result the rules would accept is impossible; None if it is possible.

    A side that has borne off a checker in the game on the board loses a single, nobody bears off while the
    cube is offered, and a double that is passed is won by the doubler.
    """
    if isinstance(event, Resigned):
        return _too_much(state.game, event.by, event.level)
    if isinstance(event, GameRecorded):
        return _too_much(state.game, event.winner.other, event.win) or _offer_left_open(state.game, event)
    if isinstance(event, PositionSet) and event.position.irregular and not event.reason.strip():
        return IllegalAction("irregular", WORDS["irregular"])
    return None


def _too_much(game: GameState, loser: Side, win: Win) -> ScoringError | None:
    if win is Win.SINGLE or not game.seen_by(loser).own[OFF]:
        return None
    return IllegalAction(
        "has_borne_off",
        WORDS["has_borne_off"],
        side=loser.value,
        win=win.name.lower(),
    )


def _offer_left_open(game: GameState, event: GameRecorded) -> ScoringError | None:
    if game.phase is not Phase.OFFERED or game.on_roll is None:
        if game.phase in {Phase.BEAVERED, Phase.RACCOONED} and event.ended is GameEnd.BORNE_OFF:
            return IllegalAction("offer_open", WORDS["offer_open"])
        return None
    if event.ended is GameEnd.BORNE_OFF:
        return IllegalAction("offer_open", WORDS["offer_open"])
    if event.ended is GameEnd.PASS and (event.winner, event.cube) != (game.on_roll, game.cube.value):
        return IllegalAction(
            "pass_pays_doubler",
            WORDS["pass_pays_doubler"],
            side=game.on_roll.value,
            cube=game.cube.value,
        )
    return None
