from collections import Counter
from random import Random

import pytest

from tests.tournaments.core.fields import field_of
from tournaments.core.stages.entrants import Entrant, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.protection import clashes, kept_apart
from tournaments.core.stages.seeding import SeatingOptions, bracket_size, seat, standard_order


@pytest.mark.parametrize("count", range(2, 129))
@pytest.mark.parametrize("byes", ["seed", "lot"])
def test_everybody_sits_once_and_no_match_has_two_byes(count, byes):
    seats = seat(field_of(count), SeatingOptions(byes=byes), Random(count))
    assert len(seats) == bracket_size(count)
    assert sorted(n for n in seats if n) == list(range(1, count + 1))
    assert all(seats[i] or seats[i + 1] for i in range(0, len(seats), 2))


@pytest.mark.parametrize("size", [2, 4, 8, 64, 1024])
def test_best_seeds_sit_in_different_parts(size):
    order = standard_order(size)
    top = size // 2
    while top:
        assert len({order.index(seed) // (size // top) for seed in range(1, top + 1)}) == top
        top //= 2


def test_byes_go_to_the_best_seeds():
    seats = seat(field_of(11), SeatingOptions(), Random(0))
    resting = {seats[i] + seats[i + 1] for i in range(0, 16, 2) if 0 in (seats[i], seats[i + 1])}
    assert resting == {1, 2, 3, 4, 5}


def test_chosen_byes_are_given():
    options = SeatingOptions(byes="chosen", chosen_byes=("p9", "p11"))
    seats = seat(field_of(11), options, Random(0))
    resting = {seats[i] + seats[i + 1] for i in range(0, 16, 2) if 0 in (seats[i], seats[i + 1])}
    assert resting == {1, 2, 3, 9, 11}


def test_byes_by_lot_differ_between_seeds():
    drawn = {seat(field_of(11), SeatingOptions(byes="lot"), Random(n)) for n in range(20)}
    assert len(drawn) > 10


def test_same_seed_same_seating():
    options = SeatingOptions(seeding="lot", protect=("club",), protect_rounds=2)
    field = field_of(40, clubs=7)
    assert seat(field, options, Random("a")) == seat(field, options, Random("a"))
    assert seat(field, options, Random("a")) != seat(field, options, Random("b"))


def test_seeds_by_hand_keep_the_given_order_and_unrated_come_last():
    field = (Entrant("x"), Entrant("y", rating=1500.0), Entrant("z"), Entrant("w", rating=1700.0))
    assert seat(field, SeatingOptions(seeding="hand"), Random(0)) == (1, 4, 2, 3)
    by_rating = seat(field, SeatingOptions(), Random(0))
    assert by_rating[0] == 4
    assert by_rating[2] == 2


def least_pairs(members, blocks):
    """The fewest pairs inside one block when the members are spread as evenly as can be."""
    small, rest = divmod(members, blocks)
    return rest * (small + 1) * small // 2 + (blocks - rest) * small * (small - 1) // 2


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("count", "clubs"), [(16, 4), (32, 5), (64, 9), (64, 3), (50, 6), (128, 12)])
def test_club_mates_meet_in_round_one_only_where_counting_forces_it(count, clubs, seed):
    rng = Random(seed)
    field = tuple(Entrant(f"p{n}", club=f"c{rng.randrange(clubs)}") for n in range(count))
    options = SeatingOptions(seeding="lot", protect=("club",), protect_rounds=1)
    seats = seat(field, options, rng)
    found = clashes(seats, kept_apart(field, ("club",), 1))
    sizes = Counter(e.club for e in field)
    pairs = len(seats) // 2
    # A club larger than the number of matches must meet itself, byes aside.
    assert found == sum(max(0, least_pairs(size, pairs)) for size in sizes.values())


def test_seeded_tiers_hold_under_protection():
    field = field_of(32, clubs=4)
    seats = seat(field, SeatingOptions(protect=("club",), protect_rounds=3), Random(3))
    assert {seats.index(1) // 16, seats.index(2) // 16} == {0, 1}
    assert len({seats.index(n) // 8 for n in (1, 2, 3, 4)}) == 4
    assert len({seats.index(n) // 4 for n in range(1, 9)}) == 8
    assert clashes(seats, kept_apart(field, ("club",), 2)) == 0


def test_countries_and_last_opponents_are_kept_apart():
    field = tuple(
        Entrant(f"p{n}", country="DK" if n < 8 else "SE", met=frozenset({f"p{n ^ 1}"})) for n in range(16)
    )
    seats = seat(
        field, SeatingOptions(seeding="lot", protect=("country", "met"), protect_rounds=1), Random(5)
    )
    assert clashes(seats, kept_apart(field, ("country", "met"), 1)) == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"seeds": 9}, "seeds_out_of_range"),
        ({"byes": "chosen", "chosen_byes": ("nobody",)}, "unknown_bye"),
        ({"byes": "chosen", "chosen_byes": ("p1", "p2", "p3")}, "too_many_byes"),
        ({"chosen_byes": ("p1",)}, "unknown_bye"),
    ],
)
def test_seatings_that_cannot_be_are_refused(options, code):
    with pytest.raises(DrawRefused) as refusal:
        seat(field_of(6), SeatingOptions(**options), Random(0))
    assert refusal.value.code == code


def test_field_refuses_one_player_behind_two_entrants():
    with pytest.raises(DrawRefused, match="player ann is in two entrants"):
        check_field((Entrant("t1", members=("ann", "bo")), Entrant("t2", members=("ann", "cy"))), minimum=2)
    with pytest.raises(DrawRefused, match="entrant p1 is in the field twice"):
        check_field((Entrant("p1"), Entrant("p1")), minimum=2)
    with pytest.raises(DrawRefused, match="1 entrants; this format needs at least 2"):
        check_field((Entrant("p1"),), minimum=2)
