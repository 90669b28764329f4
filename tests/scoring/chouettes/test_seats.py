"""A guest whose phone has lost the table finds the way back; the code of a table is renewed."""

from datetime import timedelta
from time import time
from unittest.mock import patch

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse

from clubs.clubs.services.erasures import erase_unclaimed, erase_user
from clubs.models import Role
from scoring.chouettes.queries.chouettes import table_view
from scoring.chouettes.services.chouettes import record
from scoring.chouettes.services.corrections import correct, undo_last
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.seats import open_seat, seat_of, take_seat
from scoring.chouettes.services.tables import add_to_table, join_as_guest, table_of
from scoring.log.queries.chouettes import seen_table
from scoring.log.queries.writers import Author
from scoring.models import ChouettePlayer, SheetEvent
from scoring.players.services.newcomers import Newcomer
from scoring.rules.chouette.events import GameBegun, Nothing, SeatHanded
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.sheets.services.entries import Entry, EntryRefused
from tests.factories import member
from tests.scoring.chouettes.tables import Night

pytestmark = pytest.mark.django_db
A_DAY = timedelta(days=1).total_seconds()


@pytest.fixture
def night():
    return Night(3)


@pytest.fixture
def phone():
    """What is left of Gus's session once it is lost: nothing but its claim's ref."""
    return SessionStore()


@pytest.fixture
def gus(night, phone) -> ChouettePlayer:
    return join_as_guest(chouette=night.chouette, name="Gus", session=phone, stake=100)


def seen_by(night, session):
    return seen_table(AnonymousUser(), night.chouette.ref, session)


def opened(night, row, *, by="Ana", key="again"):
    return open_seat(chouette=night.chouette, author=night.author(by), player=row.ref, key=key)


def test_another_phone_takes_the_seat_and_the_first_writes_no_more(night, phone, gus):
    record(
        chouette=night.chouette, author=seen_by(night, phone).author, after=night.head,
        entries=[Entry("by-gus", GameBegun())],
    )  # fmt: skip
    other = SessionStore()
    assert take_seat(secret=opened(night, gus), session=other) == gus
    assert seen_by(night, phone) is None
    now_gus = seen_by(night, other)
    assert now_gus.me == gus
    record(
        chouette=night.chouette, author=now_gus.author, after=night.head,
        entries=[Entry("gus-again", night.offer("Jon"))],
    )  # fmt: skip
    lines = {line["kind"]: line for line in table_view(now_gus)["lines"]}
    assert (lines["game_start"]["by"], lines["offer"]["by"]) == ("Gus", "Gus")
    assert (lines["seat"]["words"], lines["seat"]["by"]) == (
        "Gus moves to another phone", "Ana",
    )  # fmt: skip
    assert damage_of(night.loaded.sheet) is None


def test_a_link_is_for_one_phone_and_half_an_hour(night, gus):
    one, other = opened(night, gus), opened(night, gus, key="twice")
    session = SessionStore()
    take_seat(secret=one, session=session, nonce="the form")
    # Sent twice it is one phone; any other link of before has ended with it.
    assert take_seat(secret=one, session=SessionStore(), nonce="the form") == gus
    assert seat_of(other) is None
    for secret in (one, other, "mistyped"):
        with pytest.raises(IllegalAction, match="this link has expired"):
            take_seat(secret=secret, session=SessionStore(), nonce="another form")
    assert seen_by(night, session).me == gus
    late = opened(night, gus, key="late")
    with patch("django.core.signing.time.time", return_value=time() + A_DAY):
        assert seat_of(late) is None


def test_somebody_without_a_phone_is_given_one(night):
    bob = add_to_table(chouette=night.chouette, author=night.author(), newcomer=Newcomer(name="Old Bob"))
    session = SessionStore()
    take_seat(secret=opened(night, bob), session=session, nonce="form")
    assert seen_by(night, session).me == bob


def test_the_log_notes_it_once_for_a_key_and_for_good(night, gus):
    night.write(GameBegun())
    head = night.head
    opened(night, gus)
    opened(night, gus)
    assert night.head == head + 1
    with pytest.raises(EntryRefused, match="cannot be entered or corrected"):
        correct(
            chouette=night.chouette, author=night.author(), after=night.head, key="c", seq=night.head,
            event=GameBegun(), reason="x",
        )  # fmt: skip
    with pytest.raises(EntryRefused, match="cannot be entered or corrected"):
        night.write(SeatHanded(gus.ref))
    # Undo passes over it: the game's beginning is taken back, what was noted stays.
    undo_last(chouette=night.chouette, author=night.author(), after=night.head, key="u")
    assert night.state.game is None
    standing = SheetEvent.objects.filter(sheet=night.loaded.sheet, kind="seat").get()
    assert not SheetEvent.objects.filter(sheet=night.loaded.sheet, replaces=standing.seq).exists()


