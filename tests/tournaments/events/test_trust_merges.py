"""A merge is a director's, or follows a code made out to the guest; for 30 days it can be taken apart."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.clubs.services.clubs import give_title, invite, make_claim_code
from clubs.clubs.services.erasures import erase_user
from clubs.housekeeping import tidy
from clubs.models import Club, Invitation, Membership, Merge, Player, Role, Title
from clubs.people.services.merges import MergeRefused, merge_players, undo_merge
from scoring.files.services.aliases import confirm_claim, player_named
from scoring.models import Alias, ChouettePlayer, RatingUpdate, Seat
from scoring.ratings.services.ratings import main_list, replay_list
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.tournaments.factories import an_event, flight_of
from tournaments.entries.services.entries import enter
from tournaments.following.services import follow
from tournaments.models import EntrantMember, Follow

pytestmark = pytest.mark.django_db


def keeps(links: list[str]) -> Callable[[str], str]:
    """A maker of links that keeps the secret of each."""

    def link(token: str) -> str:
        links.append(token)
        return token

    return link


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def a_guest(club: Club, name: str = "bglover") -> Player:
    return player_named(club=club, name=name)


@pytest.mark.parametrize("role", [Role.GUEST, Role.MEMBER, Role.DIRECTOR, Role.OWNER])
@pytest.mark.parametrize("by", ["page", "api"])
def test_no_claim_takes_over_a_name_and_its_place_in_an_event_by_itself(client, role, by):
    event = an_event(0)
    guest = a_guest(event.club)
    entrant = enter(flight=flight_of(event), players=[guest])
    user = member(event.club, role)
    alias = Alias.objects.get(player=guest)
    if by == "page":
        client.force_login(user)
        client.post(reverse("scoring:claim", args=[alias.ref]))
    else:
        with_token(user).post(f"/api/v1/names/{alias.ref}/claim/")
    alias.refresh_from_db()
    assert (alias.player, alias.claimed_by, alias.confirmed_at) == (guest, user.player, None)
    assert EntrantMember.objects.get(entrant=entrant).player == guest
    assert not Merge.objects.exists()


@pytest.mark.parametrize("by", ["page", "api"])
def test_a_stranger_does_not_learn_of_a_name(client, club, by):
    alias, stranger = Alias.objects.get(player=a_guest(club)), UserFactory.create()
    if by == "page":
        client.force_login(stranger)
        answer = client.post(reverse("scoring:claim", args=[alias.ref]))
    else:
        answer = with_token(stranger).post(f"/api/v1/names/{alias.ref}/claim/")
    assert answer.status_code == 404
    assert Alias.objects.get(pk=alias.pk).claimed_by is None


def test_whoever_has_the_claim_code_made_out_to_a_guest_becomes_that_guest(client, club):
    guest, other = a_guest(club), a_guest(club, "other")
    match = finish_match(open_match(club, guest, other), "white")
    director = member(club, Role.DIRECTOR)
    client.force_login(director)
    page = client.post(reverse("scoring:claim_code", args=[club.slug, guest.ref]))
    code = page.context["code"]
    assert page.status_code == 200
    assert code in page.content.decode()
    newcomer = UserFactory.create()
    client.force_login(newcomer)
    join = reverse("clubs:join", args=[code])
    assert "bglover" in client.get(join).content.decode()
    assert client.post(join).status_code == 302
    assert Seat.objects.get(match=match, side__colour="white").player.user == newcomer
    alias = Alias.objects.get(name="bglover")
    assert (alias.player.user, alias.confirmed_at is None) == (newcomer, False)
    assert client.post(join).status_code == 410


def test_a_claim_code_works_through_the_api_and_replaces_the_one_before(club):
    guest, director = a_guest(club), with_token(member(club, Role.DIRECTOR))
    address = f"/api/v1/clubs/bar-point/guests/{guest.ref}/code/"
    first, second = director.post(address).data["code"], director.post(address).data["code"]
    assert [item["unclaimed"] for item in director.get("/api/v1/clubs/bar-point/guests/").data["items"]]
    newcomer = with_token(UserFactory.create())
    assert newcomer.post("/api/v1/me/clubs/", {"invitation": first}, format="json").status_code == 400
    assert newcomer.post("/api/v1/me/clubs/", {"invitation": second}, format="json").status_code == 201
    guest.refresh_from_db()
    assert guest.merged_into is not None


@pytest.mark.parametrize("role", [Role.GUEST, Role.MEMBER])
def test_only_directors_make_claim_codes(client, club, role):
    guest, user = a_guest(club), member(club, role)
    client.force_login(user)
    assert client.post(reverse("scoring:claim_code", args=[club.slug, guest.ref])).status_code == 403
    refused = with_token(user).post(f"/api/v1/clubs/bar-point/guests/{guest.ref}/code/")
    assert refused.status_code == 403
    assert not Invitation.objects.exists()


def test_a_code_is_made_out_to_the_clubs_own_guests_only(client, club):
    foreign, player = a_guest(ClubFactory.create()), member(club).player
    client.force_login(member(club, Role.DIRECTOR))
    for each in (foreign, player):
        assert client.post(reverse("scoring:claim_code", args=[club.slug, each.ref])).status_code == 404


def test_an_invitation_by_mail_can_be_made_out_to_a_guest(client, club, mailoutbox):
    guest = PlayerFactory.create(name="Ana")
    MembershipFactory.create(club=club, player=guest, role=Role.GUEST)
    owner = member(club, Role.OWNER)
    links: list[str] = []
    client.force_login(owner)
    form = {"invitation-email": "ana@example.org", "invitation-role": "20", "invitation-guest": guest.ref}
    assert client.post(reverse("clubs:invite", args=[club.slug]), form).status_code == 302
    invitation = Invitation.objects.get()
    assert (invitation.guest, invitation.email) == (guest, "ana@example.org")
    invite(
        club=club, email="ana@example.org", role=Role.MEMBER, invited_by=owner, guest=guest,
        link=keeps(links),
    )  # fmt: skip
    user = UserFactory.create(email="ana@example.org")
    answer = with_token(user).post("/api/v1/me/clubs/", {"invitation": links[0]}, format="json")
    assert answer.status_code == 201
    assert Membership.objects.get(player__user=user).role == Role.MEMBER
    guest.refresh_from_db()
    assert guest.merged_into == user.player


def test_nobody_accepts_the_code_of_somebody_they_played_against(client, club):
    user = member(club)
    guest = a_guest(club)
    finish_match(open_match(club, guest, user.player), "white")
    _invitation, code = make_claim_code(club=club, guest=guest, made_by=member(club, Role.DIRECTOR))
    client.force_login(user)
    page = client.post(reverse("clubs:join", args=[code]), follow=True)
    assert "They cannot be the same player" in page.content.decode()
    refused = with_token(user).post("/api/v1/me/clubs/", {"invitation": code}, format="json")
    assert refused.status_code == 409
    assert Invitation.objects.exists()


def test_a_merge_is_taken_apart_with_everything_where_it_was():
    event = an_event(0)
    club = event.club
    guest, other = a_guest(club), a_guest(club, "other")
    Membership.objects.update_or_create(club=club, player=guest, defaults={"role": Role.MEMBER})
    user, director = member(club, Role.GUEST, name="Ana"), member(club, Role.DIRECTOR)
    give_title(club=club, player_ref=guest.ref, title=Title.M1, user=director)
    final = finish_match(open_match(club, guest, other), "white")
    own = finish_match(open_match(club, user.player, other, day=1), "white")
    open_one = open_match(club, guest, other, day=2)
    entrant = enter(flight=flight_of(event), players=[guest])
    one, both = UserFactory.create(), UserFactory.create()
    for follower, followed in ((one, guest), (both, guest), (both, user.player)):
        follow(user=follower, player=followed)
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    before = whole(club)
    alias = Alias.objects.get(player=guest)
    confirm_claim(alias=alias, player=user.player, by=director)
    replay_list(rating_list=rating_list)
    assert not Seat.objects.filter(player=guest).exists()
    assert whole(club) != before
    RatingUpdate.objects.all().delete()
    undo_merge(merge=Merge.objects.get())
    replay_list(rating_list=rating_list)
    assert whole(club) == before
    assert RatingUpdate.objects.filter(match=final).exists()
    assert Seat.objects.get(match=open_one, side__colour="white").player == guest
    assert Seat.objects.get(match=own, side__colour="white").player == user.player
    assert EntrantMember.objects.get(entrant=entrant).player == guest
    assert not Merge.objects.exists()


def whole(club: Club) -> dict[str, Any]:
    """Everything that a merge could move."""
    return {
        "players": list(Player.objects.order_by("pk").values_list("pk", "merged_into", "person__name")),
        "members": list(
            Membership.objects.order_by("player", "club").values_list(
                "player", "club", "role", "title", "title_by", "title_at", "joined_at"
            )
        ),
        "seats": list(Seat.objects.order_by("pk").values_list("pk", "player")),
        "tables": list(ChouettePlayer.objects.order_by("pk").values_list("pk", "player")),
        "names": list(Alias.objects.order_by("pk").values_list("pk", "player", "claimed_by", "confirmed_at")),
        "entries": list(EntrantMember.objects.order_by("pk").values_list("pk", "player")),
        "follows": sorted(Follow.objects.values_list("user", "player")),
        "ratings": sorted(club.rating_lists.get(name="").ratings.values_list("player", "value", "matches")),
    }


@pytest.mark.parametrize("by", ["page", "api"])
def test_directors_undo_a_merge_once(client, club, by):
    guest, user = a_guest(club), member(club)
    merge = merge_players(guest=guest, into=user.player, club=club)
    director = member(club, Role.DIRECTOR)
    if by == "page":
        for refused in (member(club), member(ClubFactory.create(), Role.OWNER)):
            client.force_login(refused)
            assert client.post(reverse("scoring:undo_merge", args=[club.slug, merge.ref])).status_code == 403
        client.force_login(director)
        assert "Undo merge" in client.get(reverse("scoring:names", args=[club.slug])).content.decode()
        for status in (302, 404):
            address = reverse("scoring:undo_merge", args=[club.slug, merge.ref])
            assert client.post(address).status_code == status
    else:
        address = f"/api/v1/clubs/bar-point/merges/{merge.ref}/undo/"
        assert with_token(member(club)).post(address).status_code == 403
        listed = with_token(director).get("/api/v1/clubs/bar-point/merges/").data["items"]
        assert [(item["name"], item["guest"]) for item in listed] == [("bglover", guest.ref)]
        assert [with_token(director).post(address).status_code for _twice in range(2)] == [200, 404]
    guest.refresh_from_db()
    assert (guest.merged_into, guest.person.name) == (None, "bglover")


def test_after_thirty_days_a_merge_stands_and_the_guests_name_is_forgotten(club):
    merge = merge_players(guest=a_guest(club), into=member(club).player, club=club)
    Merge.objects.update(at=now() - timedelta(days=30, seconds=1))
    with pytest.raises(MergeRefused, match="can be undone for 30 days"):
        undo_merge(merge=merge)
    assert tidy()["merges"] == 1


def test_an_erased_person_leaves_no_names_of_guests_that_they_were(club):
    user = member(club)
    merge = merge_players(guest=a_guest(club), into=user.player, club=club)
    erase_user(user=user)
    assert not Merge.objects.filter(pk=merge.pk).exists()


def test_a_merge_into_somebody_who_was_merged_since_is_not_undone_first(club):
    first, second = a_guest(club, "first"), a_guest(club, "second")
    merge = merge_players(guest=first, into=second, club=club)
    later = merge_players(guest=second, into=member(club).player, club=club)
    with pytest.raises(MergeRefused, match="the player has since been merged or erased"):
        undo_merge(merge=merge)
    undo_merge(merge=later)
    undo_merge(merge=merge)
    assert not Player.objects.exclude(merged_into=None).exists()
