"""An answer that no engine can mean is refused, whatever is wrong with it."""

from dataclasses import replace

import pytest

from scoring.engines.answers import check_label, expect_another, reading_answer
from scoring.engines.comparison import compare
from scoring.engines.errors import EngineDisagrees
from scoring.engines.requests import CheckerQuestion, CubeQuestion, Response, Situation
from scoring.rules.errors import InvalidValue
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind, EngineLabel

START = "-b----E-C---eE---c-e----B-"
MADE, SPLIT, ILLEGAL = (
    "-b---BD-B---eE---c-e----B-",
    "-b----E-C-A-eD---c-e---AA-",
    "-b---AD-C---eE---cAe----A-",
)
CHANCES = (0.55, 0.15, 0.01, 0.12, 0.02)
QUESTION = CheckerQuestion("o", 1, 1, Side.WHITE, Situation(START), (3, 1), MADE)
BEST = Candidate("8/5 6/5", 0.16, CHANCES, "2-ply", MADE, played=True)
SECOND = Candidate("13/10 24/23", 0.0, CHANCES, "2-ply", SPLIT)
RIGHT = Decision(
    *("o", 1, 1, Side.WHITE, DecisionKind.CHECKER, "8/5 6/5", (BEST, SECOND), 0.0),
    counted=True,
    luck=0.1,
)
CUBE = CubeQuestion("c", 1, 2, Side.WHITE, Situation(START), True, Response.TAKE, "r", 3)
DOUBLE = Decision(
    *("c", 1, 2, Side.WHITE, DecisionKind.DOUBLE, "double"),
    (
        Candidate("no double", 0.4, CHANCES, "2-ply"),
        Candidate("double/take", 0.3, CHANCES, "2-ply", played=True),
        Candidate("double/pass", 1.0, CHANCES, "2-ply"),
    ),
    error=0.1,
    counted=True,
)
ANSWER = Decision(
    *("r", 1, 3, Side.BLACK, DecisionKind.RESPONSE, "take"),
    (
        Candidate("take", -0.3, CHANCES, "2-ply", played=True),
        Candidate("pass", -1.0, CHANCES, "2-ply"),
    ),
    error=0.0,
    counted=True,
)


def test_right_answers_pass():
    assert compare([QUESTION, CUBE], [[RIGHT], [DOUBLE, ANSWER]]) == (RIGHT, DOUBLE, ANSWER)


def test_a_position_that_was_only_asked_about_has_no_played_candidate():
    asked = replace(QUESTION, played="")
    alone = replace(
        RIGHT, played="", candidates=(replace(BEST, played=False), SECOND), error=None, counted=False
    )
    with pytest.raises(EngineDisagrees):
        compare([asked], [[replace(alone, candidates=(SECOND, replace(BEST, position="")))]])


def of_best(**fields):
    return replace(RIGHT, candidates=(replace(BEST, **fields), SECOND))


def chances(*values):
    return of_best(probabilities=values)


