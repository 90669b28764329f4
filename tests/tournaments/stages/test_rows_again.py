"""A picture that goes on from an earlier one reads few rows again, and shows what a new one shows."""

from collections.abc import Callable

import pytest
from django.utils.timezone import now

from clubs.models import Role
from scoring.log.queries.writers import Author
from scoring.rules.endings import GameEnd
from scoring.rules.events import GameRecorded
from scoring.rules.match import Win
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import undo_last
from scoring.sheets.services.entries import Entry, record
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, pairing, win
from tournaments.desk.services.results import match_of, reopen_result
from tournaments.entries.services.late_entries import replace
from tournaments.models import PairingRow, StageRow
from tournaments.stages.queries.stage_picture import PictureCell, Seen, picture_of
from tournaments.stages.queries.stage_rows import names_in
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def shown(stage: StageRow, before: Seen | None = None) -> tuple[list[PictureCell], Seen]:
    fresh = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    picture = picture_of(fresh, load(fresh), before)
    return list(picture.cells), picture.seen


class Desk:
    """What happens to the first three matches of a draw."""

    def __init__(self, stage: StageRow) -> None:
        self.stage = stage
        self.director = member(stage.flight.event.club, Role.DIRECTOR)
        self.numbers = [row.number for row in open_pairings(stage)][:3]

    def row(self, index: int) -> PairingRow:
        return pairing(self.stage, self.numbers[index])

    def write(self, index: int, **columns: object) -> None:
        PairingRow.objects.filter(pk=self.row(index).pk).update(**columns)

    def win(self, index: int) -> None:
        win(self.row(index), self.director)

    def score(self) -> None:
        entry = Entry("game", GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF))
        author = Author(user=self.director, directs=True)
        record(match=match_of(self.row(1)), author=author, after=1, entries=[entry])

    def undo(self) -> None:
        author = Author(user=self.director, directs=True)
        undo_last(match=match_of(self.row(1)), author=author, after=2, key="undo")

    def correct(self) -> None:
        win(self.row(0), self.director, a=False, reason="Misheard.", decided=True)

    def reopen(self) -> None:
        row, head = self.row(2), StageRow.objects.get(pk=self.stage.pk).head_seq
        reopen_result(pairing=row, seen=head, user=self.director, reason="Not over.", decided=True)


STEPS: list[Callable[[Desk], None]] = [
    lambda desk: desk.write(2, called_at=now()),
    lambda desk: desk.write(2, table=7),
    lambda desk: desk.write(2, started_at=now()),
    lambda desk: desk.write(2, called_at=None, table=None, started_at=None),
    lambda desk: desk.write(0, table=4),
    lambda desk: desk.win(0),
    Desk.score,
    Desk.undo,
    lambda desk: desk.win(1),
    lambda desk: desk.win(2),
    Desk.correct,
    Desk.reopen,
    lambda desk: desk.win(2),
]


@pytest.mark.parametrize("format_key", ["knockout", "double", "round_robin"])
@pytest.mark.parametrize("players", [7, 8])
def test_a_picture_that_goes_on_shows_what_a_new_one_shows(format_key: str, players: int) -> None:
    stage = drawn(an_event(players, format_key=format_key))
    desk = Desk(stage)
    cells, seen = shown(stage)
    for number, step in enumerate(STEPS):
        step(desk)
        before, (cells, seen) = cells, shown(stage, seen)
        assert cells == shown(stage)[0], number
        assert cells != before, number


def test_names_read_before_a_substitute_came_are_not_shown():
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    read = names_in(stage)
    left = open_pairings(stage)[0].a
    replace(entrant=left, players=[a_player(event.club, "Late Substitute")], user=director)
    fresh = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    names = picture_of(fresh, load(fresh), names=read).names
    assert names == names_in(fresh) != read
    assert "Late Substitute" in [named.title for named in names.values()]
