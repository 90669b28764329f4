"""Positions on their own: one form for each question, and refusals that name the value."""

from dataclasses import replace

import pytest

from scoring.engines.asked import (
    SCORES,
    Asked,
    CannotAnalyse,
    Wanted,
    asked_from,
    asked_of,
    by_score,
    request_of,
)
from scoring.engines.requests import CheckerQuestion, CubeOwner, CubeQuestion
from scoring.notation.xgid import decode_xgid
from scoring.rules.sides import Side

OPENING = "-b----E-C---eE---c-e----B-"
RACE = "-ABBCCD------------edcba--"


def asked(text: str) -> Asked:
    return asked_of(decode_xgid(text))


def test_a_roll_asks_for_the_play_and_none_for_the_cube() -> None:
    play, cube = asked(f"{OPENING}:0:0:1:31:0:0:3:0:10"), asked(f"{OPENING}:0:0:1:00:0:0:3:0:10")
    assert (play.wanted, play.dice, play.jacoby, play.beavers) == (Wanted.PLAY, (3, 1), True, True)
    assert (cube.wanted, cube.dice) == (Wanted.CUBE, None)
    [question] = request_of(play, preset="fast").questions
    assert isinstance(question, CheckerQuestion)
    assert question.played == ""
    [question] = request_of(cube, preset="fast").questions
    assert isinstance(question, CubeQuestion)
    assert not question.doubled


def test_the_same_question_has_one_digest_whoever_is_at_the_bottom() -> None:
    seen = decode_xgid(f"{RACE}:1:1:1:52:2:3:0:7:10")
    turned = replace(
        seen,
        position=seen.position.flipped(),
        turn=Side.BLACK,
        cube=replace(seen.cube, owner=Side.BLACK),
        white=3,
        black=2,
    )
    assert asked_of(seen) == asked_of(turned)
    assert asked_of(seen).digest == asked_of(turned).digest
    assert asked_of(seen).situation.owner is CubeOwner.OWN
    others = {asked(f"{RACE}:1:1:1:51:2:3:0:7:10").digest, asked(f"{RACE}:1:1:1:52:2:3:0:9:10").digest}
    assert asked_of(seen).digest not in others
    # The length of a match matters only by what is left of it.
    assert asked_of(seen).digest == asked(f"{RACE}:1:1:1:52:4:5:0:9:10").digest


def test_a_question_comes_back_from_its_plain_form() -> None:
    value = asked(f"{OPENING}:0:0:1:31:0:0:3:0:10")
    assert asked_from(value.plain) == value


def test_a_double_that_waits_asks_for_the_cube_action() -> None:
    assert asked(f"{RACE}:0:0:1:D:2:3:0:7:10") == asked(f"{RACE}:0:0:1:00:2:3:0:7:10")


def test_the_cube_action_at_every_score_is_one_request() -> None:
    request = request_of(by_score(decode_xgid(f"{RACE}:0:0:1:52:0:0:1:7:10")), preset="fast")
    scores = [(each.situation.own_away, each.situation.opponent_away) for each in request.questions]
    assert scores == [(own, opponent) for own in SCORES for opponent in SCORES]
    assert len({each.ref for each in request.questions}) == 36


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("-------------------edcba--:0:0:1:00:0:0:0:0:10", "borne_off", "White has borne off"),
        ("aBBBBBB------------bbbbbbA:0:0:1:21:0:0:0:0:10", "closed_out", "closed boards"),
        (f"{RACE}:0:0:1:B:0:0:3:0:10", "beaver", "beaver"),
        (f"{RACE}:12:0:1:00:0:0:0:0:12", "cube", "4096"),
        (f"{RACE}:1:0:1:00:0:0:0:7:10", "centred", "not 2"),
        (f"{RACE}:1:-1:1:00:0:0:0:7:10", "no_access", "Black owns the cube"),
        (f"{RACE}:0:0:1:00:6:3:1:7:10", "crawford_cube", "Crawford"),
        (f"{RACE}:0:0:1:00:2:3:1:7:10", "crawford", "2–3 in a match to 7"),
        (f"{RACE}:0:0:1:00:6:3:0:7:10", "dead_cube", "needs 1 and plays for 1"),
        (f"{RACE}:0:0:1:00:0:3:0:33:10", "away", "33 points"),
    ],
)
def test_what_cannot_be_analysed_is_refused_with_its_value(text: str, code: str, words: str) -> None:
    with pytest.raises(CannotAnalyse) as refused:
        asked(text)
    assert refused.value.code == code
    assert words in str(refused.value)
