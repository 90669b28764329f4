"""Where two analyses of one match differ."""

from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.differences import differences


def judged(
    ref: str, error: float | None, best: str = "a", kind: DecisionKind = DecisionKind.CHECKER
) -> Decision:
    candidates = (Candidate(f"play {best}", 0.1, None, "2-ply", position=best),)
    return Decision(ref, 1, 1, Side.WHITE, kind, "played", candidates, error, counted=True)


def test_the_largest_difference_comes_first_and_what_agrees_is_left_out():
    one = [judged("1", 0.1), judged("2", 0.0), judged("3", None), judged("4", 0.3)]
    two = [judged("1", 0.15), judged("2", 0.2), judged("3", None), judged("4", 0.3)]
    found = differences(one, two)
    assert [(each.first.ref, round(each.size, 3)) for each in found] == [("2", 0.2), ("1", 0.05)]
    assert [each.first.ref for each in differences(two, one)] == ["2", "1"]


def test_another_best_play_differs_even_where_the_loss_is_the_same():
    found = differences([judged("1", 0.1), judged("2", 0.1)], [judged("1", 0.1), judged("2", 0.1, best="b")])
    assert [(each.first.ref, each.size, each.is_same_best) for each in found] == [("2", 0.0, False)]


def test_what_only_one_judges_has_no_difference():
    double = judged("1", 0.4, kind=DecisionKind.DOUBLE)
    assert differences([judged("1", 0.1), double], [judged("1", 0.1), judged("9", 0.5)]) == ()


def test_several_answers_at_one_event_are_told_apart_by_their_order():
    one = [judged("1", 0.1), judged("1", 0.2)]
    two = [judged("1", 0.1), judged("1", 0.25)]
    (only,) = differences(one, two)
    assert (only.first.error, only.second.error) == (0.2, 0.25)
