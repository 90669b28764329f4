"""Short ways to write scoresheets in tests."""

from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.events import GameRecorded, MatchStarted, OpeningRolled, Played, PositionSet, Rolled
from scoring.rules.match import Win
from scoring.rules.options import RuleOptions
from scoring.rules.plays import legal_plays
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin
from scoring.rules.sides import Side

WHITE, BLACK = Side.WHITE, Side.BLACK
SINGLE, GAMMON, BACKGAMMON = Win.SINGLE, Win.GAMMON, Win.BACKGAMMON


def started(length=7, white=0, black=0, **options):
    """A match or money session before its first game."""
    return begin(MatchStarted(length, RuleOptions(**options), white, black))


def after(state, *events):
    """``state`` with ``events`` applied."""
    for event in events:
        state = apply(state, event)
    return state


def any_play(state):
    """The first legal play of the roll."""
    game = state.game
    plays = legal_plays(game.seen_by(game.player), game.roll)
    return Played(plays[0].moves if plays else ())


def white_to_roll(state):
    """The first game after an opening roll and play by Black: White must roll or double."""
    state = apply(state, OpeningRolled(1, 3))
    return apply(state, any_play(state))


def rolled(state, dice):
    """One more roll and the first legal play."""
    state = apply(state, Rolled(Roll.parse(dice)))
    return apply(state, any_play(state))


def board(white, black, **more):
    """An event that puts the checkers where each side counts them."""
    return PositionSet(Position.from_points(white, black), "test", **more)


def game(winner, win=SINGLE, cube=1, ended=GameEnd.BORNE_OFF):
    """A recorded game."""
    return GameRecorded(winner, win, cube, ended)
