"""When a card comes back."""

import pytest

from scoring.theory.spacing import INTERVALS, CardProgress


def after(answers):
    progress = CardProgress()
    for answer in answers:
        progress = progress.after(right=answer == "r")
    return progress


@pytest.mark.parametrize(
    ("answers", "interval", "learned", "parked"),
    [
        ("r", 1, False, False),
        ("rr", 3, False, False),
        ("rrr", 7, True, False),
        ("rrrr", 21, True, False),
        ("rrrrr", 60, True, False),
        ("rrrrrr", None, True, False),
        ("w", 1, False, False),
        ("rrw", 1, False, False),
        ("rrrrw", 1, False, False),
        ("www", 1, False, False),
        ("wwww", None, False, True),
        ("wrwrwrw", None, False, True),
        ("wwwrrrw", 1, False, False),
        ("wwwrrr", 7, True, False),
    ],
)
def test_a_card_after_its_answers(answers, interval, learned, parked):
    progress = after(answers)
    assert (progress.interval, progress.is_learned, progress.is_parked) == (interval, learned, parked)


def test_intervals_grow():
    assert list(INTERVALS) == sorted(set(INTERVALS))
