"""What a file says is proved from what it says, and held against what was made here."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from clubs.models import User
from scoring.log.services.chains import chain_damage
from scoring.log.services.notes import erase_note
from tests.tournaments.factories import an_event
from tests.tournaments.transfer.machines import altered, at_the_venue, away, back, elsewhere, played, written
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import DeskEvent, Event, StageEntrant, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load
from tournaments.transfer.services.moves import bring_here
from tournaments.transfer.services.proofs import prove

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_text_that_was_erased_before_the_move_is_an_erased_one_elsewhere():
    event, dora = written()
    text = DeskEvent.objects.get(kind="ruling").note
    assert text is not None
    erase_note(text)
    home = away(event, dora)
    bring_here(club=elsewhere(), text=home, user=None)
    ruling = DeskEvent.objects.get(kind="ruling")
    assert ruling.note is not None
    assert (ruling.note.text, ruling.note.erased_at is None) == ("", False)
    assert ruling.note_digest
    assert chain_damage(Event.objects.get()) is None


@pytest.mark.long
def test_a_file_is_held_against_the_draw_that_was_made_here_and_not_only_against_itself():
    event, _director = played()
    load(StageRow.objects.get())  # as this process has it in mind from any page
    text = away(event)
    changes: dict[str, Callable[[dict[str, Any]], object]] = {
        "stage.seats": lambda tables: tables["stage"][0].update(seats=8),
        "stage.options": lambda tables: tables["stage"][0]["options"].update(lengths=[9]),
        "stage.seed": lambda tables: tables["stage"][0].update(seed="another"),
        "stageentrant.told": lambda tables: tables["stageentrant"][0]["told"].update(rating=2500),
        "stageentrant.seat": _two_seats_swapped,
    }
    for name, change in changes.items():

        def damage(body: dict[str, Any], change: Callable[[dict[str, Any]], object] = change) -> None:
            change(body["tables"])

        with pytest.raises(
            DeskRefused, match=r"does not match the draw made here|was drawn differently here"
        ) as found:
            back(event, altered(text, damage))
        assert found.value.code == "file", name
    assert back(event, text) == event


def _two_seats_swapped(tables: dict[str, Any]) -> None:
    one, other = tables["stageentrant"][:2]
    one["seat"], other["seat"] = other["seat"], one["seat"]


def test_a_file_is_proved_by_what_it_says_and_not_by_what_this_process_has_in_mind():
    played()
    load(StageRow.objects.get())
    StageEntrant.objects.filter(number=1).update(told={"rating": "high"})
    with pytest.raises(DeskRefused, match="rating"):
        prove(Event.objects.get())


@pytest.mark.long
def test_a_log_that_says_no_seeds_of_a_draw_made_elsewhere_is_refused(tmp_path):
    event = an_event(4)
    home = away(event)

    def draw(there: Event, vera: User) -> None:
        with transaction.atomic():
            note(event=there, kind="moved_in", user=vera, seeds=5)
        draw_stage(stage=StageRow.objects.get(), user=vera)

    with pytest.raises(DeskRefused, match=r"deskevent\[\d\].body.seeds: 5 is not a list"):
        back(event, at_the_venue(tmp_path, home, draw))
