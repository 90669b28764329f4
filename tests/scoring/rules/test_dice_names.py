"""The traditional calls: one for each roll in each tradition.

Source: docs/reference/rules.md, "Calls of the dice".
"""

import json
from pathlib import Path

import pytest

from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.dice_names import DICE_NAMES, Tradition, call_of


@pytest.mark.parametrize("tradition", Tradition)
def test_every_roll_has_a_name_of_its_own(tradition: Tradition) -> None:
    names = [call_of(roll, tradition) for roll in ALL_ROLLS]
    assert len(names) == len(set(names)) == len(DICE_NAMES[tradition]) == 21
    assert all(names)


def test_the_page_has_the_same_calls() -> None:
    page = Path(__file__).parents[3] / "scoring/static/scoring/sheets/dice_names.json"
    assert json.loads(page.read_text()) == DICE_NAMES


@pytest.mark.parametrize(
    ("dice", "turkish", "levantine", "bulgarian"),
    [
        ((1, 1), "Hep Yek", "هبت يك", "Еп-ек"),
        ((5, 6), "Şeş Beş", "شيش بيش", "Шеш-беш"),
        ((6, 6), "Dü Şeş", "دشش", "Дю-шеш"),
    ],
)
def test_the_best_known_calls(dice: tuple[int, int], turkish: str, levantine: str, bulgarian: str) -> None:
    assert [call_of(Roll(*dice), tradition) for tradition in Tradition] == [turkish, levantine, bulgarian]
