"""Clubs, members, invitations, players and oneself through the API: as on the pages, by the same services."""

import re

import pytest
from django.core import mail
from rest_framework.test import APIClient

from clubs.models import Club, Invitation, Membership, Openness, Player, Role, Visibility
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member

pytestmark = pytest.mark.django_db
CLUBS = "/api/v1/clubs/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Bar Point", slug="bar-point")


@pytest.fixture
def owner(club) -> APIClient:
    return with_token(member(club, Role.OWNER, name="Olga"))


def test_the_front_door_leads_everywhere():
    client = with_token(UserFactory.create())
    for name, address in client.get("/api/v1/").data.items():
        accept = "*/*" if name in {"docs", "schema"} else "application/json"
        assert client.get(address, HTTP_ACCEPT=accept).status_code == 200, name


def test_whoever_founds_a_club_owns_it():
    client = with_token(UserFactory.create())
    answer = client.post(CLUBS, {"name": "Ace Point", "tz": "Europe/Madrid"}, format="json")
    assert answer.status_code == 201
    assert answer.data["slug"] == "ace-point"
    assert (answer.data["role"], answer.data["currency"], answer.data["tz"]) == (
        "owner",
        "EUR",
        "Europe/Madrid",
    )
    assert client.get(answer.headers["Location"]).data == answer.data
    assert answer.data["page"].endswith("/clubs/ace-point/")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": " "}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"name": "a\0b"}, "name"),
        ({"name": "A", "tz": "Mars/Olympus"}, "tz"),
        ({"name": "A", "currency": "eur"}, "currency"),
        ({"name": "A", "visibility": "secret"}, "visibility"),
        ({"name": "A", "slug": "own-choice"}, "slug"),
    ],
)
def test_a_club_with_a_mistake_is_not_founded(body, field):
    answer = with_token(UserFactory.create()).post(CLUBS, body, format="json")
    assert (answer.status_code, answer.data["errors"][0]["field"]) == (400, field)
    assert not Club.objects.exists()


def test_one_lists_the_clubs_that_one_may_know(club):
    hidden = ClubFactory.create(name="Hidden", visibility=Visibility.MEMBERS)
    guest = with_token(member(hidden, Role.GUEST))

    def listed(client: APIClient, **query: str) -> dict[str, str | None]:
        return {item["name"]: item["role"] for item in client.get(CLUBS, query).data["items"]}

    assert listed(APIClient()) == {"Bar Point": None}
    assert listed(guest) == {"Bar Point": None, "Hidden": "guest"}
    assert listed(guest, mine="true") == {"Hidden": "guest"}
    assert listed(guest, mine="false", name="bar") == {"Bar Point": None}
    assert listed(guest, visibility="members") == {"Hidden": "guest"}
    administrator = with_token(UserFactory.create(is_superuser=True))
    assert listed(administrator) == {"Bar Point": "owner", "Hidden": "owner"}
    assert APIClient().get(CLUBS, {"mine": "perhaps"}).data["errors"][0]["field"] == "mine"


def test_a_hidden_club_is_not_told_from_one_that_does_not_exist():
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    stranger = with_token(UserFactory.create())
    for name in (hidden.slug, hidden.ref, "nowhere"):
        assert APIClient().get(f"{CLUBS}{name}/").status_code == 401
        answer = stranger.get(f"{CLUBS}{name}/")
        assert (answer.status_code, answer.data["detail"]) == (404, f"There is no club {name}.")


def test_settings_are_changed_for_the_version_that_was_read(club, owner):
    address = f"{CLUBS}{club.slug}/"
    tag = owner.get(address).headers["ETag"]
    changed = owner.patch(address, {"name": "Ace Point"}, format="json", headers={"If-Match": tag})
    assert changed.status_code == 200
    assert (changed.data["name"], changed.data["slug"], changed.data["tz"]) == (
        "Ace Point",
        "bar-point",
        "UTC",
    )
    assert changed.headers["ETag"] == owner.get(address).headers["ETag"] != tag
    assert owner.patch(address, {"name": "B"}, format="json", headers={"If-Match": tag}).status_code == 412
    assert owner.patch(address, {"name": "B"}, format="json").status_code == 428
    assert Club.objects.get().name == "Ace Point"


