"""The cascade over numbers of a table: which positions it looks at how deep, and what it makes of them."""

from dataclasses import replace

import pytest

from scoring.engines.cascade import CubeValue, Value, judged, score_equity
from scoring.engines.decisions import CubeValues
from scoring.engines.presets import EnginePreset, Look, Rollout
from scoring.engines.requests import CheckerQuestion, CubeQuestion, Response, Situation
from scoring.rules.dice import Roll
from scoring.rules.plays import legal_plays
from scoring.rules.position import Position
from scoring.rules.sides import Side
from scoring.theory.decisions import DecisionKind

START = "-b----E-C---eE---c-e----B-"
LATER = "-b---BD-B---eE---c-e----B-"
CHANCES = (0.5, 0.15, 0.01, 0.12, 0.02)
NEAR = Look(depth=2, near=0.08, most=3, error=0.0, gap=0.04, cube_obvious=0.25)
CLOSE = Look(depth=3, near=0.08, most=2, error=0.01, gap=0.01, cube_error=0.01, cube_gap=0.01)
SCREEN, FAST, DEEP = (EnginePreset("x", 1, 0, stages) for stages in ((), (NEAR,), (NEAR, CLOSE)))
CHOICES = [play.result.key for play in legal_plays(Position.from_key(LATER), Roll(4, 1))]
OTHERS = 0.5
"""How far behind the plays are that a test does not name."""


class Unasked:
    """An engine that must not be asked."""

    def after(self, situation, results, depth):
        raise AssertionError(f"asked for {results}, {depth} plies deep")

    def screened(self, question, results, depth):
        return self.after(question.situation, results, depth)

    def before(self, situation, depth):
        raise AssertionError(f"asked for a cube, {depth} plies deep")

    def roll_worth(self, situation):
        raise AssertionError("asked for the average roll")

    def rolled_out(self, situation, results, rollout):
        raise AssertionError(f"asked to roll {results} out")

    def cube_rolled_out(self, situation, rollout):
        raise AssertionError("asked to roll a cube out")


class Table(Unasked):
    """Equities of the first plays of `CHOICES` by depth; remembers what it was asked."""

    def __init__(self, **by_depth):
        self.by_depth = {int(name[1:]): values for name, values in by_depth.items()}
        self.asked = []

    def after(self, situation, results, depth):
        self.asked.append((depth, [CHOICES.index(result) for result in results]))
        given = self.by_depth[depth]
        return [Value(given.get(CHOICES.index(result), -OTHERS), CHANCES) for result in results]

    def roll_worth(self, situation):
        return -0.1

    def rolled_out(self, situation, results, rollout):
        self.asked.append(("rollout", [CHOICES.index(result) for result in results]))
        return [Value(0.3 - 0.1 * n, CHANCES, 0.0123456) for n, _ in enumerate(results)]


def played(number, **changes):
    question = CheckerQuestion("q", 1, 5, Side.WHITE, Situation(LATER), (4, 1), CHOICES[number])
    return replace(question, **changes)


def looks(number, preset, **by_depth):
    """What is asked beyond the screen, and the decision."""
    table = Table(**by_depth)
    (decision,) = judged(played(number), table, preset)
    return table.asked[1:], decision


def test_a_play_that_leads_by_enough_is_settled_by_the_screen():
    asked, decision = looks(0, FAST, d0={0: 0.2, 1: 0.2 - 0.04, 2: 0.1})
    assert asked == []
    assert (decision.error, decision.counted, decision.candidates[0].level) == (0.0, True, "0-ply")


def test_a_play_that_leads_by_less_is_looked_at_beside_its_rivals():
    asked, decision = looks(
        0, FAST, d0={0: 0.2, 1: 0.17, 2: 0.13, 3: 0.125, 4: 0.121}, d2={0: 0.1, 1: 0.15, 2: 0.05}
    )
    assert asked == [(2, [0, 1, 2])]  # at most three, all within .08
    assert decision.error == pytest.approx(0.05)
    assert [(c.equity, c.level) for c in decision.candidates[:4]] == [
        *((0.15, "2-ply"), (0.1, "2-ply"), (0.05, "2-ply")),
        (0.125, "0-ply"),
    ]


def test_what_is_too_far_behind_is_left_out_and_what_was_played_never_is():
    asked, decision = looks(5, FAST, d0={0: 0.2, 1: 0.119, 5: -0.1}, d2={0: 0.2, 5: -0.2})
    assert asked == [(2, [0, 5])]
    assert decision.error == pytest.approx(0.4)
    assert decision.candidates[1].played


