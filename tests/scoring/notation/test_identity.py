"""The digest of a match: what makes two records one match, told for every kind of event."""

import pytest

from scoring.notation.identity import match_digest_of
from scoring.rules.dice import Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.events import (
    Accepted,
    Doubled,
    GameRecorded,
    MatchEnded,
    MatchStarted,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    PositionSet,
    RefusedResignation,
    Resigned,
    Rolled,
    Ruled,
    ScoreRecorded,
    Taken,
    Voided,
    VoidRoll,
)
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.position import Position
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from tests.scoring.rules.test_any_match import mirrored

START = MatchStarted(5)
OPENING = (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
BOARD = Position.from_points({6: 15}, {5: 15})

SHEETS = [
    (START,),
    (START, *OPENING),
    (START, *OPENING, Doubled()),
    (START, *OPENING, Doubled(), Taken()),
    (START, *OPENING, Doubled(), Passed()),
    (START, *OPENING, Resigned(Side.WHITE, Win.SINGLE)),
    (START, *OPENING, Resigned(Side.BLACK, Win.SINGLE)),
    (START, *OPENING, Resigned(Side.WHITE, Win.GAMMON)),
    (START, *OPENING, Resigned(Side.WHITE, Win.SINGLE), Accepted()),
    (START, *OPENING, Resigned(Side.WHITE, Win.SINGLE), RefusedResignation()),
    (START, *OPENING, PositionSet(BOARD, "wrong set-up")),
    (START, *OPENING, PositionSet(BOARD, "wrong set-up", on_roll=Side.WHITE), Rolled(Roll(6, 1)), Doubled()),
    (START, *OPENING, PositionSet(BOARD, "wrong set-up"), Rolled(Roll(6, 1)), Doubled()),
    (START, OpeningRolled(3, 1), Played((Move(13, 8),), PlayStatus.ILLEGAL_ACCEPTED)),
    (START, OpeningRolled(3, 1), Played((Move(13, 8),), PlayStatus.ILLEGAL_ACCEPTED, BOARD)),
    (START, GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF)),
    (START, GameRecorded(Side.BLACK, Win.SINGLE, 1, GameEnd.BORNE_OFF)),
    (START, GameRecorded(Side.WHITE, Win.GAMMON, 1, GameEnd.BORNE_OFF)),
    (START, GameRecorded(Side.WHITE, Win.SINGLE, 2, GameEnd.BORNE_OFF)),
    (START, ScoreRecorded(5, 3)),
    (START, ScoreRecorded(3, 5)),
    (START, MatchEnded(Ending.TIME, Side.WHITE)),
    (START, MatchEnded(Ending.TIME, Side.BLACK)),
    (START, MatchEnded(Ending.RETIRED, Side.BLACK)),
]


def digest(events, players=("Ana", "Jon"), length=5):
    return match_digest_of(players, length, events)


def test_whatever_was_done_otherwise_makes_another_match():
    found = [digest(events) for events in SHEETS]
    assert len(set(found)) == len(SHEETS)
    assert all(len(one) == 64 for one in found)


@pytest.mark.parametrize("events", SHEETS, ids=lambda events: f"{len(events)}-{events[-1].kind}")
def test_the_columns_may_be_exchanged(events):
    turned = [mirrored(event) for event in events]
    assert digest(turned, ("Jon", "Ana")) == digest(events)


def test_what_does_not_count_as_play_makes_no_other_match():
    plain = (START, *OPENING, Rolled(Roll(6, 1)))
    noted = (
        START, OpeningRolled(2, 2), OPENING[0], Ruled("director", "quiet"), OPENING[1], Voided(),
        Rolled(Roll(5, 5), VoidRoll.COCKED), Rolled(Roll(6, 1)),
    )  # fmt: skip
    assert replay(noted).game == replay(plain).game
    assert digest(noted) == digest(plain)


def test_dice_count_once_they_were_acted_on():
    assert digest((START, OpeningRolled(3, 1))) == digest((START,))
    resigned = Resigned(Side.WHITE, Win.SINGLE)
    assert digest((START, OpeningRolled(3, 1), resigned)) != digest((START, OpeningRolled(4, 1), resigned))


def test_a_hit_counts_whichever_checker_is_told_first():
    hits = (START, OpeningRolled(3, 1), Played((Move(6, 3), Move(24, 23))), Rolled(Roll(2, 1)))
    one = digest((*hits, Played((Move(24, 22), Move(23, 22)))))
    two = digest((*hits, Played((Move(24, 23), Move(24, 22)))))
    assert one != two


def test_names_are_told_apart_and_written_alike():
    events = (START, *OPENING)
    assert digest(events, ("ANA ", "Ｊon")) == digest(events)
    assert digest(events, ("Ana", "Eva")) != digest(events)
    assert digest(events, length=7) != digest(events)
