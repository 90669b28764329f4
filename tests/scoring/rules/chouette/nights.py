"""Tables of a chouette for tests: players named by their places, 100 minor units a point."""

from scoring.rules.chouette.events import (
    ChouetteEvent,
    GameBegun,
    GameOver,
    Joined,
    PlacesAgreed,
    SessionStarted,
)
from scoring.rules.chouette.game_state import TableGame
from scoring.rules.chouette.options import ChouetteOptions, Extras
from scoring.rules.chouette.session import apply_event, replay_session
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.match import Win

FREE = ChouetteOptions(settlements=True, extras=Extras.OPTIONAL, raccoons=True)
NAMES = ("box", "cap", "two", "three", "four", "five", "six")
ALL = ("cap", "two", "three")


def night(count: int = 4, options: ChouetteOptions = FREE, *more: ChouetteEvent) -> SessionState:
    """So many players at a table, in the order of their names, and what happened then."""
    names = NAMES[:count]
    log: list[ChouetteEvent] = [SessionStarted(options), *(Joined(name, 100) for name in names)]
    places = [PlacesAgreed(names)] if names else []
    return then(replay_session([*log, *places]), *more)


def game(count: int = 4, options: ChouetteOptions = FREE, *more: ChouetteEvent) -> SessionState:
    """The first game of such a night, and what happened in it."""
    return night(count, options, GameBegun(), *more)


def then(state: SessionState, *log: ChouetteEvent) -> SessionState:
    for event in log:
        state = apply_event(state, event)
    return state


def wins(*, box: bool, win: Win = Win.SINGLE) -> GameOver:
    return GameOver(box_won=box, win=win)


def on(state: SessionState) -> TableGame:
    """The game that is on."""
    assert state.game is not None
    return state.game
