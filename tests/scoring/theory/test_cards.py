"""Which decisions make cards, and which answers are right."""

import pytest

from scoring.notation.plays import parse_moves
from scoring.rules.dice import Roll
from scoring.rules.explain import resolve_play
from scoring.rules.plays import legal_results
from scoring.rules.position import STARTING_POSITION
from scoring.rules.sides import Side
from scoring.theory.cards import (
    ACCEPTED,
    LIMIT,
    CardKind,
    FacedRoll,
    actions_of,
    best_of,
    card_kind,
    cards_of,
    covers,
    judge_play,
    loss_of,
)
from scoring.theory.decisions import Candidate, Decision, DecisionKind

THREE_ONE = FacedRoll(STARTING_POSITION, Roll(3, 1))


def play(text, faced=THREE_ONE):
    return resolve_play(faced.position, faced.roll, parse_moves(text))


def checker(*equities, played=None, ref="7", **changed):
    """A 3-1 from the start: the plays in the order given with what each loses, and which was played."""
    candidates = tuple(
        Candidate(action, -loss, None, "2-ply", played=action == played) for action, loss in equities
    )
    error = changed.pop("error", next((loss for action, loss in equities if action == played), 0.0))
    plain = {
        "ref": ref,
        "game": 1,
        "ply": 1,
        "side": Side.WHITE,
        "kind": DecisionKind.CHECKER,
        "played": played or "",
        "candidates": candidates,
        "error": error,
        "counted": True,
    }
    return Decision(**(plain | changed))


def cube(no_double, take, passed, *, doubled, error, kind=DecisionKind.DOUBLE):
    named = {"no double": no_double, "double/take": take, "double/pass": passed}
    if kind is DecisionKind.RESPONSE:
        named = {"take": -take, "pass": -passed}
    return Decision(
        ref="3",
        game=1,
        ply=1,
        side=Side.WHITE,
        kind=kind,
        played="double" if doubled else "no double",
        candidates=tuple(Candidate(action, equity, None, "2-ply") for action, equity in named.items()),
        error=error,
        counted=True,
    )


BLUNDER = checker(("8/5 6/5", 0), ("13/10 24/23", 0.21), ("13/9", 0.3), played="13/9")


def test_an_error_of_the_limit_is_a_card():
    assert card_kind(BLUNDER, THREE_ONE) is CardKind.ERROR
    at_limit = checker(("8/5 6/5", 0), ("13/10 24/23", 0.2), ("13/9", LIMIT), played="13/9")
    assert card_kind(at_limit, THREE_ONE) is CardKind.ERROR
    below = checker(("8/5 6/5", 0), ("13/10 24/23", 0.2), ("13/9", LIMIT - 0.001), played="13/9")
    assert card_kind(below, THREE_ONE) is None


def test_several_good_answers_make_no_card():
    several = checker(("8/5 6/5", 0), ("13/10 24/23", 0.02), ("13/9", 0.3), played="13/9")
    assert card_kind(several, THREE_ONE) is None
    one = checker(("8/5 6/5", 0), ("13/10 24/23", 0.021), ("24/20", 0.1), ("13/9", 0.3), played="13/9")
    assert card_kind(one, THREE_ONE) is CardKind.ERROR


@pytest.mark.parametrize("changed", [{"counted": False}, {"legal": False}, {"error": None}])
def test_what_does_not_count_makes_no_card(changed):
    decision = checker(("8/5 6/5", 0), ("13/10 24/23", 0.21), ("13/9", 0.3), played="13/9", **changed)
    assert card_kind(decision, THREE_ONE) is None


def test_a_right_decision_is_a_card_where_the_second_best_is_an_error():
    fine = checker(("8/5 6/5", 0), ("13/9", 0.06), played="8/5 6/5")
    assert card_kind(fine, THREE_ONE) is CardKind.FINE
    close = checker(("8/5 6/5", 0), ("13/9", 0.04), played="8/5 6/5")
    assert card_kind(close, THREE_ONE) is None


def test_a_card_is_made_only_if_every_legal_play_can_be_judged():
    unclear = checker(("8/5 6/5", 0), ("13/10 24/23", ACCEPTED), ("13/9", 0.3), played="13/9")
    assert not covers(unclear, THREE_ONE)
    assert card_kind(unclear, THREE_ONE) is None
    clear = checker(("8/5 6/5", 0), ("13/10 24/23", 0.03), ("24/20", 0.05), ("13/9", 0.3), played="13/9")
    assert covers(clear, THREE_ONE)


