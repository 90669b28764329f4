"""When rounds of a bracket start: from the last call on, 11 minutes a point, never in a break."""

from datetime import UTC, datetime, timedelta

from tournaments.core.timetable.breaks import Break
from tournaments.stages.queries.round_starts import round_start, starts_of
from tournaments.stages.queries.stage_picture import PictureCell, PictureColumn, SideMark
from tournaments.stages.queries.stage_rows import PlacedPairing

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
NOBODY = SideMark(0)


def cell(
    number: int, state: str, *, feeds: tuple[int, ...] = (), drops: tuple[int, ...] = (), called: int = 0
) -> PictureCell:
    placed = PlacedPairing("r", None, 1, NOON - timedelta(minutes=called), begun=True) if called else None
    return PictureCell(number, state, NOBODY, NOBODY, placed, feeds=feeds, drops=drops)


ROUNDS = (
    PictureColumn("1", "Round 1", (cell(1, "done"), cell(2, "live", called=20), cell(3, "ready")), length=5),
    PictureColumn("2", "Round 2", (cell(4, "waiting", feeds=(1, 2)), cell(5, "waiting", feeds=(3,)))),
    PictureColumn("3", "Final", (cell(6, "waiting", feeds=(4, 5)),), length=9),
    PictureColumn("c", "Consolation", (cell(7, "waiting", drops=(4, 5)),)),
)


def minutes(breaks: tuple[Break, ...] = ()) -> dict[int, float]:
    found = starts_of(ROUNDS, NOON, length=7, breaks=breaks)
    return {number: (at - NOON) / timedelta(minutes=1) for number, at in found.items()}


def test_a_match_starts_when_the_last_that_feeds_it_ends() -> None:
    # Match 2 was called 20 minutes ago: to 5 it ends in 35; match 3 is called now.
    assert minutes() == {4: 35, 5: 55, 6: 55 + 77, 7: 55 + 77}


def test_no_match_starts_in_a_break() -> None:
    lunch = Break("Lunch", NOON + timedelta(minutes=30), NOON + timedelta(minutes=90))
    assert minutes((lunch,)) == {4: 90, 5: 90, 6: 167, 7: 167}


def test_a_round_starts_with_its_first_match_and_one_that_has_begun_has_no_start() -> None:
    starts = starts_of(ROUNDS, NOON, length=7)
    told = [round_start(starts, column) for column in ROUNDS]
    assert told == [None, NOON + timedelta(minutes=35), *[NOON + timedelta(minutes=132)] * 2]
