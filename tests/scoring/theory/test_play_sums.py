"""Phases, kinds of mistakes, and the sums of a player's play."""

import itertools
import math

import pytest

from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.mistakes import MistakeKind, kind_of_mistake
from scoring.theory.phases import GamePhase, phase_of
from scoring.theory.play_sums import (
    PIPS,
    PIPS_VARIANCE,
    DiceSums,
    FacedDecision,
    LossTally,
    ScoreKind,
    dice_of,
    play_sums,
    score_kind,
)

CONTACT = Position.from_points({24: 1, 13: 4, 8: 4, 6: 3, 4: 3}, {24: 2, 13: 3, 8: 3, 6: 3, 5: 2, 3: 2})


def decided(kind=DecisionKind.CHECKER, error=0.1, told=(), luck=None, counted=True, played="8/5 6/5"):
    candidates = tuple(
        Candidate(action, equity, None, "2-ply", position=at, played=action == played)
        for action, equity, at in told
    )
    return Decision("1", 1, 1, Side.WHITE, kind, played, candidates, error, counted, luck)


def faced(decision=None, position=CONTACT, **seen):
    return FacedDecision(decision or decided(), position, 3, 5, crawford=False, **seen)


@pytest.mark.parametrize(
    ("own", "opponent", "phase"),
    [
        ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, GamePhase.OPENING),
        ({25: 1, 6: 5}, {1: 2}, GamePhase.CONTACT),
        ({7: 1, 6: 5}, {17: 1}, GamePhase.RACE),
        ({6: 5}, {18: 2}, GamePhase.BEAROFF),
        ({6: 5}, {20: 2}, GamePhase.CONTACT),
    ],
)
def test_the_phase_of_a_position(own, opponent, phase):
    assert phase_of(Position.from_points(own, opponent)) is phase


@pytest.mark.parametrize(
    ("kind", "told", "played", "mistake"),
    [
        (DecisionKind.DOUBLE, (0.5, 0.7, 1.0), "no double", MistakeKind.MISSED_DOUBLE),
        (DecisionKind.DOUBLE, (0.8, 1.2, 1.0), "no double", MistakeKind.MISSED_CASH),
        (DecisionKind.DOUBLE, (0.5, 0.3, 1.0), "double/take", MistakeKind.EARLY_DOUBLE),
        (DecisionKind.DOUBLE, (1.2, 1.4, 1.0), "double/pass", MistakeKind.DOUBLED_TOO_GOOD),
        (DecisionKind.RESPONSE, (-1.2, -1.0), "take", MistakeKind.WRONG_TAKE),
        (DecisionKind.RESPONSE, (-0.8, -1.0), "pass", MistakeKind.WRONG_PASS),
    ],
)
def test_the_kind_of_a_wrong_cube_action(kind, told, played, mistake):
    names = ("take", "pass") if len(told) == 2 else ("no double", "double/take", "double/pass")
    rows = [(name, equity, None) for name, equity in zip(names, told, strict=True)]
    assert kind_of_mistake(decided(kind, told=rows, played=played)) is mistake


def after(own, opponent=None):
    return Position.from_points(own, opponent or {24: 2, 6: 5}).key


@pytest.mark.parametrize(
    ("best", "played", "mistake"),
    [
        (after({6: 2}, {25: 1}), after({6: 2}, {18: 1}), MistakeKind.MISSED_HIT),
        (after({6: 2}, {18: 1}), after({6: 2}, {25: 1}), MistakeKind.WRONG_HIT),
        (after({20: 2, 8: 2}), after({20: 1, 14: 1, 8: 2}), MistakeKind.BROKE_ANCHOR),
        (after({14: 2, 8: 2}), after({20: 2, 8: 2}), MistakeKind.KEPT_ANCHOR),
        (after({5: 2, 8: 2}), after({5: 1, 8: 3}), MistakeKind.MISSED_POINT),
        (after({13: 2}), after({13: 1, 14: 1}), MistakeKind.TOO_BOLD),
        (after({13: 1, 14: 1}), after({13: 2}), MistakeKind.TOO_SAFE),
        (after({13: 2}), after({14: 2}), MistakeKind.OTHER_PLAY),
    ],
)
def test_the_kind_of_a_wrong_play(best, played, mistake):
    told = [("best", 0.2, best), ("8/5 6/5", 0.1, played)]
    assert kind_of_mistake(decided(told=told)) is mistake