def test_a_correction_that_cuts_what_follows_leaves_that_a_seat_was_opened(night, gus):
    night.write(GameBegun())
    begun = night.head
    night.write(night.offer("Jon"))
    opened(night, gus)
    seat = night.head
    night.write(night.answer("Ana", takes="Jon"))
    correct(
        chouette=night.chouette, author=night.author(), after=night.head, key="c", seq=begun,
        event=Nothing(), reason="not yet", cut=True,
    )  # fmt: skip
    assert night.state.game is None
    gone = set(SheetEvent.objects.filter(sheet=night.loaded.sheet).values_list("replaces", flat=True))
    assert gone == {None, begun, begun + 1, seat + 1}
    assert damage_of(night.loaded.sheet) is None


def test_nobody_takes_the_seat_of_who_was_erased(night, phone, gus):
    secret = opened(night, gus)
    erase_unclaimed(club=night.club, player=gus.player)
    erase_user(user=night.users["Jon"])
    assert seat_of(secret) is None
    with pytest.raises(IllegalAction, match="this link has expired"):
        take_seat(secret=secret, session=SessionStore(), nonce="form")
    assert seen_by(night, phone) is None
    for ref in (gus.ref, night.refs["Jon"]):
        with pytest.raises(InvalidValue, match="no seat"):
            open_seat(chouette=night.chouette, author=night.author(), player=ref, key="k")
    assert table_view(night.seen())["movable_seats"] == []


def test_who_opens_a_seat_has_a_login_and_the_seat_is_a_guests(night, phone, gus):
    with pytest.raises(IllegalAction, match="only signed-in players"):
        open_seat(chouette=night.chouette, author=seen_by(night, phone).author, player=gus.ref, key="k")
    with pytest.raises(IllegalAction, match="Jon has an account"):
        open_seat(chouette=night.chouette, author=night.author(), player=night.refs["Jon"], key="k")
    with pytest.raises(InvalidValue, match="no seat"):
        open_seat(chouette=night.chouette, author=night.author(), player="2222222222", key="k")
    director = Author(user=member(night.club, Role.DIRECTOR), directs=True)
    assert seat_of(open_seat(chouette=night.chouette, author=director, player=gus.ref, key="d")) == gus
    assert table_view(night.seen())["movable_seats"] == [gus.ref]
    assert table_view(seen_by(night, phone))["movable_seats"] == []


def test_the_page_opens_a_seat_and_a_phone_takes_it(night, gus, client):
    client.force_login(night.users["Ana"])
    address = reverse("api:chouette_seats", args=[night.chouette.ref])
    asked = {"player": gus.ref, "key": "k"}
    answer = client.post(address, asked, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json()["qr"].startswith("<svg")
    refused = client.post(address, {**asked, "player": night.refs["Jon"]}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "has_login")
    used = client.post(address, {**asked, "key": "start"}, content_type="application/json")
    assert (used.status_code, used.json()["code"]) == (422, "key_used")
    phone, url = Client(), answer.json()["page"]
    page = phone.get(url)
    assert "This is Gus’s seat." in page.content.decode()
    nonce = page.context["form"]["nonce"].value()
    taken = phone.post(url, {"nonce": nonce})
    assert taken["Location"] == reverse("scoring:chouette", args=[night.chouette.ref])
    assert phone.get(taken["Location"]).status_code == 200
    for gone in (phone.get(url), phone.post(url, {"nonce": "other"})):
        assert gone.status_code == 404
        assert "This link has expired" in gone.content.decode()


def test_who_sits_there_with_a_login_does_not_take_a_guests_seat_by_mistake(night, phone, gus, client):
    """Ana tries the code on her own phone: she would stay Ana, and Gus's phone would write no more."""
    client.force_login(night.users["Ana"])
    url = reverse("scoring:take_seat", args=[opened(night, gus)])
    assert "your own seat" in client.get(url).content.decode()
    assert "your own seat" in client.post(url, {"nonce": "form"}).content.decode()
    assert seen_by(night, phone).me == gus
    client.force_login(member(night.club, Role.MEMBER))
    assert client.post(url, {"nonce": "form"}).status_code == 302
    assert seen_by(night, phone) is None


def code_address(night):
    return reverse("api:chouette_code", args=[night.chouette.ref])


def test_the_code_is_renewed_by_who_has_a_login(night, gus, client):
    old = night.loaded.code
    client.force_login(night.users["Jon"])
    answer = client.post(code_address(night), "{}", "application/json")
    assert answer.status_code == 200
    assert table_of(old) is None
    assert table_of(answer.json()["join"]["code"]) == night.chouette
    guest = Client()
    session = guest.session
    session["scoring.claims"] = {night.chouette.ref: gus.claim.ref}
    session.save()
    refused = guest.post(code_address(night), "{}", "application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "code_login")