NAN, INFINITE = float("nan"), float("inf")
LIES = {
    "another ref": replace(RIGHT, ref="p"),
    "another game": replace(RIGHT, game=2),
    "another side": replace(RIGHT, side=Side.BLACK),
    "another kind": replace(RIGHT, kind=DecisionKind.DOUBLE),
    "another play": of_best(position=SPLIT),
    "another position": replace(RIGHT, candidates=(BEST, replace(SECOND, position="x" * 26))),
    "no position": replace(RIGHT, candidates=(BEST, replace(SECOND, position=None))),
    "an illegal play": replace(RIGHT, candidates=(BEST, replace(SECOND, position=ILLEGAL))),
    "a legality of its own": replace(RIGHT, legal=False),
    "one play twice": replace(RIGHT, candidates=(BEST, SECOND, SECOND)),
    "two that were played": replace(RIGHT, candidates=(BEST, replace(SECOND, played=True))),
    "nothing": replace(RIGHT, candidates=()),
    "an equity that is none": of_best(equity=NAN),
    "an infinite equity": of_best(equity=INFINITE),
    "an equity beyond all": of_best(equity=-1e9),
    "a negative interval": of_best(interval=-0.1),
    "an interval that is none": of_best(interval=NAN),
    "a chance above 1": chances(1.2, 0.1, 0.0, 0.1, 0.0),
    "a chance below 0": chances(-0.1, -0.2, -0.3, 0.1, 0.0),
    "more gammons than wins": chances(0.5, 0.6, 0.0, 0.1, 0.0),
    "more backgammons than gammons": chances(0.5, 0.1, 0.2, 0.1, 0.0),
    "more lost gammons than losses": chances(0.9, 0.1, 0.0, 0.2, 0.0),
    "more lost backgammons than lost gammons": chances(0.5, 0.1, 0.0, 0.1, 0.2),
    "a chance that is none": chances(0.5, 0.1, NAN, 0.1, 0.0),
    "the worse one first": replace(RIGHT, candidates=(replace(BEST, equity=-0.1), SECOND)),
    "a negative loss": replace(RIGHT, error=-0.1),
    "a loss that is none": replace(RIGHT, error=NAN),
    "a loss that the equities do not show": replace(RIGHT, error=0.2),
    "no loss although it counts": replace(RIGHT, error=None),
    "luck that is none": replace(RIGHT, luck=INFINITE),
    "a word too long": of_best(action="8/5 " * 100),
    "a word that no column holds": of_best(level="2-ply\0"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_a_play_is_refused(lie):
    with pytest.raises(EngineDisagrees):
        compare([QUESTION], [[LIES[lie]]])


def of_cube(decision, *numbers, **fields):
    chosen = tuple(decision.candidates[number] for number in numbers)
    return replace(decision, candidates=chosen, **fields)


@pytest.mark.parametrize(
    "given",
    [
        [DOUBLE],
        [ANSWER, DOUBLE],
        [of_cube(DOUBLE, 1, 0, 2), ANSWER],
        [of_cube(DOUBLE, 0, 1), ANSWER],
        [of_cube(DOUBLE, 0, 1, 1), ANSWER],
        [replace(DOUBLE, error=0.3), ANSWER],
        [DOUBLE, of_cube(ANSWER, 1, 0)],
        [DOUBLE, replace(ANSWER, error=INFINITE)],
        [DOUBLE, replace(ANSWER, candidates=DOUBLE.candidates)],
    ],
)
def test_a_lie_about_a_cube_is_refused(given):
    with pytest.raises(EngineDisagrees):
        compare([CUBE], [given])


def test_too_few_and_too_many_answers_are_refused():
    with pytest.raises(EngineDisagrees, match="2 questions, 1 answers"):
        compare([QUESTION, CUBE], [[RIGHT]])
    expect_another(1, 2)
    with pytest.raises(EngineDisagrees, match="more answers than the 2 questions"):
        expect_another(2, 2)


@pytest.mark.parametrize(
    "label",
    [
        EngineLabel("a", "", "fast"),
        EngineLabel("a", "1 2", "fast"),
        EngineLabel("a", "1" * 90, "fast"),
        EngineLabel("b", "1", "fast"),
    ],
)
def test_a_label_that_cannot_be_stored_is_refused(label):
    with pytest.raises(EngineDisagrees):
        check_label(label, 1.0, engine="a")


@pytest.mark.parametrize("seconds", [NAN, INFINITE, -1.0, "1", None])
def test_a_time_that_is_none_is_refused(seconds):
    check_label(EngineLabel("a", "1", "fast"), 1, engine="a")
    with pytest.raises(EngineDisagrees):
        check_label(EngineLabel("a", "1", "fast"), seconds, engine="a")


@pytest.mark.parametrize(
    "error",
    [
        KeyError("equity"),
        IndexError(),
        TypeError("text"),
        ValueError(),
        StopIteration(),
        ZeroDivisionError(),
        RecursionError(),
        InvalidValue("wrong_type", "{where}", where="answer"),
    ],
)
def test_what_cannot_be_read_is_a_disagreement(error):
    with pytest.raises(EngineDisagrees, match="cannot be read"), reading_answer():
        raise error
