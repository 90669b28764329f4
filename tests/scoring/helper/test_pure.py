"""What a helper decides without a server: addresses, waits, samples, differences."""

from dataclasses import replace

import pytest

from scoring.helper.pauses import LONGEST, BackOff
from scoring.helper.sampling import drawn, first_difference
from scoring.helper.server import WrongAddress, checked_address
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind

CHANCES = (0.5, 0.1, 0.01, 0.1, 0.01)


def decision(*candidates: Candidate, error: float | None = 0.1, luck: float | None = 0.2) -> Decision:
    return Decision("7", 1, 3, Side.WHITE, DecisionKind.CHECKER, "8/5", candidates, error, True, luck)


BEST = Candidate("8/5", 0.2, CHANCES, "2-ply", "a", played=True)
SECOND = Candidate("6/3", 0.1, CHANCES, "2-ply", "b")
THIRD = Candidate("24/21", 0.0, CHANCES, "0-ply", "c")


@pytest.mark.parametrize(
    "address",
    ["http://club.example", "ftp://club.example", "club.example", "https://", "https://a:b@club.example", "https://c.example/?x=1"],
)  # fmt: skip
def test_a_token_is_sent_to_no_such_address(address) -> None:
    with pytest.raises(WrongAddress):
        checked_address(address)


@pytest.mark.parametrize("address", ["https://club.example/", "http://localhost:8000", "http://[::1]:8000"])
def test_https_and_this_computer_are_fine(address) -> None:
    assert checked_address(address) == address.rstrip("/")


def test_waits_double_to_a_limit_and_differ_by_chance() -> None:
    eager, patient = BackOff(lambda: 0.0), BackOff(lambda: 1.0)
    assert [eager.next() for _ in range(3)] == [1.0, 2.0, 4.0]
    assert [patient.next() for _ in range(20)][-1] == LONGEST
    assert eager.next(at_least=90.0) == 90.0
    eager.reset()
    assert eager.next() == 1.0


def test_a_sample_depends_on_its_seed_and_has_a_least_size() -> None:
    assert drawn("a", 150, 0.1) == drawn("a", 150, 0.1) != drawn("b", 150, 0.1)
    assert [len(drawn("a", n, 0.1)) for n in (0, 3, 20, 150)] == [0, 3, 5, 15]
    assert drawn("a", 40, 1.0) == list(range(40))
    seen = {number for seed in range(200) for number in drawn(str(seed), 60, 0.1)}
    assert seen == set(range(60))


@pytest.mark.parametrize(
    ("theirs", "difference"),
    [
        (decision(BEST, SECOND, THIRD), ""),
        (decision(replace(BEST, equity=0.2015), SECOND, THIRD), ""),
        (decision(replace(BEST, equity=0.203), SECOND, THIRD),
         "equity of '8/5' 0.2030 instead of 0.2000"),
        (decision(BEST, replace(SECOND, level="0-ply"), THIRD), "'6/3' at 0-ply instead of 2-ply"),
        (decision(BEST, replace(SECOND, probabilities=(0.6, *CHANCES[1:])), THIRD),
         "chances of '6/3' 0.6000 instead of 0.5000"),
        (decision(BEST, replace(SECOND, probabilities=None), THIRD), "chances of '6/3'"),
        (decision(BEST, THIRD), "'6/3' is missing"),
        (decision(BEST, SECOND, replace(THIRD, action="13/10", position="d")), ""),
        (decision(BEST, SECOND, THIRD, error=0.11), "loss 0.1100 instead of 0.1000"),
        (decision(BEST, SECOND, THIRD, error=None), "loss None instead of 0.1"),
        (decision(BEST, SECOND, THIRD, luck=float("nan")), "luck nan instead of 0.2000"),
        (replace(decision(BEST, SECOND, THIRD), played="6/3"), "another decision"),
    ],
)  # fmt: skip
def test_the_first_difference_beyond_the_tolerance_is_named(theirs, difference) -> None:
    ours = decision(BEST, SECOND, THIRD)
    told = first_difference([ours], [theirs], 0.002)
    assert told == (difference and f"game 1, ply 3: {difference}")


def test_another_number_of_decisions_is_a_difference() -> None:
    assert first_difference([decision(BEST)], [], 0.002) == "0 decisions instead of 1"
