"""The log shows every change that was made behind its back."""

import pytest
from django.db import IntegrityError, transaction

from scoring.chouettes.services.damage import damage_of
from scoring.files.services.imports import import_file
from scoring.log.queries.sheets import events_of
from scoring.log.services.sheets import append_events, replay_sheet
from scoring.models import Match, Sheet
from scoring.rules.events import Event, MatchStarted, OpeningRolled, Played
from scoring.rules.plays import Move
from scoring.rules.sheet import replay
from tests.factories import ClubFactory
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet() -> Sheet:
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    return match.sheet


def test_an_untouched_sheet_is_sound(sheet: Sheet) -> None:
    assert damage_of(sheet) is None
    assert [numbered.seq for numbered in events_of(sheet)] == list(range(1, sheet.head_seq + 1))


def test_a_stored_state_that_does_not_follow_shows(sheet: Sheet) -> None:
    Sheet.objects.filter(pk=sheet.pk).update(state=sheet.state.replace('"length":1', '"length":3'))
    sheet.refresh_from_db()
    damage = damage_of(sheet)
    assert damage is not None
    assert "stored state" in damage.what


def test_a_repeated_client_key_is_refused() -> None:
    sheet = Sheet.objects.create(club=ClubFactory.create())
    log: list[Event] = [MatchStarted(3), OpeningRolled(3, 1)]
    append_events(sheet=sheet, events=log[:1], state=replay(log[:1]), user=None, client_keys=["a"])
    with pytest.raises(IntegrityError), transaction.atomic():
        append_events(sheet=sheet, events=log[1:], state=replay(log), user=None, client_keys=["a"])


def test_a_correction_is_read_in_the_place_of_what_it_replaces() -> None:
    sheet = Sheet.objects.create(club=ClubFactory.create())
    start: list[Event] = [MatchStarted(3), OpeningRolled(3, 1)]
    mistyped, corrected = Played((Move(8, 5), Move(24, 23))), Played((Move(8, 5), Move(6, 5)))
    append_events(sheet=sheet, events=[*start, mistyped], state=replay([*start, mistyped]), user=None)
    state = replay([*start, corrected])
    append_events(sheet=sheet, events=[corrected], state=state, user=None, replaces=[3])
    assert [numbered.event for numbered in events_of(sheet)][2] == corrected
    assert replay_sheet(sheet).game.position.own[5] == 2
    assert damage_of(sheet) is None


def test_an_earlier_head_is_read_as_it_was(sheet: Sheet) -> None:
    assert len(events_of(sheet, upto=3)) == 3
    assert Match.objects.filter(sheet=sheet).exists()
