"""Notes are read by whom they are for, and by nobody else."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.access import role_of
from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import Club, Role, User
from scoring.models import Match, MatchNote, NoteFor
from scoring.models.note import NOTE_LENGTH
from scoring.sharing.queries.notes import notes_on, notes_seen_by, own_notes
from scoring.sharing.services.notes import MOST, NoteRefused, delete_note, edit_note, write_note
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, UserFactory, member
from tests.races import at_once
from tests.scoring.factories import finish_match, open_match

pytestmark = pytest.mark.django_db


class World:
    """A finished match of two members, and others."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory.create()
        self.ana, self.ben = member(self.club, name="Ana"), member(self.club, name="Ben")
        made = finish_match(open_match(self.club, self.ana.player, self.ben.player), "white")
        self.match = Match.objects.with_players().select_related("sheet").get(pk=made.pk)
        self.member, self.director = member(self.club), member(self.club, Role.DIRECTOR)
        self.stranger = UserFactory.create()

    def write(self, user: User, text: str, audience: NoteFor = NoteFor.ME) -> MatchNote:
        return write_note(user=user, match=self.match, text=text, audience=audience)


@pytest.fixture
def world() -> World:
    return World()


def test_each_audience_reads_its_notes(world: World) -> None:
    for audience in NoteFor:
        world.write(world.ana, audience.value, audience)
    admin = UserFactory.create(is_superuser=True)

    def read(viewer) -> list[str]:
        told = [note.text for note in notes_on(world.match, viewer, role_of(viewer, world.club))]
        seen = notes_seen_by(viewer).order_by("pk").values_list("text", flat=True)
        assert told == list(seen)
        return told

    assert read(world.ana) == ["me", "players", "club"]
    assert read(world.ben) == read(admin) == ["players", "club"]
    assert read(world.member) == read(world.director) == ["club"]
    assert read(world.stranger) == read(AnonymousUser()) == []


def test_a_note_is_written_shown_and_deleted_on_the_page(client: Client, world: World) -> None:
    client.force_login(world.ana)
    address = reverse("scoring:write_note", args=[world.match.ref])
    client.post(address, {"note-text": "<b>Mind</b> the gap", "note-audience": "players"})
    client.force_login(world.ben)
    page = client.get(world.match.get_absolute_url()).content.decode()
    assert "&lt;b&gt;Mind&lt;/b&gt; the gap" in page
    note = MatchNote.objects.get()
    assert client.post(reverse("scoring:delete_note", args=[note.ref])).status_code == 404
    client.force_login(world.ana)
    assert client.post(reverse("scoring:delete_note", args=[note.ref])).status_code == 302
    assert not MatchNote.objects.exists()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"note-text": "  ", "note-audience": "me"}, "required"),
        ({"note-text": "x" * (NOTE_LENGTH + 1), "note-audience": "me"}, "2000"),
        ({"note-text": "x", "note-audience": "world"}, "world"),
        ({"note-text": "x", "note-audience": "me", "note-step": "0"}, "1"),
        ({"note-text": "x", "note-audience": "me", "note-step": "9999"}, "there is no step 9999"),
    ],
)
def test_a_note_that_cannot_be_kept_says_why(client: Client, world: World, sent, said: str) -> None:
    client.force_login(world.ana)
    address = reverse("scoring:write_note", args=[world.match.ref])
    assert said in client.post(address, sent, follow=True).content.decode()
    assert not MatchNote.objects.exists()


def test_notes_for_others_are_written_by_those_who_belong_there(world: World) -> None:
    with pytest.raises(NoteRefused, match="Only the players"):
        world.write(world.director, "x", NoteFor.PLAYERS)
    with pytest.raises(NoteRefused, match="Only members"):
        world.write(world.stranger, "x", NoteFor.CLUB)
    assert world.write(world.stranger, "mine").audience == NoteFor.ME


def test_own_notes_are_searched_and_edited(client: Client, world: World) -> None:
    first = world.write(world.ana, "Slot the five point")
    world.write(world.ana, "Take is clear")
    world.write(world.ben, "five points, too", NoteFor.CLUB)
    assert [note.text for note in own_notes(world.ana, "FIVE")] == ["Slot the five point"]
    client.force_login(world.ana)
    client.post(
        reverse("scoring:edit_note", args=[first.ref]), {"note-text": "Slot!", "note-audience": "club"}
    )
    shown = client.get(reverse("scoring:notes"), {"q": "slot"}).content.decode()
    assert "Slot!" in shown
    assert "Take is clear" not in shown
    with pytest.raises(MatchNote.DoesNotExist):
        edit_note(user=world.ben, ref=first.ref, text="no", audience=NoteFor.CLUB)


def test_directors_delete_what_is_for_the_club_only(world: World) -> None:
    club, own = world.write(world.ana, "x", NoteFor.CLUB), world.write(world.ana, "y", NoteFor.PLAYERS)
    with pytest.raises(MatchNote.DoesNotExist):
        delete_note(user=world.member, ref=club.ref)
    delete_note(user=world.director, ref=club.ref)
    with pytest.raises(MatchNote.DoesNotExist):
        delete_note(user=world.director, ref=own.ref)


def test_the_api_keeps_the_same_notes(world: World) -> None:
    api, other = with_token(world.ana), with_token(world.ben)
    here = f"/api/v1/matches/{world.match.ref}/notes/"
    made = api.post(here, {"text": "Hm", "audience": "players"}, format="json")
    assert made.status_code == 201
    assert other.get(here).data["items"] == [made.data]
    one = f"/api/v1/notes/{made.data['ref']}/"
    assert other.put(one, {"text": "Ha", "audience": "me"}, format="json").status_code == 404
    assert api.put(one, {"text": "Ha", "audience": "me"}, format="json").data["text"] == "Ha"
    assert other.get(one).status_code == 404
    assert api.post(here, {"text": "x", "event_seq": 999}, format="json").status_code == 400
    assert api.delete(one).status_code == 204


def test_erasing_a_player_deletes_their_notes(world: World) -> None:
    world.write(world.ana, "secret")
    world.write(world.ben, "kept", NoteFor.CLUB)
    assert personal_data(world.ana)["notes_on_matches"][0]["text"] == "secret"
    erase_user(user=world.ana)
    assert [note.text for note in MatchNote.objects.all()] == ["kept"]


@pytest.mark.parametrize("number", [1, 3])
def test_notes_cost_one_query_however_many(
    world: World, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(number):
        world.write(world.ana, f"note {n}", NoteFor.CLUB)
    with django_assert_num_queries(1):
        assert len([note.author.name for note in notes_on(world.match, world.ben, None)]) == number


@pytest.mark.django_db(transaction=True)
def test_two_notes_at_once_keep_to_the_limit() -> None:
    world = World()
    MatchNote.objects.bulk_create(
        MatchNote(match=world.match, author=world.ana.player, text=f"{n}") for n in range(MOST - 1)
    )
    answers = at_once(*[lambda: world.write(world.ana, "one more")] * 2)
    refused = [answer for answer in answers if isinstance(answer, NoteRefused)]
    assert len(refused) == 1
    assert MatchNote.objects.count() == MOST
