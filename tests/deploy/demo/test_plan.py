"""The demo's season: a year of Tuesdays, nobody at two boards at once, the same for the same seed."""

import unicodedata
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest

from deploy.demo.cast import LOGINS, NAMES, cast
from deploy.demo.plan import UNCONFIRMED, ZONE, Size, demo_plan
from deploy.demo.season import CLUB_NIGHT, ROUNDS

TODAY = date(2026, 11, 21)
PLAN = demo_plan(1, TODAY)


def test_the_full_demo_is_as_large_as_it_promises():
    assert len(PLAN.people) >= 24
    assert len(PLAN.fixtures) >= 120
    assert {fixture.length for fixture in PLAN.fixtures} == {1, 2, 3, 4, 5}


def test_club_nights_are_spread_over_a_year_before_today():
    nights = sorted({fixture.at.astimezone(ZONE).date() for fixture in PLAN.fixtures})
    assert {night.weekday() for night in nights} == {CLUB_NIGHT}
    assert TODAY - timedelta(days=7) <= nights[-1] < TODAY
    assert timedelta(days=340) < nights[-1] - nights[0] <= timedelta(days=366)
    assert all(later - night <= timedelta(weeks=3) for night, later in pairwise(nights))


def test_nobody_sits_at_two_boards_of_a_round_and_no_two_matches_begin_together():
    assert len({fixture.at for fixture in PLAN.fixtures}) == len(PLAN.fixtures)
    at_night = Counter(
        (fixture.at.date(), player) for fixture in PLAN.fixtures for player in (fixture.white, fixture.black)
    )
    assert max(at_night.values()) <= ROUNDS
    assert all(fixture.white != fixture.black for fixture in PLAN.fixtures)


def test_everybody_comes_and_who_can_sign_in_played_last():
    seats = {player for fixture in PLAN.fixtures for player in (fixture.white, fixture.black)}
    assert seats == set(range(len(PLAN.people)))
    newest = [f for f in PLAN.fixtures if f.at.date() == PLAN.fixtures[-1].at.date()]
    assert set(range(LOGINS)) <= {player for f in newest for player in (f.white, f.black)}
    waiting = PLAN.fixtures[-UNCONFIRMED:]
    assert all(fixture in newest for fixture in waiting)


def test_the_date_moves_the_nights_and_nothing_else():
    later = demo_plan(1, TODAY + timedelta(days=100))
    assert later.games == PLAN.games
    assert later.people == PLAN.people
    assert [(f.white, f.black, f.length) for f in later.fixtures] == [
        (f.white, f.black, f.length) for f in PLAN.fixtures
    ]


def test_another_seed_is_another_season():
    assert demo_plan(2, TODAY).games != PLAN.games


def test_strengths_are_spread_from_the_weakest_to_the_strongest():
    levels = sorted(person.level for person in PLAN.people)
    assert (levels[0], levels[-1]) == (0.0, 1.0)
    assert len(set(levels)) == len(levels)


def test_names_are_of_many_scripts_and_as_people_write_them():
    assert len(set(NAMES)) == len(NAMES)
    assert all(unicodedata.is_normalized("NFC", name) for name in NAMES)
    scripts = {unicodedata.name(letter).split()[0] for name in NAMES for letter in name if letter.isalpha()}
    assert {"LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW", "GEORGIAN"} <= scripts


@pytest.mark.parametrize("members", [3, len(NAMES) + 1])
def test_a_cast_that_cannot_be_is_refused(members):
    with pytest.raises(ValueError, match=f"4 to {len(NAMES)} members, not {members}"):
        cast(members, Random(1))


def test_a_demo_without_matches_is_refused():
    with pytest.raises(ValueError, match="at least 4 matches, not 3"):
        demo_plan(1, TODAY, Size(matches=3))
