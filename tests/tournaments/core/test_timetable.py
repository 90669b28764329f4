"""Matches of several draws at the tables of one venue."""

import pytest

from tournaments.core.timetable.timetable import Meeting, PlannedDraw, timetable


def final_of_four(*minutes):
    """Two semi-finals and a final."""
    return (
        Meeting(1, 1, 2, minutes[0]),
        Meeting(1, 3, 4, minutes[1]),
        Meeting(2, 1, 3, minutes[2]),
    )


def test_a_match_waits_for_both_of_its_entrants():
    found = timetable([PlannedDraw(final_of_four(30.0, 50.0, 20.0))])
    assert found.ends == {0: 70.0}
    assert (found.busy, found.most) == ({0: 2}, 2)


def test_one_table_plays_everything_one_after_the_other():
    found = timetable([PlannedDraw(final_of_four(30.0, 50.0, 20.0))], tables=1)
    assert found.ends == {0: 100.0}
    assert found.most == 1


def test_a_round_begins_when_the_last_one_is_over():
    meetings = (
        Meeting(1, 1, 2, 10.0),
        Meeting(1, 3, 4, 60.0),
        Meeting(2, 1, 2, 10.0),
    )
    assert timetable([PlannedDraw(meetings)]).ends == {0: 60.0}
    assert timetable([PlannedDraw(meetings, by_rounds=True)]).ends == {0: 70.0}


def test_two_flights_share_the_tables():
    flights = [PlannedDraw((Meeting(1, 1, 2, 30.0),), flight=n) for n in range(2)]
    assert timetable(flights).ends == {0: 30.0, 1: 30.0}
    shared = timetable(flights, tables=1)
    assert shared.ends == {0: 30.0, 1: 60.0}
    assert (shared.busy, shared.most) == ({0: 1, 1: 1}, 1)


def test_a_stage_begins_when_those_that_fill_it_are_over():
    groups = [PlannedDraw((Meeting(1, 1, 2, minutes),)) for minutes in (20.0, 45.0)]
    final = PlannedDraw((Meeting(1, 1, 2, 30.0),), behind=(0, 1))
    assert timetable([*groups, final]).ends == {0: 75.0}


def test_a_tie_takes_a_table_for_each_board_or_plays_them_in_turns():
    tie = [PlannedDraw((Meeting(1, 1, 2, 40.0),), boards=3)]
    assert timetable(tie).most == 3
    assert timetable(tie, tables=2).ends == {0: 80.0}
    assert timetable(tie, tables=2).most == 2


def test_what_cannot_be_played_is_refused():
    with pytest.raises(ValueError, match="on 0 tables"):
        timetable([], tables=0)
    with pytest.raises(ValueError, match="never finishes"):
        timetable([PlannedDraw((Meeting(1, 1, 2, 5.0),), behind=(0,))])
