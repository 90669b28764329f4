"""Event files in bad company: cut off, read by two at once, written and read while the desk goes on."""

import json
from contextlib import suppress
from itertools import pairwise
from threading import Event as ThreadEvent
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse

from clubs.models import Club, Membership, Player, Role
from tests.factories import ClubFactory, member
from tests.races import at_once, in_between, until_somebody_waits
from tests.tiers import sized
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, win
from tests.tournaments.stages.test_feeding import SWISS, planned
from tests.tournaments.transfer.test_event_files import altered, elsewhere, played
from tournaments.desk.services.calls import call
from tournaments.desk.services.rulings import rule_on
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import DeskRefused
from tournaments.log.services import StaleRefused, note
from tournaments.log.services import damage_of as damage_of_log
from tournaments.models import Event, Pairing, Stage
from tournaments.stages.services.stages import damage_of
from tournaments.transfer.services.event_files import _digest, event_file, read_event_file
from tournaments.transfer.services.event_locks import hold_all

pytestmark = pytest.mark.django_db(transaction=True)


def test_wherever_a_file_is_cut_off_it_is_refused_as_such_and_nothing_is_kept(client):
    event, director = played()
    text = event_file(event)
    before = event_file(event)
    for end in range(1, len(text) - 2, len(text) // 60):
        with pytest.raises(DeskRefused, match="it is cut off, or no JSON, at line"):
            read_event_file(club=event.club, text=text[:end])
    assert event_file(event) == before
    client.force_login(director)
    page = reverse("tournaments:read_file", args=[event.club.slug])
    half = SimpleUploadedFile("event.json", text.encode()[: len(text) // 2])
    answer = client.post(page, {"file": half})
    assert (answer.status_code, "it is cut off" in answer.content.decode()) == (409, True)
    # Only the last line's end is missing.
    assert read_event_file(club=event.club, text=text.rstrip()) == event


def test_a_mark_of_the_encoding_in_front_is_no_harm():
    event, _director = played()
    text = event_file(event)
    found = read_event_file(club=elsewhere(), text=f"\ufeff{text}")
    assert event_file(found) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "midpoint event", "edition": 2, "digest": "\\ud800"}',
        f'{{"kind": "midpoint event", "edition": 2, "digest": {"9" * 5000}}}',
        '{"kind": "midpoint event", "edition": [2]}',
        '{"kind": "midpoint event", "edition": NaN}',
        f'{{"kind": "midpoint event", "edition": 2, "tables": {"[" * 900}{"]" * 900}}}',
        "\ufeff\ufeff{}",
        "\x00",
    ],
)
def test_what_only_looks_like_a_file_is_refused(text):
    with pytest.raises(DeskRefused, match="no event file that can be read"):
        read_event_file(club=ClubFactory.create(), text=text)


LATE = (DeskRefused, StaleRefused)
"""Also DeskRefused's own OvertakenRefused."""
WRONG: tuple[Any, ...] = (None, [], {}, -1, 2**70, "\x00", "\ud800", 1e400, True)


STRIDE = sized(3, 1)
"""Of how many columns one is tried with each wrong value."""


@pytest.mark.parametrize("offset", sized([0], [0, 4]))
def test_no_value_in_a_file_brings_the_reader_down(offset):
    """Signed anew, each column of each table in turn is something else: read, or refused in words."""
    event, _director = played()
    whole = json.loads(event_file(event))
    places = [(name, column) for name, rows in sorted(whole["tables"].items()) if rows for column in rows[0]]
    club = elsewhere()
    for number, (name, column) in list(enumerate(places))[::STRIDE]:
        body = json.loads(json.dumps(whole))
        body["tables"][name][0][column] = WRONG[(number + offset) % len(WRONG)]
        with suppress(UnicodeEncodeError):
            body["digest"] = _digest(body)
        with transaction.atomic():
            # Nothing else: that would be an answer without a sentence.
            with suppress(DeskRefused):
                read_event_file(club=club, text=json.dumps(body))
            transaction.set_rollback(True)
    assert not Event.objects.exists()


def test_two_who_bring_the_same_new_event_at_once_both_find_it_there_once():
    event, _director = played()
    text = event_file(event)
    club = elsewhere()
    found = at_once(*[lambda: read_event_file(club=club, text=text)] * 3)
    assert found == [Event.objects.get()] * 3
    assert event_file(found[0]) == text
    assert Player.objects.count() == Membership.objects.filter(club=club).count()


def test_two_events_with_the_same_new_people_come_in_at_once():
    first, _director = played()
    second = an_event(club=first.club)
    for player in Player.objects.filter(entries__isnull=False):
        enter(flight=flight_of(second), players=[player])
    drawn(second)
    texts = [event_file(first), event_file(second)]
    club = elsewhere()
    found = at_once(*[lambda text=text: read_event_file(club=club, text=text) for text in texts])
    assert [event_file(each) for each in found] == texts


