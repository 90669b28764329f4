"""To be forgotten: what is personal goes, what was played stays."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from clubs.clubs.services import erasures
from clubs.clubs.services.clubs import add_player
from clubs.clubs.services.erasures import ErasureRefused, erase_guest, erase_user
from clubs.models import Invitation, Membership, Person, Player, Role, User
from clubs.people.services.names import player_of
from tests.factories import ClubFactory, MembershipFactory, UserFactory, member

pytestmark = pytest.mark.django_db


def test_name_address_and_roles_go_and_the_player_stays():
    club = ClubFactory.create()
    member(club, Role.OWNER)
    user = member(club, Role.DIRECTOR, name="Ana")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Invitation.objects.create(
        club=club, email="b@example.org", invited_by=user, token_digest="d", expires_at="2999-01-01T00:00Z"
    )
    ref, email = player_of(user=user).ref, user.email
    erase_user(user=user)
    player = Player.objects.with_person().get(ref=ref)
    assert (player.name, player.user) == ("Erased player", None)
    assert player.erased_at
    left = User.objects.get(pk=user.pk)
    assert (left.email, left.is_active, left.has_usable_password()) == (
        f"erased-{user.pk}@erased.invalid",
        False,
        False,
    )
    for gone in (
        EmailAddress.objects.filter(email=email),
        Invitation.objects.all(),
        Person.objects.filter(name="Ana"),
        Membership.objects.filter(player=player),
    ):
        assert not gone.exists()


def test_the_address_may_sign_up_again():
    user = member(ClubFactory.create())
    email = user.email
    erase_user(user=user)
    assert User.objects.create_user(email).pk != user.pk


def test_the_only_owner_hands_over_first():
    club = ClubFactory.create(name="Bar Point")
    user = member(club, Role.OWNER)
    with pytest.raises(ErasureRefused, match=r"the only owner of Bar Point\."):
        erase_user(user=user)
    member(club, Role.OWNER)
    erase_user(user=user)


def test_a_site_administrator_hands_over_first():
    with pytest.raises(ErasureRefused, match="administrator"):
        erase_user(user=UserFactory.create(is_superuser=True))


def test_a_guest_is_erased_and_somebody_with_a_login_is_not():
    club = ClubFactory.create()
    guest = add_player(club=club, name="Iker").player
    erase_guest(club=club, player_ref=guest.ref)
    assert not Person.objects.exists()
    assert not Membership.objects.exists()
    with pytest.raises(Membership.DoesNotExist):
        erase_guest(club=club, player_ref=guest.ref)
    with pytest.raises(ErasureRefused, match="Only they can delete it"):
        erase_guest(club=club, player_ref=player_of(user=member(club)).ref)


def test_a_guest_of_other_clubs_too_is_not_erased_by_one_of_them():
    club = ClubFactory.create()
    guest = add_player(club=club, name="Iker").player
    MembershipFactory.create(player=guest)
    with pytest.raises(ErasureRefused, match="Iker is in other clubs too"):
        erase_guest(club=club, player_ref=guest.ref)
    assert Person.objects.get().name == "Iker"


def test_an_owner_erases_a_guest_after_seeing_what_goes(client):
    club = ClubFactory.create()
    guest = add_player(club=club, name="Iker").player
    client.force_login(member(club, Role.OWNER))
    address = reverse("clubs:erase_member", args=[club.slug, guest.ref])
    assert "cannot be undone" in client.get(address).content.decode()
    assert Person.objects.filter(player=guest).exists()
    assert "Name erased" in client.post(address, follow=True).content.decode()
    assert not Person.objects.filter(player=guest).exists()
    assert client.get(address).status_code == 404


def test_the_apps_above_are_asked_and_may_stop_it(monkeypatch):
    asked = []
    monkeypatch.setattr(erasures, "_HANDLERS", [])

    @erasures.on_erase
    def keep(player):
        asked.append(player)
        raise ErasureRefused("a match is being played")

    user = member(ClubFactory.create(), name="Ana")
    with pytest.raises(ErasureRefused):
        erase_user(user=user)
    assert asked == [player_of(user=user)]
    assert Person.objects.get(player__user=user).name == "Ana"
    assert Membership.objects.filter(player__user=user).exists()


def test_the_page_asks_for_the_address_and_ends_the_session(client):
    user = member(ClubFactory.create(), name="Ana")
    client.force_login(user)
    refused = client.post(reverse("clubs:erase_me"), {"email": "other@example.org"})
    assert refused.context["form"].errors == {
        "email": ["other@example.org is not the email address of your account."]
    }
    assert Person.objects.exists()
    response = client.post(reverse("clubs:erase_me"), {"email": user.email.upper()}, follow=True)
    assert "Your account is deleted." in response.content.decode()
    assert "_auth_user_id" not in client.session
    assert not Person.objects.exists()


def test_other_sessions_of_the_person_end_too(client):
    user = member(ClubFactory.create())
    client.force_login(user)
    erase_user(user=user)
    assert client.get(reverse("clubs:me")).status_code == 302
