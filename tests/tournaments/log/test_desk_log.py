"""The event's log: appended, chained, and free of what must be erasable."""

import pytest
from django.db import IntegrityError, transaction

from clubs.models import Role
from scoring.log.services.chains import chain_damage
from tests.factories import PlayerFactory, member
from tests.races import at_once
from tests.tournaments.factories import an_event
from tournaments.events.services.erasures import forget_desk_notes, own_desk_notes
from tournaments.log.queries.desk_log import lines
from tournaments.log.services import note
from tournaments.models import Event


def noted(event, kind="ruling", **options):
    with transaction.atomic():
        return note(event=event, kind=kind, user=options.pop("user", None), **options)


def text_of(row):
    assert row.note is not None
    return row.note.text


@pytest.mark.django_db
def test_every_entry_has_a_number_an_author_and_a_new_version_of_the_event():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    before = event.version
    first, second = noted(event, user=director, text="Dice were cocked."), noted(event, "call", table=3)
    assert [(row.seq, row.kind) for row in (first, second)] == [(2, "ruling"), (3, "call")]
    stored = Event.objects.get(pk=event.pk)
    assert (stored.head_seq, stored.version) == (3, before + 2)
    newest, oldest, _announced = lines(stored)
    assert (newest.body, text_of(oldest), oldest.user) == ({"table": 3}, "Dice were cocked.", director)
    assert chain_damage(stored) is None


@pytest.mark.django_db
def test_an_entry_is_undone_once():
    event = an_event()
    call = noted(event, "call")
    noted(event, "call_undone", undoes=call.seq)
    with pytest.raises(IntegrityError), transaction.atomic():
        noted(event, "call_undone", undoes=call.seq)
    assert [getattr(line, "undone", None) for line in lines(event)] == [False, True, False]


@pytest.mark.django_db
def test_the_log_is_searched_by_words_and_kinds():
    event = an_event()
    noted(event, text="The dice were cocked. § 3.4")
    noted(event, text="Late for the match. § 6.2")
    noted(event, "call")
    assert [line.seq for line in lines(event, text="COCKED")] == [2]
    assert [line.seq for line in lines(event, text="6.2")] == [3]
    assert [line.seq for line in lines(event, kinds=frozenset({"call"}))] == [4]


@pytest.mark.django_db
def test_erasing_a_person_removes_their_notes_and_keeps_the_chain():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    other = PlayerFactory.create()
    noted(event, user=director, text="by me")
    noted(event, text="about me", about=[director.player.ref])
    noted(event, text="about somebody else", about=[other.ref])
    assert own_desk_notes(director.player) == ["by me"]
    forget_desk_notes(director.player)
    rulings = lines(event, kinds=frozenset({"ruling"}))
    assert [text_of(line) for line in rulings] == ["about somebody else", "", ""]
    assert chain_damage(Event.objects.get(pk=event.pk)) is None


@pytest.mark.django_db(transaction=True)
def test_two_directors_at_once_are_two_entries_in_a_row():
    event = an_event()
    at_once(lambda: noted(event, "call", table=1), lambda: noted(event, "call", table=2))
    stored = Event.objects.get(pk=event.pk)
    assert (stored.head_seq, chain_damage(stored)) == (3, None)
