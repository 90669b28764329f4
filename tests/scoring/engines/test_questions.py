"""A scoresheet's questions: gammonview's own for real matches, and the rules' for what files never hold."""

from dataclasses import replace

import pytest

from scoring.engines.checks import check_request
from scoring.engines.questions import request_for
from scoring.engines.requests import CheckerQuestion, CubeOwner, CubeQuestion, Response
from scoring.notation.formats import read_match
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction
from scoring.rules.events import (
    Beavered,
    Doubled,
    DoubleStatus,
    GameRecorded,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    PositionSet,
    Resigned,
    Rolled,
    Ruled,
    Taken,
    VoidRoll,
)
from scoring.rules.match import Win
from scoring.rules.options import RuleOptions
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side
from tests.scoring.engines.sources import gammonview_questions
from tests.shared_data import shared_files

OPENING = (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
REPLY = (Rolled(Roll(4, 2)), Played((Move(8, 4), Move(6, 4))))


def questions(*events, length=7, options=None, refs=None):
    start = MatchStarted(length) if options is None else MatchStarted(length, options)
    return request_for((start, *events), preset="fast", refs=refs).questions


def without_places(question, *, turned=False):
    """The question without what only its source numbers, and with sorted dice."""
    values = {"ref": "", "ply": 0, "side": question.side.other if turned else question.side}
    if isinstance(question, CheckerQuestion):
        return replace(question, dice=(min(question.dice), max(question.dice)), **values)
    return replace(question, response_ref="", response_ply=0, **values)


@pytest.mark.parametrize("path", shared_files("matches/*.[tm][xa]t"))
def test_real_matches_ask_what_gammonview_asks_itself(path):
    data = path.read_bytes()
    record = read_match(data)
    request = request_for(record.events, preset="fast")
    check_request(request)
    theirs, white, _ = gammonview_questions(data.decode("utf-8-sig"))
    turned = white != record.players[0]
    expected = [without_places(q, turned=turned) for q in theirs]
    if record.length == 0:
        # gammonview believes the file's 16 points; it is an unlimited game
        expected = [replace(q, situation=replace(q.situation, own_away=0, opponent_away=0)) for q in expected]
    assert [without_places(q) for q in request.questions] == expected
    assert request.left_out == ()


def test_refs_are_event_numbers_or_the_callers():
    assert [q.ref for q in questions(*OPENING, *REPLY)] == ["3", "4", "5"]
    named = questions(*OPENING, *REPLY, refs=["a", "b", "c", "d", "e"])
    assert [q.ref for q in named] == ["c", "d", "e"]


def test_nobody_decides_about_the_cube_on_the_first_turn():
    (play,) = questions(*OPENING)
    assert isinstance(play, CheckerQuestion)
    assert (play.side, play.dice, play.legal, play.situation.owner) == (
        Side.WHITE,
        (3, 1),
        True,
        CubeOwner.CENTRED,
    )
    assert (play.situation.own_away, play.situation.opponent_away) == (7, 7)


def test_a_roll_without_a_double_is_a_decision():
    _, cube, play = questions(*OPENING, *REPLY)
    assert isinstance(cube, CubeQuestion)
    assert (cube.side, cube.doubled, cube.response) == (Side.BLACK, False, None)
    assert cube.situation == play.situation


@pytest.mark.parametrize(
    ("answer", "response"), [(Taken(), Response.TAKE), (Passed(), Response.PASS), (Ruled("d", "ok"), None)]
)
def test_a_double_and_its_answer_are_one_question(answer, response):
    _, cube = questions(*OPENING, Doubled(), answer)
    assert (cube.doubled, cube.response) == (True, response)
    assert cube.response_ref == ("" if response is None else "5")
    assert cube.response_ply == (0 if response is None else cube.ply + 1)


def test_after_a_take_the_roll_is_no_cube_decision_and_the_taker_owns_the_cube():
    *_, play = questions(*OPENING, Doubled(), Taken(), *REPLY)
    assert (play.side, play.situation.cube, play.situation.owner) == (Side.BLACK, 2, CubeOwner.OPPONENT)


def test_a_beaver_is_an_answer():
    money = RuleOptions(jacoby=False, beavers=True)
    _, cube = questions(*OPENING, Doubled(), Beavered(), length=0, options=money)
    assert cube.response is Response.BEAVER
    assert (cube.situation.own_away, cube.situation.opponent_away) == (0, 0)
    request = request_for((MatchStarted(0, money),), preset="fast")
    assert (request.jacoby, request.beavers) == (False, True)


def test_there_is_no_cube_in_the_crawford_game_and_no_dead_one():
    to_crawford = GameRecorded(Side.WHITE, Win.GAMMON, 2, GameEnd.BORNE_OFF)
    asked = questions(to_crawford, *OPENING, *REPLY, length=5)
    assert [type(q) for q in asked] == [CheckerQuestion, CheckerQuestion]
    assert all(q.situation.crawford and q.game == 2 for q in asked)
    assert [type(q) for q in questions(*OPENING, *REPLY, length=1)] == [CheckerQuestion, CheckerQuestion]


def test_void_doubles_and_rolls_are_no_decisions():
    events = (Doubled(DoubleStatus.VOID_AFTER_ROLL),)
    opening_roll, play = OPENING
    assert len(questions(opening_roll, *events, play)) == 1
    asked = questions(*OPENING, Rolled(Roll(6, 6), VoidRoll.COCKED), *REPLY)
    assert [type(q) for q in asked] == [CheckerQuestion, CubeQuestion, CheckerQuestion]


def test_a_play_that_was_taken_back_is_not_asked_about():
    wrong = Played((Move(6, 1),), PlayStatus.ILLEGAL_CORRECTED)
    opening_roll, play = OPENING
    assert len(questions(opening_roll, wrong, play)) == 1


def test_an_accepted_illegal_play_is_marked():
    result = Position.from_points({24: 2, 13: 4, 8: 3, 6: 5, 3: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
    opening_roll, _ = OPENING
    (play,) = questions(opening_roll, Played((Move(13, 3),), PlayStatus.ILLEGAL_ACCEPTED, result))
    assert (play.legal, play.played) == (False, result.key)


def test_a_play_that_no_engine_can_be_told_is_named():
    fewer = Position.from_points({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 4})
    opening_roll, _ = OPENING
    events = (MatchStarted(7), opening_roll, Played((), PlayStatus.ILLEGAL_ACCEPTED, fewer))
    request = request_for(events, preset="fast")
    assert (request.questions, request.left_out) == ((), ("3",))


def test_a_closed_out_player_who_does_not_roll_still_leaves_the_cube():
    shut = Position.from_points({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
    state = PositionSet(shut, "a test", on_roll=Side.WHITE)
    asked = questions(*OPENING, *REPLY, state, NotRolled())
    assert isinstance(asked[-1], CubeQuestion)
    assert asked[-1].situation.position == shut.key


def test_resigning_after_a_roll_leaves_only_the_cube():
    asked = questions(*OPENING, Rolled(Roll(4, 2)), Resigned(Side.BLACK, Win.SINGLE))
    assert [type(q) for q in asked] == [CheckerQuestion, CubeQuestion]


def test_games_and_plies_are_numbered():
    asked = questions(*OPENING, Doubled(), Passed(), *OPENING)
    assert [(q.game, q.ply) for q in asked] == [(1, 2), (1, 3), (2, 2)]
    assert STARTING_POSITION.key == asked[-1].situation.position


@pytest.mark.parametrize("events", [(), OPENING])
def test_a_scoresheet_begins_with_its_start(events):
    with pytest.raises(IllegalAction):
        request_for(events, preset="fast")