def test_a_third_look_is_for_what_is_close_or_wrong():
    screen, second = {0: 0.2, 1: 0.19, 2: 0.18}, {0: 0.2, 1: 0.185, 2: 0.1}
    assert looks(0, DEEP, d0=screen, d2=second)[0] == [(2, [0, 1, 2])]
    asked, _ = looks(0, DEEP, d0=screen, d2=second | {1: 0.1905}, d3={0: 0.2, 1: 0.3})
    assert asked == [(2, [0, 1, 2]), (3, [0, 1])]
    asked, decision = looks(1, DEEP, d0=screen, d2=second, d3={0: 0.21, 1: 0.17})
    assert asked == [(2, [0, 1, 2]), (3, [0, 1])]
    assert decision.error == pytest.approx(0.04)


def test_a_third_look_is_for_a_loss_that_the_second_one_changed():
    moved = replace(CLOSE, error=0.03, gap=0.003, shift=0.02)
    preset = replace(DEEP, stages=(NEAR, moved))
    screen = {0: 0.2, 1: 0.185, 2: 0.1}
    asked, _ = looks(1, preset, d0=screen, d2={0: 0.2, 1: 0.23}, d3={0: 0.2, 1: 0.19})
    assert asked == [(2, [0, 1])]  # a loss of .015 that became 0
    asked, decision = looks(1, preset, d0=screen | {1: 0.175}, d2={0: 0.2, 1: 0.23}, d3={0: 0.2, 1: 0.19})
    assert asked == [(2, [0, 1]), (3, [1, 0])]  # .025 that became 0
    assert decision.error == pytest.approx(0.01)
    assert looks(0, preset, d0=screen | {1: 0.1}, d2={})[0] == []  # settled before there were two looks


def test_a_look_at_two_plays_takes_the_runner_up_if_the_best_was_played():
    moved = Look(depth=3, near=0.08, most=1, error=float("inf"), gap=0.0, shift=0.06)
    preset = replace(DEEP, stages=(NEAR, moved))
    screen = {0: 0.2, 1: 0.13}
    asked, decision = looks(1, preset, d0=screen, d2={0: 0.2, 1: 0.23}, d3={0: 0.25, 1: 0.2})
    assert asked == [(2, [0, 1]), (3, [1, 0])]  # .07 that became 0
    assert decision.error == pytest.approx(0.05)
    asked, decision = looks(1, preset, d0=screen, d2={0: 0.4, 1: 0.2}, d3={0: 0.25, 1: 0.2})
    assert asked == [(2, [0, 1]), (3, [0, 1])]  # .07 that became .2
    assert looks(1, preset, d0=screen, d2={0: 0.2, 1: 0.1})[0] == [(2, [0, 1])]
    table = Table(d0=screen, d2={0: 0.4, 1: 0.2})
    judged(played(0, played=""), table, preset)
    assert table.asked[1:] == [(2, [0, 1])]  # nothing was lost


def test_a_wider_look_chooses_by_the_screen_and_asks_for_no_play_twice():
    wide = Look(depth=2, near=0.2, most=4, error=0.0, gap=0.0, again=True)
    preset = replace(DEEP, stages=(NEAR, wide, replace(CLOSE, error=0.0, gap=0.0)))
    screen = {0: 0.2, 1: 0.17, 2: 0.13, 3: 0.11, 4: 0.05, 5: -0.01}
    second = {0: 0.1, 1: 0.05, 2: 0.0, 3: 0.15, 4: 0.06}
    asked, decision = looks(1, preset, d0=screen, d2=second, d3={3: 0.1, 0: 0.12, 1: 0.1})
    assert asked == [(2, [0, 1, 2]), (2, [3]), (3, [3, 0, 1])]
    assert decision.error == pytest.approx(0.02)
    assert [c.level for c in decision.candidates[:5]] == ["3-ply", "3-ply", "3-ply", "2-ply", "0-ply"]
    assert looks(0, preset, d0=screen, d2=second)[0] == [(2, [0, 1, 2])]  # the best was played


def test_numbers_of_different_depths_are_never_compared():
    _, decision = looks(0, FAST, d0={0: 0.2, 1: 0.17, 2: 0.1}, d2={0: -0.3, 1: -0.4})
    assert [c.equity for c in decision.candidates[:3]] == [-0.3, -0.4, 0.1]
    assert decision.error == 0.0


def test_a_position_asked_about_on_its_own_has_no_error_and_is_looked_at_in_any_case():
    table = Table(d0={0: 0.5, 1: 0.45}, d2={0: 0.4, 1: 0.41})
    (decision,) = judged(played(0, played=""), table, FAST)
    assert table.asked[1:] == [(2, [0, 1])]
    assert (decision.played, decision.error, decision.counted, decision.legal) == ("", None, False, True)
    assert not any(candidate.played for candidate in decision.candidates)


def test_ten_candidates_are_kept_and_the_one_that_was_played():
    last = len(CHOICES) - 1
    _, decision = looks(last, SCREEN, d0={n: 0.2 - 0.01 * n for n in range(last + 1)})
    assert last > 10
    assert len(decision.candidates) == 11
    assert decision.candidates[-1].played
    assert decision.luck == pytest.approx(0.2 + 0.1)


