"""Clubs, roles and invitations, also with two people at once."""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now

from clubs.clubs.services.clubs import (
    ClubRefused,
    LastOwnerRefused,
    accept_invitation,
    add_player,
    change_role,
    create_club,
    edit_club,
    end_membership,
    invite,
    withdraw_invitation,
)
from clubs.models import Club, Invitation, Membership, Player, Role, Visibility
from clubs.people.services.names import player_of, rename_person
from tests.factories import ClubFactory, MembershipFactory, UserFactory, member
from tests.races import at_once

pytestmark = pytest.mark.django_db


def new_club(name="Bar Point", **fields) -> Club:
    user = fields.pop("user", None) or UserFactory.create()
    return create_club(user=user, name=name, tz="Europe/Madrid", currency="EUR", **fields)


def roles(club: Club) -> list[int]:
    return sorted(Membership.objects.in_club(club).values_list("role", flat=True))


def test_whoever_makes_a_club_owns_it():
    user = UserFactory.create(email="ana@example.org")
    club = new_club(user=user, visibility=Visibility.MEMBERS)
    assert (club.slug, club.tz, club.visibility) == ("bar-point", "Europe/Madrid", Visibility.MEMBERS)
    [membership] = Membership.objects.in_club(club).with_player()
    assert (membership.player.user, membership.role, membership.player.name) == (user, Role.OWNER, "ana")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Peña Backgammon Gros", "pena-backgammon-gros"),
        ("New", "new-club"),
        ("将棋", "club"),
        ("bcdfghjkmn", "bcdfghjkmn-club"),
        ("x" * 100, "x" * 48),
    ],
)
def test_the_address_is_made_from_the_name(name, slug):
    assert new_club(name).slug == slug


def test_a_taken_address_gets_a_number():
    assert [new_club().slug for _ in range(3)] == ["bar-point", "bar-point-2", "bar-point-3"]


@pytest.mark.django_db(transaction=True)
def test_two_clubs_of_one_name_made_at_once():
    users = [UserFactory.create(), UserFactory.create()]
    made = at_once(*[lambda user=user: new_club(user=user).slug for user in users])
    assert sorted(made) == ["bar-point", "bar-point-2"]


@pytest.mark.django_db(transaction=True)
def test_a_login_gets_one_player_however_often_it_asks_at_once():
    user = UserFactory.create()
    players = at_once(*[lambda: player_of(user=user).ref] * 3)
    assert len(set(players)) == 1
    assert Player.objects.count() == 1


def test_a_club_keeps_its_address_and_tells_its_pages_of_a_change():
    club = new_club()
    edited = edit_club(club=club, name="Gros", tz="UTC", currency="JPY", visibility=Visibility.PUBLIC)
    club.refresh_from_db()
    assert (club.slug, club.name, club.currency) == ("bar-point", "Gros", "JPY")
    assert edited.version == club.version == 2


def test_a_guest_comes_without_login():
    club = ClubFactory.create()
    membership = add_player(club=club, name="Iker")
    assert (membership.role, membership.player.name, membership.player.user) == (Role.GUEST, "Iker", None)
    with pytest.raises(ClubRefused, match="without an account cannot have the role “Director”"):
        add_player(club=club, name="Iker", role=Role.DIRECTOR)
    with pytest.raises(ClubRefused, match="Iker has no account and cannot have the role “Owner”"):
        change_role(club=club, player_ref=membership.player.ref, role=Role.OWNER)


def test_the_last_owner_stays():
    club = ClubFactory.create()
    user, director = member(club, Role.OWNER), member(club, Role.DIRECTOR)
    ref, other = player_of(user=user).ref, player_of(user=director).ref
    for attempt in (
        lambda: change_role(club=club, player_ref=ref, role=Role.MEMBER),
        lambda: end_membership(club=club, player_ref=ref),
    ):
        with pytest.raises(LastOwnerRefused, match=r"needs an owner\. Make another member an owner first"):
            attempt()
    change_role(club=club, player_ref=other, role=Role.OWNER)
    end_membership(club=club, player_ref=ref)
    assert roles(club) == [Role.OWNER]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["step down", "leave"])