def test_every_play_is_judged_where_all_are_listed():
    assert len(legal_results(THREE_ONE.position, THREE_ONE.roll)) == 16
    bearing_off = FacedRoll(STARTING_POSITION.from_points({2: 1, 1: 2}, {2: 2}), Roll(1, 1))
    number = len(legal_results(bearing_off.position, bearing_off.roll))
    listed = [Candidate(str(n), -0.01 * n, None, "") for n in range(number)]
    decision = checker(("8/5 6/5", 0))
    assert covers(Decision(**(plain(decision) | {"candidates": tuple(listed)})), bearing_off)


def plain(decision):
    return {name: getattr(decision, name) for name in decision.__dataclass_fields__}


@pytest.mark.parametrize(
    ("text", "loss", "is_exact", "is_right"),
    [
        ("6/5 8/5", 0, True, True),
        ("24/23 13/10", 0.21, True, False),
        ("13/10/9", 0.3, True, False),
        ("24/20", 0.21, False, False),
    ],
)
def test_an_answer_is_judged_by_where_it_leads(text, loss, is_exact, is_right):
    verdict = judge_play(BLUNDER, THREE_ONE, play(text))
    assert verdict.loss == pytest.approx(loss)
    assert (verdict.is_exact, verdict.is_right) == (is_exact, is_right)


def test_an_answer_within_the_limit_is_right():
    near = checker(("8/5 6/5", 0), ("13/10 24/23", ACCEPTED), ("24/20", 0.1), ("13/9", 0.3), played="13/9")
    assert judge_play(near, THREE_ONE, play("24/23 13/10")).is_right
    beyond = checker(("8/5 6/5", 0), ("13/10 24/23", 0.0351), ("13/9", 0.3), played="13/9")
    assert not judge_play(beyond, THREE_ONE, play("24/23 13/10")).is_right


def test_a_double_is_worth_the_answer_that_is_worse_for_the_doubler():
    missed = cube(0.6, 0.7, 1.0, doubled=False, error=0.1)
    assert actions_of(missed) == {"no double": 0.6, "double": 0.7}
    assert (best_of(missed), loss_of(missed, "double")) == ("double", 0)
    assert loss_of(missed, "no double") == pytest.approx(0.1)
    assert card_kind(missed, None) is CardKind.ERROR
    too_good = cube(1.2, 1.5, 1.0, doubled=True, error=0.2)
    assert best_of(too_good) == "no double"


def test_an_answer_to_a_double_has_two_answers():
    wrong_take = cube(0, 1.3, 1.0, doubled=True, error=0.3, kind=DecisionKind.RESPONSE)
    assert best_of(wrong_take) == "pass"
    assert loss_of(wrong_take, "take") == pytest.approx(0.3)
    assert card_kind(wrong_take, None) is CardKind.ERROR


def test_a_match_gives_a_right_decision_for_every_third_error_and_one_more_the_closest_first():
    errors = [checker(*zip_losses(), played="13/9", ref=str(n)) for n in range(7)]
    fine = [
        checker(("8/5 6/5", 0), ("13/9", 0.06 + n / 100), played="8/5 6/5", ref=f"{n}0") for n in (5, 1, 3)
    ]
    theirs = checker(*zip_losses(), played="13/9", ref="9", side=Side.BLACK)
    unknown = checker(*zip_losses(), played="13/9", ref="without a position")
    faced = {each.ref: THREE_ONE for each in [*errors, *fine, theirs]}
    made = cards_of([*errors, theirs, *fine, unknown], faced, Side.WHITE)
    assert [(decision.ref, kind) for decision, kind in made] == [
        *((str(n), CardKind.ERROR) for n in range(7)),
        *((ref, CardKind.FINE) for ref in ("10", "30", "50")),
    ]
    assert [decision.ref for decision, _kind in cards_of(fine, faced, Side.WHITE)] == ["10"]


def zip_losses():
    return ("8/5 6/5", 0), ("13/10 24/23", 0.21), ("13/9", 0.3)
