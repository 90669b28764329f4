"""Who won what from whom: cubes, extras, settlements, cubes that were taken over."""

from itertools import combinations

import pytest

from scoring.rules.chouette.events import (
    Answered,
    ChouetteEvent,
    CubeSettled,
    CubeTakenOver,
    ExtraTaken,
    GameBegun,
    GameOver,
    Joined,
    Offered,
    PlacesAgreed,
    SessionStarted,
)
from scoring.rules.chouette.options import ChouetteOptions, Extras
from scoring.rules.chouette.pairs import points_between
from scoring.rules.chouette.session import replay_session
from scoring.rules.match import Win

NAMES = ("box", "cap", "two", "three", "four", "five")


def pairs_of(count, *events, partner=None, **options):
    """The pairs of a game in which these events happened, those of each two once."""
    names = NAMES[:count]
    start: list[ChouetteEvent] = [
        SessionStarted(ChouetteOptions(**options)),
        *(Joined(name, 1) for name in names),
    ]
    night = replay_session([*start, PlacesAgreed(names), GameBegun(partner), *events])
    found = points_between(night.games[0])
    assert all(found[other, one] == -points for (one, other), points in found.items())
    return {pair: found[pair] for pair in combinations(names, 2) if pair in found}


def test_each_of_the_crew_meets_the_box_alone():
    assert pairs_of(3, GameOver(box_won=False, win=Win.SINGLE)) == {("box", "cap"): -1, ("box", "two"): -1}


def test_an_extra_passes_between_its_two_with_its_price():
    doubled = (
        Offered("box", ("cap", "two")), Answered("cap", passes=("cap",)), Answered("two", takes=("two",)),
        ExtraTaken("cap", "two"), GameOver(box_won=True, win=Win.SINGLE),
    )  # fmt: skip
    # Cap passed at 1 and paid Two 1 to hold a cube on 2, which Two lost.
    assert pairs_of(3, *doubled, extras=Extras.OPTIONAL) == {
        ("box", "cap"): 1, ("box", "two"): 2, ("cap", "two"): 2 - 1,
    }  # fmt: skip


def test_a_settlement_and_a_cube_taken_over_pass_between_who_agreed():
    done = (
        CubeSettled("cap", 3), CubeTakenOver("two", "three", -2), GameOver(box_won=True, win=Win.GAMMON),
    )  # fmt: skip
    assert pairs_of(4, *done, settlements=True) == {
        ("box", "cap"): -3, ("box", "three"): 1 + 1, ("two", "three"): 2,
    }  # fmt: skip


@pytest.mark.parametrize(("jacoby", "points"), [(True, 1), (False, 2)])
def test_gammons_count_as_the_ledger_counted_them(jacoby, points):
    over = GameOver(box_won=True, win=Win.GAMMON)
    assert pairs_of(3, over, jacoby=jacoby) == {("box", "cap"): points, ("box", "two"): points}


def test_the_box_and_its_partner_are_no_opponents():
    over = GameOver(box_won=True, win=Win.SINGLE)
    found = pairs_of(6, over, partner="five", partner_from=6)
    assert found == {("box", name): 1 for name in NAMES[1:5]}