def test_two_owners_who_go_at_once_leave_one_of_them(way):
    club = ClubFactory.create()
    refs = [player_of(user=member(club, Role.OWNER)).ref for _ in range(2)]

    def go(ref):
        if way == "leave":
            return end_membership(club=club, player_ref=ref)
        return change_role(club=club, player_ref=ref, role=Role.MEMBER)

    outcomes = at_once(*[lambda ref=ref: go(ref) for ref in refs])
    assert sorted(isinstance(outcome, LastOwnerRefused) for outcome in outcomes) == [False, True]
    assert Membership.objects.in_club(club).owners().count() == 1


def invited(club, email="berta@example.org", role=Role.MEMBER) -> tuple[Invitation, str]:
    tokens: list[str] = []

    def link(token):
        tokens.append(token)
        return f"https://club.example/clubs/join/{token}/"

    owner = member(club, Role.OWNER)
    return invite(club=club, email=email, role=role, invited_by=owner, link=link), tokens[0]


def test_an_invitation_is_a_link_by_mail_whose_secret_is_not_kept(mailoutbox):
    club = ClubFactory.create(name="Bar Point")
    invitation, token = invited(club, "Berta@Example.org", Role.DIRECTOR)
    [mail] = mailoutbox
    assert (mail.subject, mail.to) == ("Invitation to Bar Point", ["berta@example.org"])
    assert re.search(r"https://club\.example/clubs/join/\S+/", mail.body)
    assert "with the role “Director”" in mail.body
    assert token not in str(Invitation.objects.values().get(pk=invitation.pk))


def test_accepting_gives_the_role_once():
    club = ClubFactory.create()
    _, token = invited(club, role=Role.DIRECTOR)
    user = UserFactory.create()
    assert accept_invitation(token=token, user=user).role == Role.DIRECTOR
    with pytest.raises(Invitation.DoesNotExist):
        accept_invitation(token=token, user=UserFactory.create())


def test_an_invitation_never_lowers_a_role():
    club = ClubFactory.create()
    _, token = invited(club, role=Role.GUEST)
    assert accept_invitation(token=token, user=member(club, Role.DIRECTOR)).role == Role.DIRECTOR


def test_an_invitation_raises_a_lower_role():
    club = ClubFactory.create()
    _, token = invited(club, role=Role.DIRECTOR)
    assert accept_invitation(token=token, user=member(club, Role.GUEST)).role == Role.DIRECTOR


def test_a_second_invitation_replaces_the_first():
    club = ClubFactory.create()
    _, first = invited(club)
    _, second = invited(club)
    assert Invitation.objects.count() == 1
    with pytest.raises(Invitation.DoesNotExist):
        accept_invitation(token=first, user=UserFactory.create())
    accept_invitation(token=second, user=UserFactory.create())


def test_an_invitation_ends_by_time_and_by_being_withdrawn():
    club = ClubFactory.create()
    old, old_token = invited(club)
    Invitation.objects.filter(pk=old.pk).update(expires_at=now() - timedelta(seconds=1))
    withdrawn, withdrawn_token = invited(club, "carla@example.org")
    withdraw_invitation(club=club, ref=withdrawn.ref)
    for token in (old_token, withdrawn_token, "guessed"):
        with pytest.raises(Invitation.DoesNotExist):
            accept_invitation(token=token, user=UserFactory.create())


def test_somebody_in_the_club_is_not_invited():
    club = ClubFactory.create()
    user = member(club)
    with pytest.raises(ClubRefused, match=f"{re.escape(user.email)} is already in the club"):
        invited(club, user.email.upper())


@pytest.mark.django_db(transaction=True)
def test_a_link_used_twice_at_once_works_once():
    club = ClubFactory.create()
    _, token = invited(club)
    users = [UserFactory.create(), UserFactory.create()]
    outcomes = at_once(*[lambda user=user: accept_invitation(token=token, user=user) for user in users])
    assert sorted(isinstance(outcome, Membership) for outcome in outcomes) == [False, True]
    assert Membership.objects.in_club(club).filter(role=Role.MEMBER).count() == 1


def test_a_new_name_is_sorted_anew():
    user = member(ClubFactory.create(), name="Ana")
    person = rename_person(user=user, name="  Ñ   Ana ")
    assert (person.name, person.sort_key) == ("Ñ Ana", "n~ ana")


def test_a_membership_of_another_club_cannot_be_changed():
    foreign = MembershipFactory.create()
    with pytest.raises(Membership.DoesNotExist):
        change_role(club=ClubFactory.create(), player_ref=foreign.player.ref, role=Role.GUEST)