def test_a_club_looks_different_to_others_so_its_tag_is_another(club, owner):
    address = f"{CLUBS}{club.ref}/"
    tag = owner.get(address).headers["ETag"]
    assert owner.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert APIClient().get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_director_brings_in_players_without_a_login(club):
    director = with_token(member(club, Role.DIRECTOR))
    answer = director.post(f"{CLUBS}{club.slug}/members/", {"name": " Íñigo  A "}, format="json")
    assert answer.status_code == 201
    assert (answer.data["player"]["name"], answer.data["role"]) == ("Íñigo A", "guest")
    assert director.get(answer.headers["Location"]).data == answer.data
    refused = director.post(f"{CLUBS}{club.slug}/members/", {"name": "B", "role": "director"}, format="json")
    assert (refused.status_code, refused.data["errors"][0]["field"]) == (400, "role")


def test_people_are_listed_by_role_and_name_and_found(club, owner):
    for name, role in (("Ñausti", Role.MEMBER), ("Nzuri", Role.MEMBER), ("Ana", Role.GUEST)):
        MembershipFactory.create(club=club, player=PlayerFactory.create(name=name), role=role)
    address = f"{CLUBS}{club.slug}/members/"

    def names(**query: str) -> list[str]:
        return [item["player"]["name"] for item in owner.get(address, query).data["items"]]

    assert names() == ["Olga", "Nzuri", "Ñausti", "Ana"]
    first = owner.get(address, {"limit": "2", "name": "a"}).data
    following = owner.get(first["next"]).data
    assert [item["player"]["name"] for item in first["items"] + following["items"]] == [
        "Olga",
        "Ñausti",
        "Ana",
    ]
    assert names(name="NAU") == ["Ñausti"]
    assert names(name="ñau") == ["Ñausti"]
    assert names(role="guest") == ["Ana"]
    Club.objects.update(lists_open_to=Openness.MEMBERS)
    assert APIClient().get(address).status_code == 401


def test_roles_are_given_by_owners_and_one_owner_stays(club, owner):
    user = member(club, name="Ana")
    ana = Player.objects.get(user=user)
    address = f"{CLUBS}{club.slug}/members/{ana.ref}/"
    assert owner.patch(address, {"role": "director"}, format="json").data["role"] == "director"
    assert with_token(user).patch(address, {"role": "owner"}, format="json").status_code == 403
    assert owner.patch(address, {"role": "king"}, format="json").data["errors"][0]["value"] == "king"
    me = owner.get("/api/v1/me/").data["player"]
    for refused in (
        owner.patch(f"{CLUBS}{club.slug}/members/{me}/", {"role": "guest"}, format="json"),
        owner.delete(f"{CLUBS}{club.slug}/members/{me}/"),
        owner.delete(f"/api/v1/me/clubs/{club.slug}/"),
    ):
        assert (refused.status_code, refused.data["code"]) == (409, "conflict")
        assert "needs an owner" in refused.data["detail"]
    assert owner.delete(address).status_code == 204
    assert owner.get(address).status_code == 404
    assert owner.delete(address).status_code == 404
    assert owner.patch(address, {"role": "guest"}, format="json").status_code == 404


def test_an_invitation_goes_out_by_mail_and_is_taken_once(club, owner):
    address = f"{CLUBS}{club.slug}/invitations/"
    body = {"email": "Ben@Example.org", "role": "director"}
    sent = owner.post(address, body, format="json", headers={"Idempotency-Key": "ben"})
    assert sent.status_code == 201
    again = owner.post(address, body, format="json", headers={"Idempotency-Key": "ben"})
    assert again.content == sent.content
    assert set(sent.json()) == {"ref", "email", "role", "guest", "created_at", "expires_at"}
    assert owner.get(sent.headers["Location"]).json() == sent.json()
    assert [item["email"] for item in owner.get(address).data["items"]] == ["ben@example.org"]
    texts = [str(message.body) for message in mail.outbox]
    assert len(texts) == 1
    [token] = re.findall(r"/clubs/join/([^/\s]+)/", texts[0])
    ben = with_token(UserFactory.create())
    joined = ben.post("/api/v1/me/clubs/", {"invitation": token}, format="json")
    assert (joined.status_code, joined.data["role"]) == (201, "director")
    assert joined.data["club"]["role"] == "director"
    assert ben.get(joined.headers["Location"]).data == joined.data
    used = ben.post("/api/v1/me/clubs/", {"invitation": token}, format="json")
    assert (used.status_code, used.data["errors"][0]["code"]) == (400, "no_invitation")
    assert not Invitation.objects.exists()
    assert ben.delete(f"/api/v1/me/clubs/{club.slug}/").status_code == 204
    assert ben.get("/api/v1/me/clubs/").data["items"] == []


