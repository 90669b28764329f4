"""A scoresheet step by step: one stop for a roll with its play, one for everything else."""

import pytest

from scoring.notation.transcript import step_of_entries, transcript
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.events import (
    Accepted,
    Doubled,
    MatchStarted,
    OpeningRolled,
    Passed,
    PenaltyGiven,
    Played,
    PlayStatus,
    Resigned,
    Rolled,
    Taken,
    Voided,
)
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from tests.scoring.rules.sheets import BLACK, WHITE, game

START = MatchStarted(3)
OPENING = (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))


def steps(*events):
    """The log is numbered from 1, as its rows are."""
    return transcript(enumerate(events, start=1))


def test_a_roll_and_its_play_are_one_step():
    found = steps(START, *OPENING, Rolled(Roll(6, 4)), Played((Move(24, 18), Move(18, 14))))
    assert [(one.number, one.roll_seq, one.seq, one.side, one.play) for one in found] == [
        (1, 2, 3, WHITE, "8/5 6/5"),
        (2, 4, 5, BLACK, "24/14"),
    ]
    assert [one.roll for one in found] == [Roll(3, 1), Roll(6, 4)]
    assert found[0].after is not None
    assert found[0].after.own[5] == 2
    assert found[1].after is not None
    assert found[1].after.own[14] == 1  # seen by Black, who moved
    assert (found[1].kind, found[1].status, found[1].game) == ("play", PlayStatus.LEGAL, 1)


def test_an_entry_belongs_to_the_step_of_its_play():
    assert step_of_entries(steps(START, *OPENING, Doubled(), Taken())) == {2: 1, 3: 1, 4: 2, 5: 3}


def test_a_roll_that_waits_for_its_play_is_no_step_yet():
    assert len(steps(START, *OPENING, Rolled(Roll(6, 4)))) == 1
    assert steps(START) == ()
    assert steps() == ()


def test_cube_actions_are_steps_of_who_acted():
    found = steps(START, *OPENING, Doubled(), Taken())
    assert [(one.kind, one.side, one.roll, one.play) for one in found[1:]] == [
        ("double", BLACK, None, ""),
        ("take", WHITE, None, ""),
    ]
    assert found[1].before.cube.value == 1
    assert found[2].event == Taken()
    assert found[2].after is None


def test_the_step_that_ends_a_game_tells_its_outcome_and_score():
    found = steps(START, *OPENING, Doubled(), Passed(), game(WHITE))
    ended = found[2]
    assert ended.outcome is not None
    assert (ended.outcome.winner, ended.outcome.ended, str(ended.final)) == (BLACK, GameEnd.PASS, "0-1")
    assert [one.final is None for one in found] == [True, True, False, False]
    assert [one.game for one in found] == [1, 1, 1, 2]
    assert [str(one.score) for one in found] == ["0-0", "0-0", "0-0", "0-1"]


def test_a_resignation_is_a_step_of_who_resigned_and_its_answer_of_the_other():
    found = steps(START, *OPENING, Resigned(WHITE, Win.SINGLE), Accepted())
    assert [(one.kind, one.side) for one in found[1:]] == [("resign", WHITE), ("accept", BLACK)]


def test_what_happens_to_a_match_before_its_first_roll_is_nobody_s():
    (penalty,) = steps(START, PenaltyGiven(Side.WHITE, 1))
    assert (penalty.kind, penalty.side, penalty.before.on_roll) == ("penalty", None, None)


def test_a_log_without_its_start_is_a_mistake_of_the_caller():
    with pytest.raises(TypeError, match="begins with the start"):
        steps(*OPENING)


def test_an_entry_that_was_undone_is_no_step():
    assert steps(START, *OPENING, Voided()) == steps(START, *OPENING)