def test_a_rollout_has_its_interval():
    preset = EnginePreset(
        "r", 1, 0, (NEAR,), Rollout(near=0.08, most=2, trials=36, round=36, enough=0.01, seed=1)
    )
    table = Table(d0={0: 0.2, 1: 0.19, 2: 0.18}, d2={0: 0.2, 1: 0.19, 2: 0.15})
    (decision,) = judged(played(1), table, preset)
    assert table.asked[1:] == [(2, [0, 1, 2]), ("rollout", [0, 1])]
    assert [(c.level, c.interval) for c in decision.candidates[:3]] == [
        ("rollout", 0.0123),
        ("rollout", 0.0123),
        ("2-ply", None),
    ]


class Still(Unasked):
    """An engine that finds all positions the same."""

    def after(self, situation, results, depth):
        return [Value(0.25, CHANCES) for _ in results]

    def roll_worth(self, situation):
        return 0.2


def test_a_forced_play_and_a_dance_are_no_decisions():
    forced = CheckerQuestion(
        "f", 1, 3, Side.WHITE, Situation("-" * 16 + "b-b" + "-" * 5 + "A-"), (6, 2), "-" * 16 + "b-b---A---"
    )
    shut = "-" * 19 + "bbbbbb" + "A"
    dance = CheckerQuestion("d", 1, 4, Side.BLACK, Situation(shut), (6, 5), shut)
    for question in (forced, dance):
        (decision,) = judged(question, Still(), DEEP)
        assert (decision.error, decision.counted, decision.legal) == (None, False, True)
        assert decision.luck == pytest.approx(0.05)


def test_plays_that_are_all_the_same_do_not_count():
    question = CheckerQuestion("s", 1, 3, Side.WHITE, Situation(START), (3, 1), LATER)
    (decision,) = judged(question, Still(), SCREEN)
    assert (decision.error, decision.counted) == (0.0, False)
    assert decision.luck == 0.25  # the opening roll is measured against the score


def test_an_illegal_play_is_judged_against_the_legal_ones_and_not_counted():
    illegal = "-b---AD-C---eE---cAe----A-"
    question = CheckerQuestion("i", 1, 1, Side.WHITE, Situation(START), (3, 1), illegal, legal=False)
    (decision,) = judged(question, Still(), DEEP)
    assert (decision.legal, decision.counted, decision.error) == (False, False, 0.0)
    assert decision.played == "24/18 6/5"


class Cubes(Unasked):
    """Equities of a cube by depth; remembers what it was asked."""

    def __init__(self, *by_depth):
        self.by_depth, self.asked = by_depth, []

    def before(self, situation, depth):
        self.asked.append(depth)
        no_double, take = self.by_depth[depth]
        return CubeValue(CubeValues(no_double, take, 1.0), CHANCES)


@pytest.mark.parametrize(
    ("doubled", "response", "values", "depths"),
    [
        (False, None, (0.6, 0.3), [0]),  # nobody doubles here
        (False, None, (0.5, 0.3), [0, 2]),
        (True, None, (0.6, 0.3), [0, 2, 3]),  # the deeper the worse
        (False, None, (0.3, 0.9), [0, 2, 3]),
        (True, Response.TAKE, (0.5, 0.9), [0, 2]),
        (True, Response.TAKE, (0.5, 0.995), [0, 2, 3]),
        (True, Response.PASS, (0.5, 0.9), [0, 2, 3]),
    ],
)
def test_cubes_are_looked_at_where_they_are_close_or_wrong(doubled, response, values, depths):
    question = CubeQuestion("c", 1, 2, Side.WHITE, Situation(START), doubled, response, "r", 3)
    engine = Cubes(values, (), values, values)
    decisions = judged(question, engine, DEEP)
    assert engine.asked == depths
    assert [decision.kind for decision in decisions] == [
        DecisionKind.DOUBLE,
        *([DecisionKind.RESPONSE] if response else []),
    ]
    assert {candidate.level for decision in decisions for candidate in decision.candidates} == {
        f"{depths[-1]}-ply"
    }


def test_an_answer_is_the_other_players():
    question = CubeQuestion("c", 1, 2, Side.WHITE, Situation(START), True, Response.PASS, "r", 3)
    double, answer = judged(question, Cubes((0.4, 0.6)), SCREEN)
    assert (double.error, double.side, double.counted) == (0.0, Side.WHITE, True)
    assert (answer.side, answer.ref, answer.counted) == (Side.BLACK, "r", True)
    assert answer.error == pytest.approx(0.4)
    assert answer.candidates[0].equity == pytest.approx(-0.6)
    assert answer.candidates[0].probabilities == (0.5, 0.12, 0.02, 0.15, 0.01)


def test_the_score_is_worth_nothing_where_it_is_even():
    assert score_equity(Situation(START)) == 0.0
    assert score_equity(Situation(START, own_away=5, opponent_away=5)) == pytest.approx(0.0)
    assert score_equity(Situation(START, own_away=3, opponent_away=1, crawford=True)) != 0.0