def home_and_venue(results: int = 1) -> tuple[Club, str]:
    """An event at home, and the file of the venue where it went on."""
    event = an_event(8, format_key="double")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    home = event_file(event)
    for row in open_pairings(stage)[:results]:
        win(row, director)
    rule_on(event=event, user=director, happened="At the venue.", decision="So.")
    venue = event_file(event)
    club = elsewhere()
    read_event_file(club=club, text=home)
    return club, venue


def all_three_at_once(club: Club, venue: str) -> list[Any]:
    """What came of the file, of a result, and of a call."""
    director = member(club, Role.DIRECTOR)
    rows = open_pairings(Stage.objects.get())
    return at_once(
        lambda: read_event_file(club=club, text=venue),
        lambda: win(rows[-1], director),
        lambda: call(pairing=rows[-2], user=director),
    )


def test_of_a_file_that_comes_in_and_a_result_at_the_desk_one_is_first_and_none_breaks():
    for _time in range(4):
        said = all_three_at_once(*home_and_venue())
        assert not [each for each in said if isinstance(each, Exception) and not isinstance(each, LATE)]
        if isinstance(said[0], DeskRefused):
            assert said[0].code in {"older", "diverged"}
        else:
            assert said[0] == Event.objects.get()
        assert damage_of(Stage.objects.get()) == ""
        assert damage_of_log(Event.objects.get()) == ""
        # What is here now is whole: an empty installation reads it.
        text = event_file(Event.objects.get())
        assert event_file(read_event_file(club=elsewhere(), text=text)) == text


@pytest.mark.parametrize("desk_first", [True, False])
def test_a_file_and_a_result_wait_for_each_other_and_never_both_for_both(desk_first):
    club, venue = home_and_venue()
    director = member(club, Role.DIRECTOR)
    row = open_pairings(Stage.objects.get())[-1]

    def desk():
        return win(row, director)

    def file():
        return read_event_file(club=club, text=venue)

    said = in_between(desk, file) if desk_first else in_between(file, desk)
    read = said[1] if desk_first else said[0]
    if desk_first:
        assert (type(read), read.code) == (DeskRefused, "diverged")
        assert Pairing.objects.filter(state="decided").count() == 1
    else:
        assert read == Event.objects.get()
        # The page that the result came from has not seen what came in.
        assert said[1] is None or type(said[1]).__name__ == "StaleRefused"
    assert damage_of(Stage.objects.get()) == ""


def test_a_file_that_is_written_while_the_desk_goes_on_is_of_one_moment():
    event = an_event(16)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    rows = open_pairings(stage)

    def play():
        for row in rows:
            win(row, director)
            with transaction.atomic():
                note(event=event, kind="announced", user=director)

    def save():
        return [event_file(event) for _time in range(12)]

    _played, *saved = at_once(play, save, save)
    whole = [json.loads(text) for texts in saved for text in texts]
    for body in whole:
        tables = body["tables"]
        assert [row["seq"] for row in tables["deskevent"]][-1:] == [tables["event"][0]["desk_seq"]]
        assert max(row["seq"] for row in tables["stageevent"]) == tables["stage"][0]["head_seq"]
        heads = dict.fromkeys(range(len(tables["sheet"])), 0)
        for row in tables["sheetevent"]:
            heads[row["sheet"]] = max(heads[row["sheet"]], row["seq"])
        assert list(heads.values()) == [sheet["head_seq"] for sheet in tables["sheet"]]
        decided = sum(row["state"] == "decided" for row in tables["pairing"])
        assert decided == len(tables["result"])
    ends = sorted(body["tables"]["event"][0]["desk_seq"] for body in whole)
    assert any(one < other for one, other in pairwise(ends)), "the desk did not go on meanwhile"


def test_a_file_with_a_column_that_is_not_known_here_is_refused_by_its_name():
    event, _director = played()
    text = altered(event_file(event), lambda body: body["tables"]["event"][0].update(weather="rain"))
    with pytest.raises(DeskRefused, match="weather"):
        read_event_file(club=elsewhere(), text=text)


def test_who_reads_a_file_takes_the_stages_in_the_order_of_the_desk_whatever_their_keys():
    flight, _director = planned(SWISS, 0)
    event = flight.event
    stages = list(Stage.objects.filter(flight__event=event).order_by("pk"))
    turned = {stage.pk: len(stages) - 1 - stage.position for stage in stages}
    for offset in (len(stages), 0):  # no two at the same position meanwhile
        for pk, position in turned.items():
            Stage.objects.filter(pk=pk).update(position=position + offset)
    first, *behind = sorted(stages, key=lambda stage: turned[stage.pk])
    begun, over = ThreadEvent(), ThreadEvent()

    def at_the_desk() -> None:
        with transaction.atomic():
            list(Stage.objects.filter(pk=first.pk).select_for_update(no_key=True))
            begun.set()
            until_somebody_waits(over)
            list(Stage.objects.filter(pk__in=[each.pk for each in behind]).select_for_update(no_key=True))

    def reading() -> None:
        begun.wait(10)
        with transaction.atomic():
            hold_all(event.ref)
        over.set()

    assert at_once(at_the_desk, reading) == [None, None]
