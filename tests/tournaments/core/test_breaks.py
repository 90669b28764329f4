"""Breaks as values: what they hold up, what they do not, and which cannot be."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from tests.tournaments.breaks import BERLIN, LUNCH, NOON, SOUP, minutes
from tournaments.core.formats.presets import preset
from tournaments.core.play.acts import open_stage, publish
from tournaments.core.play.simulation import World, play_event
from tournaments.core.stages.entrants import Entrant
from tournaments.core.timetable.breaks import (
    Break,
    BreakRefused,
    after_playing,
    behind_breaks,
    check_breaks,
    coming,
    current,
    local_moment,
    played_time,
)
from tournaments.core.timetable.forecast import minutes_left
from tournaments.core.timetable.lateness import begins_at, point_due, suggested
from tournaments.core.timetable.timetable import Meeting, PlannedDraw, timetable


def test_a_moment_in_a_break_moves_to_its_end_and_on_through_the_next_one():
    assert behind_breaks([LUNCH], NOON) == NOON
    assert behind_breaks([LUNCH], LUNCH.starts_at) == LUNCH.ends_at
    assert behind_breaks([LUNCH], LUNCH.ends_at) == LUNCH.ends_at
    assert behind_breaks([LUNCH, SOUP], NOON + minutes(45)) == SOUP.ends_at


def test_a_break_is_on_until_just_before_its_end():
    assert current([LUNCH], LUNCH.starts_at) == LUNCH
    assert current([LUNCH], LUNCH.ends_at) is None
    assert coming([LUNCH, SOUP], NOON) == LUNCH
    assert coming([LUNCH, SOUP], LUNCH.ends_at) == SOUP
    assert coming([LUNCH, SOUP], SOUP.ends_at) is None


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [(0, 30, 30), (0, 60, 30), (0, 120, 60), (40, 80, 0), (60, 120, 30), (95, 120, 25), (60, 0, -30)],
)
def test_the_minutes_of_a_break_do_not_count(since, until, expected):
    found = played_time([LUNCH], NOON + minutes(since), NOON + minutes(until))
    if since < until:
        assert found == minutes(expected)
    else:
        assert found < timedelta(0)


@pytest.mark.parametrize("since", range(0, 130, 10))
@pytest.mark.parametrize("count", [1, 20, 45, 100])
def test_so_much_time_has_passed_when_it_is_said_to_have(since, count):
    begun = NOON + minutes(since)
    over = after_playing([LUNCH, SOUP], begun, minutes(count))
    assert played_time([LUNCH, SOUP], begun, over) == minutes(count)
    assert current([LUNCH, SOUP], over - minutes(0.5)) is None


def test_lateness_stands_still_in_a_break():
    called = NOON + minutes(27)
    assert suggested(called, NOON + minutes(89), [LUNCH]) == 0
    assert suggested(called, NOON + minutes(92), [LUNCH]) == 1
    assert point_due(called, 1, [LUNCH]) == NOON + minutes(92)
    assert suggested(NOON + minutes(40), LUNCH.ends_at + minutes(4), [LUNCH]) == 0
    assert suggested(NOON + minutes(40), LUNCH.ends_at + minutes(5), [LUNCH]) == 1


def test_no_round_begins_in_a_break():
    starts = {"2": (NOON + minutes(60)).isoformat()}
    assert begins_at(starts, 1, breaks=[LUNCH], at=NOON) == NOON
    assert begins_at(starts, 2, breaks=[LUNCH], at=NOON) == LUNCH.ends_at
    assert begins_at(starts, 2, breaks=[], at=NOON) == NOON + minutes(60)
    assert begins_at(starts, 1, breaks=[LUNCH], at=LUNCH.starts_at) == LUNCH.ends_at


@pytest.mark.parametrize(
    ("breaks", "code"),
    [
        ([Break(" ", NOON, NOON + minutes(5))], "name"),
        ([Break("x" * 41, NOON, NOON + minutes(5))], "name"),
        ([Break("Lunch", NOON, NOON)], "end"),
        ([Break("Lunch", NOON, NOON - minutes(5))], "end"),
        ([Break("Lunch", NOON - minutes(61), NOON)], "outside"),
        ([Break("Lunch", NOON + timedelta(days=400), NOON + timedelta(days=401))], "outside"),
        ([LUNCH, Break("Talk", NOON + minutes(89), NOON + minutes(95))], "overlap"),
        ([Break(str(n), NOON + minutes(n), NOON + minutes(n + 1)) for n in range(61)], "most"),
    ],
)
def test_breaks_that_cannot_be_are_refused(breaks, code):
    with pytest.raises(BreakRefused) as refused:
        check_breaks(breaks, event_at=NOON - minutes(60))
    assert refused.value.code == code


def test_breaks_may_follow_each_other_without_a_gap():
    check_breaks([LUNCH, SOUP], event_at=LUNCH.starts_at)


def test_an_hour_that_the_clock_leaves_out_is_refused_and_one_that_it_shows_twice_is_the_first():
    with pytest.raises(BreakRefused, match="there is no 2026-03-29 02:30"):
        local_moment(datetime(2026, 3, 29, 2, 30), BERLIN)
    twice = local_moment(datetime(2026, 10, 25, 2, 30), BERLIN)
    assert twice.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_a_timetable_begins_nothing_in_a_break_and_lets_play_on():
    cup = PlannedDraw((Meeting(1, 1, 2, 30.0), Meeting(1, 3, 4, 50.0), Meeting(2, 1, 3, 20.0)))
    assert timetable([cup]).ends == {0: 70.0}
    assert timetable([cup], closed=[(50.0, 110.0)]).ends == {0: 130.0}
    assert timetable([cup], closed=[(40.0, 50.0)]).ends == {0: 70.0}
    assert timetable([cup], closed=[(0.0, 15.0)]).ends == {0: 85.0}
    assert timetable([cup], tables=1, closed=[(20.0, 60.0), (60.0, 65.0)]).ends == {0: 65.0 + 50 + 20}


def test_what_is_left_is_played_around_breaks_and_earliest_starts():
    chosen = preset("knockout")
    field = [Entrant(f"p{n}") for n in range(1, 9)]
    stage = publish(open_stage(chosen.format, field, chosen.options, seed="s"))
    ended = play_event(stage, World({}, Random(1)))

    def left(**options):
        return minutes_left(stage, ended, {}, a_point=10.0, length=5, **options)

    assert left() == 150
    assert left(closed=[(100.0, 160.0)]) == 210
    assert left(closed=[(99.0, 100.0)]) == 150
    assert left(begin=20.0, closed=[(10.0, 30.0)]) == 180
    assert left(starts={2: 60.0}, closed=[(60.0, 70.0)]) == 170