def test_an_invitation_is_withdrawn(club, owner):
    sent = owner.post(f"{CLUBS}{club.slug}/invitations/", {"email": "ben@example.org"}, format="json")
    other = ClubFactory.create()
    theirs = with_token(member(other, Role.OWNER))
    assert theirs.delete(sent.headers["Location"].replace(club.slug, other.slug)).status_code == 404
    assert owner.delete(sent.headers["Location"]).status_code == 204
    assert owner.delete(sent.headers["Location"]).status_code == 404


def test_one_knows_the_players_of_ones_clubs(club, owner):
    guest = MembershipFactory.create(club=club, player=PlayerFactory.create(name="Zoë")).player
    stranger = PlayerFactory.create(name="Stranger")

    def names(**query: str) -> list[str]:
        return [item["name"] for item in owner.get("/api/v1/players/", query).data["items"]]

    assert names() == ["Olga", "Zoë"]
    assert names(name="zoe", club=club.slug) == ["Zoë"]
    assert names(club=club.ref) == ["Olga", "Zoë"]
    assert owner.get(f"/api/v1/players/{guest.ref}/").data["name"] == "Zoë"
    assert owner.get(f"/api/v1/players/{stranger.ref}/").status_code == 404
    other = ClubFactory.create()
    MembershipFactory.create(club=other, player=stranger)
    assert names(club=other.slug) == []
    administrator = with_token(UserFactory.create(is_superuser=True))
    assert administrator.get(f"/api/v1/players/{stranger.ref}/").status_code == 200


def test_one_names_oneself(club):
    client = with_token(UserFactory.create(email="ana@example.org"))
    assert client.get("/api/v1/me/").data == {
        "email": "ana@example.org",
        "site_administrator": False,
        "player": None,
        "name": None,
    }
    answer = client.patch("/api/v1/me/", {"name": "Ana"}, format="json")
    assert (answer.status_code, answer.data["name"]) == (200, "Ana")
    assert client.get("/api/v1/me/data/").data["player"]["name"] == "Ana"


def test_a_site_administrator_is_no_member_of_every_club(club):
    administrator = with_token(UserFactory.create(is_superuser=True))
    assert administrator.get(f"/api/v1/me/clubs/{club.slug}/").status_code == 404
    assert administrator.delete(f"/api/v1/me/clubs/{club.slug}/").status_code == 404


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        (CLUBS, 2),
        (f"{CLUBS}bar-point/members/", 4),
        (f"{CLUBS}bar-point/invitations/", 4),
        ("/api/v1/players/", 2),
        ("/api/v1/me/clubs/", 2),
    ],
)
def test_a_list_costs_the_same_for_one_row_and_for_three(address, queries, club, django_assert_num_queries):
    user = member(club, Role.OWNER)
    client = with_token(user)
    client.get(address)
    with django_assert_num_queries(queries):
        assert len(client.get(address).data["items"]) <= 1
    for number in range(2):
        MembershipFactory.create(club=club)
        Invitation.objects.create(
            club=club,
            email=f"{number}@example.org",
            invited_by=user,
            token_digest=str(number),
            expires_at=LATER,
        )
        Membership.objects.create(club=ClubFactory.create(), player=Player.objects.get(user=user))
    with django_assert_num_queries(queries):
        assert len(client.get(address).data["items"]) >= 2


LATER = "2100-01-01T00:00:00Z"
