"""One order of locks: docs/engineers/architecture.md has it, tests/lock_order.py watches it in every test."""

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet

from scoring.models import Match, Sheet
from tests.lock_order import ORDER, LockOrderError
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.models import Board, Event, Flight, StageRow
from tournaments.stages.services.locks import lock_with_sheets

ARCHITECTURE = Path(__file__).parents[2] / "docs/engineers/architecture.md"

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> StageRow:
    return drawn(an_event(4))


def locked(rows: QuerySet[Any]) -> None:
    list(rows.select_for_update(of=("self",), no_key=True))


def locked_together(*tables: QuerySet[Any]) -> None:
    with transaction.atomic():
        for rows in tables:
            with transaction.atomic():
                locked(rows)


def sheets_of(stage: StageRow) -> QuerySet[Sheet]:
    return Sheet.objects.filter(match__board__pairing__stage=stage)


def test_a_sheet_after_its_stage_is_refused(stage):
    with pytest.raises(LockOrderError, match="scoring_sheet is locked after tournaments_stage"):
        locked_together(StageRow.objects.filter(pk=stage.pk), sheets_of(stage))


def test_a_flight_after_its_event_is_refused(stage):
    with pytest.raises(LockOrderError, match="tournaments_flight is locked after tournaments_event"):
        locked_together(Event.objects.all(), Flight.objects.all())


def test_a_match_without_its_sheet_has_a_place_of_its_own(stage):
    with pytest.raises(LockOrderError, match="scoring_match is locked after tournaments_event"):
        locked_together(Event.objects.all(), Match.objects.filter(board__pairing__stage=stage))


def test_the_order_itself_and_what_is_held_already_pass(stage):
    matches = Match.objects.filter(board__pairing__stage=stage)
    locked_together(
        Flight.objects.all(),
        sheets_of(stage),
        StageRow.objects.all(),
        Event.objects.all(),
        sheets_of(stage),
        matches,
    )


def test_what_was_made_in_the_transaction_is_nobody_elses():
    with transaction.atomic():
        event = an_event(2)
        locked(Event.objects.filter(pk=event.pk))
        locked(Flight.objects.filter(event=event))


def test_a_savepoint_that_is_rolled_back_gives_its_locks_back(stage):
    row = open_pairings(stage)[0]
    with transaction.atomic():
        lock_with_sheets(row.stage, lambda: sheets_of(stage))
        assert sheets_of(stage).exists()


def test_each_transaction_begins_with_nothing(stage):
    locked_together(Event.objects.all())
    locked_together(Flight.objects.all())


def test_a_table_without_a_place_in_the_order_is_refused(stage):
    with pytest.raises(LockOrderError, match="tournaments_board has no place"):
        locked_together(Board.objects.filter(pairing__stage=stage))


def test_the_order_is_the_one_that_is_written_down():
    section = ARCHITECTURE.read_text().split("## The order of locks")[1].split("\n## ")[0]
    lines = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ")]
    named = [name.strip() for tables in lines[1:] for name in tables.split(",")]
    assert named == list(ORDER)