def test_small_and_uncounted_errors_are_no_mistakes():
    assert kind_of_mistake(decided(error=0.019)) is None
    assert kind_of_mistake(decided(counted=False)) is None
    assert kind_of_mistake(decided(told=[("best", 0.2, None)])) is MistakeKind.OTHER_PLAY


def test_the_kind_of_a_score():
    assert score_kind(0, 0, crawford=False) is ScoreKind.MONEY
    assert score_kind(1, 3, crawford=True) is ScoreKind.CRAWFORD
    assert score_kind(3, 1, crawford=False) is ScoreKind.POST_CRAWFORD
    assert score_kind(5, 3, crawford=False) is ScoreKind.BEHIND


def test_the_pips_of_a_roll_have_the_mean_and_variance_that_are_used():
    rolled = [(a + b) * (2 if a == b else 1) for a, b in itertools.product(range(1, 7), repeat=2)]
    mean = sum(rolled) / 36
    assert mean == pytest.approx(PIPS)
    assert sum((each - mean) ** 2 for each in rolled) / 36 == pytest.approx(PIPS_VARIANCE)


def test_an_interval_is_told_from_a_hundred_decisions_on():
    losses = [0.0] * 75 + [0.1] * 25
    tally = sum((LossTally(1, each, each**2) for each in losses), LossTally())
    deviation = math.sqrt(sum((each - 0.025) ** 2 for each in losses) / 99)
    assert tally.margin == pytest.approx(500 * 1.96 * deviation / 10)
    assert LossTally(99, 1.0, 1.0).margin is None


def test_dice_leave_the_opening_roll_out_and_know_the_chance_to_enter():
    bar = Position.from_points({25: 1, 6: 5}, {6: 2, 5: 2, 1: 1})
    assert dice_of(faced(dice=(6, 5), turn=1)).rolls == 0
    shut_out = dice_of(faced(position=bar, dice=(6, 5), turn=4))
    assert (shut_out.rolls, shut_out.pips, shut_out.sixes) == (1, 11, 1)
    assert (shut_out.entries, shut_out.entered) == (1, 0)
    assert shut_out.entries_expected == pytest.approx(1 - 4 / 36)
    double = dice_of(faced(decided(luck=0.3), position=bar, dice=(3, 3), turn=4))
    assert (double.doubles, double.pips, double.entered, double.luck_rolls) == (1, 12, 1, 1)
    both = shut_out + double
    assert isinstance(both, DiceSums)
    assert both.told["luck"].deviation == pytest.approx(0.3)


def test_sums_are_by_phase_kind_and_score_and_keep_the_first_two_plays():
    told = [("8/5 6/5", 0.1, None), ("24/20", 0.0, None)]
    opening = faced(decided(error=0.0, told=told), STARTING_POSITION, dice=(3, 1), turn=1)
    reply = faced(decided(error=0.05, told=told), STARTING_POSITION, dice=(3, 1), turn=2, earlier="64: 24/14")
    later = faced(decided(error=0.09), dice=(3, 1), turn=5)
    sums = play_sums([opening, reply, later])
    assert sums.cells[GamePhase.OPENING, DecisionKind.CHECKER, ScoreKind.AHEAD].counted == 2
    contact = sums.cells[GamePhase.CONTACT, DecisionKind.CHECKER, ScoreKind.AHEAD]
    assert (contact.counted, contact.errors, contact.blunders) == (1, 0, 1)
    assert sums.total == LossTally(3, 0.14, 0.05**2 + 0.09**2, 1, 1)
    assert [(each.earlier, each.roll) for each in sums.openings] == [("", "31"), ("64: 24/14", "31")]
