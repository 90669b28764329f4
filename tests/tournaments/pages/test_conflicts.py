"""Whoever comes second from a stale page gets 409 with the page as it is now, with htmx and without."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from scoring.log.services.chains import chain_damage
from tests.factories import member
from tests.races import at_once, in_between
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import league
from tests.tournaments.stages.test_feeding import SWISS, planned, play, stage_named
from tests.tournaments.stages.test_rounds_by_hand import a_swiss, now_of, rounds
from tournaments.core.prizes.pools import Fees
from tournaments.core.proof.check import check_text
from tournaments.desk.services.calls import call
from tournaments.events.services.events import FlightTerms
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import EntrantRow, Event, EventStatus, PairingRow, Prize, StageRow, StageStatus
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import fed_field
from tournaments.stages.services.rounds import pair_round
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def refused(answer, page, words):
    """That it was answered with 409, the words and the page, which fetches itself under its own address."""
    text = answer.content.decode()
    assert (answer.status_code, words in text) == (409, True), (answer.status_code, text)
    assert f'hx-get="{page}"' in text or "hx-get=" not in text
    return text


def test_the_event_answers_with_its_present_state(client):
    event = an_event(4)
    stage, director = StageRow.objects.get(), member(event.club, Role.DIRECTOR)
    client.force_login(director)
    page = event.get_absolute_url()
    again = reverse("tournaments:draw_one", args=[stage.ref])
    assert client.post(again).status_code == 302
    text = refused(client.post(again), page, "The draw has already been made.")
    assert f'href="{page}?tab=info"' in text
    assert StageRow.objects.get().seed in client.get(page, {"tab": "info"}).content.decode()
    redraw = reverse("tournaments:redraw", args=[stage.ref])
    refused(
        client.post(redraw, {"reason": "again", "seen": "9"}),
        f"{page}?tab=info",
        "Someone else changed this draw",
    )
    cancel = reverse("tournaments:cancel", args=[event.ref])
    while rows := open_pairings(stage):
        win(rows[0], director)
    text = refused(client.post(cancel), page, "is finished and can no longer be cancelled")
    # What the page says of itself is its own address, not that of the form.
    assert f'hx-get="{page}"' in text
    assert f'value="{cancel}"' not in text


def test_the_part_that_htmx_replaces_has_the_refusal(client):
    event = an_event(4)
    stage = drawn(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:draw_one", args=[stage.ref])
    answer = client.post(address, headers={"HX-Request": "true", "HX-Target": "event"})
    text = refused(answer, event.get_absolute_url(), "already been made")
    assert text.lstrip().startswith('<div id="event"')
    config = client.get(event.get_absolute_url()).content.decode()
    assert '{"code": "409", "swap": true}' in config


def test_the_field_that_somebody_changed_is_shown_as_it_is(client):
    flight, director = planned(SWISS, 6)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=None), director)
    cup, page = stage_named(flight, "Cup"), flight.event.get_absolute_url()
    field = fed_field(cup)
    client.force_login(director)
    declined = reverse("tournaments:declined", args=[cup.ref])
    assert client.post(declined, {"entrant": field[0]}).status_code == 302
    refused(client.post(declined, {"entrant": field[0]}), page, "is not in the field of Cup")
    stale = client.post(reverse("tournaments:field", args=[cup.ref]), {"entrant": field})
    text = refused(stale, page, "The field has changed. Check it")
    assert all(ref in text for ref in fed_field(stage_named(flight, "Cup")))
    assert stage_named(flight, "Cup").confirmed_at is None


def test_the_money_page_answers_with_what_stands(client):
    event = an_event(2, terms=FlightTerms(Fees(0, 1000, 100)))
    director = member(event.club, Role.DIRECTOR)
    EntrantRow.objects.update(payment="cash")
    win(open_pairings(drawn(event))[0], director)
    client.force_login(director)
    approve = reverse("tournaments:approve", args=[flight_of(event).ref])
    assert client.post(approve, {"seen": ""}).status_code == 302
    page = reverse("tournaments:money", args=[event.ref])
    text = refused(client.post(approve, {"seen": ""}), page, "Someone else changed this")
    prize = Prize.objects.get()
    assert f'name="seen" value="{prize.ref}:{prize.amount}"' in text
    paid = reverse("tournaments:paid", args=[prize.ref])
    assert client.post(paid, {"how": "cash"}).status_code == 302
    refused(client.post(paid, {"how": "transfer"}), page, "This prize has already been paid: cash.")
    refused(client.post(approve), page, "A prize has already been paid")
    # What is mistyped is said on the page that is shown again.
    mistyped = client.post(paid, {"how": "barter"}, follow=True)
    assert mistyped.redirect_chain == [(page, 302)]


def test_a_match_to_arrange_answers_with_the_time_that_stands(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    client.force_login(other_side(row).members.get().player.user)
    page = reverse("tournaments:arrange", args=[row.ref])
    time = reverse("tournaments:meeting_time", args=[row.ref])
    refused(client.post(time, {"answer": "yes"}), page, "Your opponent has not proposed a time.")
    assert PairingRow.objects.get(pk=row.pk).agreed_at is None


def test_the_desk_and_the_log_answer_with_their_present_state(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    row = call(pairing=open_pairings(stage)[0], user=director)
    client.force_login(director)
    desk = reverse("tournaments:desk", args=[event.ref])
    act = reverse("tournaments:pairing_action", args=[row.ref])
    refused(client.post(act, {"action": "call", "seen": "0"}), desk, "Someone else changed this match")
    undo = reverse("tournaments:undo", args=[event.ref, row.desk_seq])
    assert client.post(undo, {"from": "log"}).status_code == 302
    text = refused(client.post(undo, {"from": "log"}), "", "This has already been undone.")
    assert f'action="{reverse("tournaments:log", args=[event.ref])}"' in text
    entrant = EntrantRow.objects.earliest("pk")
    check_in = reverse("tournaments:check_in", args=[entrant.ref])
    refused(client.post(check_in, {"seen": "present", "next": desk}), desk, "The status is now: registered")
    refused(client.post(check_in, {"seen": "present"}), event.get_absolute_url(), "is now: registered")


@pytest.mark.django_db(transaction=True)
def test_two_directors_pair_a_round_at_once():
    stage, director, first = a_swiss()
    for row in first:
        win(row, director)
    seen = now_of(stage).head_seq

    def pair(pairs=None):
        return lambda: pair_round(stage=stage, user=director, seen=seen, pairs=pairs)

    by_hand = [(first[0].a.ref, first[1].a.ref), (other_side(first[0]).ref, other_side(first[1]).ref)]
    won, lost = in_between(pair(), pair(by_hand))
    assert (type(won), type(lost)) == (StageRow, StaleRefused)
    assert (rounds(stage), len(open_pairings(stage))) == (2, 2)
    assert PairingRow.objects.filter(stage=stage, round=2).count() == 2
    assert chain_damage(now_of(stage)) is None
    assert check_text(archive_text(now_of(stage))).accepted
    # Without saying what was seen the open matches of the new round stand in the way.
    with pytest.raises(DeskRefused, match="Round 3 is waiting for the result"):
        pair_round(stage=stage, user=director)


@pytest.mark.django_db(transaction=True)
def test_two_directors_publish_a_round_from_their_pages_at_once():
    stage, _director, first = a_swiss()
    directors = [member(stage.flight.event.club, Role.DIRECTOR) for _each in range(2)]
    for row in first:
        win(row, directors[0])
    address, seen = reverse("tournaments:round", args=[stage.ref]), str(now_of(stage).head_seq)
    answers = at_once(*(page_of(each, address, {"pair": "due", "seen": seen}) for each in directors))
    assert sorted(each.status_code for each in answers) == [302, 409]
    assert len(open_pairings(stage)) == 2
    (late,) = [each.content.decode() for each in answers if each.status_code == 409]
    assert "Someone else changed this draw" in late
    assert "Matches in progress" in late


@pytest.mark.django_db(transaction=True)
def test_two_directors_draw_at_once_from_pages_and_the_api():
    event = an_event(5)
    directors = [member(event.club, Role.DIRECTOR) for _each in range(3)]
    stage = StageRow.objects.get()
    page, api = reverse("tournaments:draw_one", args=[stage.ref]), f"/api/v1/stages/{stage.ref}/draw/"
    answers = at_once(
        *(page_of(each, where, {}) for each, where in zip(directors, (page, page, api), strict=True))
    )
    assert sorted(each.status_code for each in answers)[1:] == [409, 409]
    drawn_once = StageRow.objects.get()
    assert (drawn_once.status, Event.objects.get().status) == (StageStatus.RUNNING, EventStatus.RUNNING)
    assert {row.number for row in PairingRow.objects.all()} == set(load(drawn_once).pairings)
    assert drawn_once.numbers.count() == 5
    assert chain_damage(drawn_once) is None


def page_of(user, address, body):
    """An action: the user, signed in on a browser of their own, sends this."""
    client = Client()
    client.force_login(user)
    return lambda: client.post(address, body)
