"""Which decisions count: eXtreme Gammon's rule, from what is stored with a decision."""

from dataclasses import replace

import pytest

from scoring.rules.sides import Side
from scoring.theory.counting import XG_COUNTING, counted_again, counts
from scoring.theory.decisions import Candidate, Decision, DecisionKind


def play(*equities: float, played: int | None = 0, legal: bool = True) -> Decision:
    candidates = tuple(
        Candidate(f"24/{number}", equity, None, "2-ply", played=number == played)
        for number, equity in enumerate(equities)
    )
    error = None if played is None or len(equities) < 2 else equities[0] - equities[played]
    name = "" if played is None else candidates[played].action
    return Decision("7", 1, 3, Side.WHITE, DecisionKind.CHECKER, name, candidates, error, False, legal=legal)


def cube(no_double: float, take: float, passed: float = 1.0, *, doubled: bool = False) -> Decision:
    value = min(take, passed) if doubled else no_double
    made = ("double/take" if take <= passed else "double/pass") if doubled else "no double"
    told = {"no double": no_double, "double/take": take, "double/pass": passed}
    candidates = tuple(Candidate(a, e, None, "2-ply", played=a == made) for a, e in told.items())
    error = max(no_double, min(take, passed)) - value
    kind = DecisionKind.DOUBLE
    return Decision("7", 1, 3, Side.WHITE, kind, "double" if doubled else made, candidates, error, False)


def answer(take: float, passed: float) -> Decision:
    candidates = (
        Candidate("take", take, None, "2-ply", played=True),
        Candidate("pass", passed, None, "2-ply"),
    )
    error = max(0.0, passed - take)
    return Decision("8", 1, 4, Side.BLACK, DecisionKind.RESPONSE, "take", candidates, error, False)


@pytest.mark.parametrize(
    ("decision", "counted"),
    [
        (play(0.1), False),
        (play(0.1, 0.1), False),
        (play(0.1, 0.0999), False),
        (play(0.1, 0.0998), True),
        (play(0.5, 0.2, 0.4), True),
        (play(0.5, 0.2, played=1), True),
        (play(0.5, 0.2, legal=False), False),
        (play(0.5, 0.2, played=None), False),
    ],
    ids=["forced", "equal", "not displayed", "displayed", "unsorted", "error", "illegal", "only asked"],
)
def test_a_play_counts_if_there_was_a_choice_that_shows(decision, counted):
    assert counts(decision) is counted


@pytest.mark.parametrize(
    ("decision", "counted"),
    [
        (cube(0.5, 0.45), True),
        (cube(0.5, 0.5005), False),
        (cube(0.5, 0.501, 1.0), True),
        (cube(0.5, 0.3), True),
        (cube(0.5, 0.2999), False),
        (cube(1.21, 1.5), False),
        (cube(-0.91, -0.95), False),
        (cube(-0.95, -0.91), True),
        (cube(-0.95, -0.91, doubled=True), False),
        (cube(-0.95, -1.6, doubled=True), True),
        (cube(0.5, 0.1, doubled=True), True),
        (cube(0.3, 0.6, doubled=True), True),
    ],
    ids=[
        *("close", "the same", "just apart", "at the limit", "no double for sure", "too good for sure"),
        *(
            "lost",
            "a double missed when lost",
            "lost, doubled",
            "a wrong double when lost",
            "a wrong double",
            "a right double",
        ),
    ],
)
def test_a_cube_counts_unless_it_was_obvious_and_right(decision, counted):
    assert counts(decision) is counted


def test_an_answer_counts_unless_take_and_pass_are_the_same():
    assert counts(answer(-0.9, -1.0))
    assert counts(answer(-1.001, -1.0))
    assert not counts(answer(-1.0005, -1.0))


def test_what_was_counted_otherwise_is_counted_again():
    before = [replace(play(0.1), counted=True), play(0.5, 0.2)]
    assert [each.counted for each in counted_again(before)] == [False, True]
    assert str(XG_COUNTING) == "xg@1"


def test_a_cube_without_its_equities_is_refused():
    with pytest.raises(KeyError, match="double/take"):
        counts(replace(cube(0.5, 0.4), candidates=(Candidate("no double", 0.5, None, "", played=True),)))
