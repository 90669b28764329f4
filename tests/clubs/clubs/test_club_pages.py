"""The clubs pages: what is shown to whom, and for how many questions to the database."""

import re

import pytest
from django.urls import reverse

from clubs.clubs.queries import clubs_page, members_page
from clubs.models import Club, Invitation, Membership, Openness, Role, Visibility
from clubs.people.services.names import player_of
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member

pytestmark = pytest.mark.django_db

SESSION_AND_USER = 2


def page(client, user, address, *args, **query):
    if user:
        client.force_login(user)
    return client.get(reverse(f"clubs:{address}", args=args), query)


def words(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode().partition("<main")[2]))


@pytest.mark.parametrize("number", [1, 3])
def test_the_list_of_clubs_counts_members_without_guests_and_asks_twice(
    client, django_assert_num_queries, number
):
    user = UserFactory.create()
    player = PlayerFactory.create(user=user)
    for _ in range(number):
        membership = MembershipFactory.create(player=player)
        MembershipFactory.create(club=membership.club, role=Role.GUEST)
        ClubFactory.create()
        ClubFactory.create(visibility=Visibility.MEMBERS, name="Hidden")
    client.force_login(user)
    with django_assert_num_queries(SESSION_AND_USER + 2):
        response = client.get(reverse("clubs:clubs"))
    assert len(re.findall(r'href="/clubs/club-\d+/"', response.content.decode())) == 2 * number
    assert (words(response).count("1 member"), words(response).count("0 members")) == (number, number)
    assert "Hidden" not in words(response)


def test_a_visitor_sees_public_clubs_and_how_to_begin(client):
    assert "No clubs yet" in words(page(client, None, "clubs"))
    ClubFactory.create(name="Bar Point")
    assert "Bar Point" in words(page(client, None, "clubs"))


@pytest.mark.parametrize("number", [1, 3])
def test_an_owner_sees_people_and_invitations_for_six_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    owner = member(club, Role.OWNER, name="Olga")
    for n in range(number):
        MembershipFactory.create(club=club, player=PlayerFactory.create(name=f"Player {n}"))
        Invitation.objects.create(
            club=club,
            email=f"{n}@example.org",
            invited_by=owner,
            token_digest=str(n),
            expires_at="2999-01-01T00:00Z",
        )
    client.force_login(owner)
    # the club, the role, how many, in it oneself, who, the invitations
    with django_assert_num_queries(SESSION_AND_USER + 6):
        response = client.get(reverse("clubs:people", args=[club.slug]))
    shown = words(response)
    assert f"{number + 1} members" in shown
    for expected in (
        "Olga Owner",
        f"Player {number - 1}",
        f"{number - 1}@example.org",
        "Settings",
    ):
        assert expected in shown


def test_names_are_for_the_clubs_own_people(client):
    club = ClubFactory.create(lists_open_to=Openness.MEMBERS)
    member(club, Role.OWNER, name="Olga")
    guest = member(club, Role.GUEST)
    for user in (None, UserFactory.create()):
        shown = words(page(client, user, "people", club.slug))
        assert "1 member" in shown
        assert "Olga" not in shown
        assert "Members only." in shown
        client.logout()
    shown = words(page(client, guest, "people", club.slug))
    assert "Olga Owner" in shown
    assert "Invite" not in shown
    assert "Add guest" not in shown


def test_members_are_found_by_name_and_role(client):
    club = ClubFactory.create()
    user = member(club, Role.OWNER, name="Olga Núñez")
    member(club, Role.MEMBER, name="Nuria")
    member(club, Role.GUEST, name="Iker")
    member(ClubFactory.create(), name="Nunez of another club")
    client.force_login(user)

    def found(**query) -> set[str]:
        shown = page(client, user, "people", club.slug, **query)
        return {row.player.name for row in shown.context["page"].rows}

    assert found(q="nun") == {"Olga Núñez"}
    assert found(role="20") == {"Nuria"}
    assert found(role="20", q="olga") == set()
    assert found(role="99") == found() == {"Olga Núñez", "Nuria", "Iker"}
    shown = words(page(client, user, "people", club.slug, q="zz"))
    assert "No member’s name contains “zz”" in shown
    assert "All 3 Owner 1 Member 1 Guest 1" in shown


def test_a_members_name_leads_to_the_players_page(client):
    club = ClubFactory.create()
    user = member(club, Role.MEMBER, name="Ana")
    shown = page(client, user, "people", club.slug).content.decode()
    assert f'href="/players/{user.player.ref}/"' in shown
    assert "/title/" not in shown


def test_people_stand_by_role_and_name_on_pages_of_fixed_size():
    club = ClubFactory.create()
    for name, role in [("Zoe", Role.OWNER), ("Ñora", 20), ("Nuria", 20), ("Ana", 10), ("ana", 20)]:
        MembershipFactory.create(club=club, player=PlayerFactory.create(name=name), role=role)
    MembershipFactory.create()
    people = Membership.objects.in_club(club)
    names, after = [], ""
    while True:
        stretch = members_page(people, after=after, size=2)
        names.append([membership.player.name for membership in stretch.rows])
        if not (after := stretch.next):
            break
    assert names == [["Zoe", "ana"], ["Nuria", "Ñora"], ["Ana"]]


def test_clubs_go_on_from_page_to_page():
    for name in ("C", "A", "B", "A", "D"):
        ClubFactory.create(name=name)
    names, after = [], ""
    while True:
        stretch = clubs_page(Club.objects.public(), after=after, size=2)
        names.append([club.name for club in stretch.rows])
        if not (after := stretch.next):
            break
    assert names == [["A", "A"], ["B", "C"], ["D"]]


def test_a_place_in_the_list_that_is_gone_begins_anew():
    club = ClubFactory.create()
    MembershipFactory.create(club=club)
    assert len(members_page(Membership.objects.in_club(club), after="23456789ab").rows) == 1


def test_the_people_part_alone_is_sent_to_htmx(client):
    club = ClubFactory.create()
    user = member(club, name="Ana")
    client.force_login(user)
    response = client.get(reverse("clubs:people", args=[club.slug]), headers={"HX-Target": "members"})
    text = response.content.decode()
    assert text.strip().startswith('<section id="members"')
    assert f'data-live="/live/{club.ref}?since=1"' in text
    assert "HX-Target" in response["Vary"]
    assert "<html" not in text


def test_making_and_editing_a_club(client):
    user = UserFactory.create()
    client.force_login(user)
    fields = {"name": "Bar Point", "tz": "Europe/Madrid", "currency": "EUR", "visibility": "members"}
    response = client.post(reverse("clubs:new_club"), fields)
    club = Club.objects.get()
    assert response["Location"] == club.get_absolute_url() == "/clubs/bar-point/"
    assert (club.visibility, club.tz) == ("members", "Europe/Madrid")
    wrong = fields | {"tz": "Mars/Olympus", "currency": "XXX"}
    response = client.post(reverse("clubs:edit_club", args=[club.slug]), wrong)
    assert response.context["form"].errors.keys() == {"tz", "currency"}
    response = client.post(reverse("clubs:edit_club", args=[club.slug]), fields | {"currency": "JPY"})
    club.refresh_from_db()
    assert (response.status_code, club.currency, club.version) == (302, "JPY", 2)


@pytest.mark.parametrize(
    ("typed", "zone", "said"),
    [
        ("Europe/Lisbon", "Europe/Lisbon", ""),
        ("lisbon", "Europe/Lisbon", ""),
        (
            " buenos aires ",
            "",
            "matches several time zones: America/Argentina/Buenos_Aires, America/Buenos_Aires.",
        ),
        ("america/new york", "America/New_York", ""),
        ("Mars", "", "“Mars” is not a time zone. Type a large city, e.g. Lisbon."),
        ("localtime", "", "“localtime” is not a time zone."),
        ("", "", "Time zone is required."),
        ("x" * 5000, "", f"“{'x' * 40}” is not a time zone."),
    ],
)
def test_a_time_zone_is_typed_by_its_name_or_its_city(client, typed, zone, said):
    client.force_login(UserFactory.create())
    fields = {"name": "Bar Point", "tz": typed, "currency": "EUR", "visibility": "public"}
    response = client.post(reverse("clubs:new_club"), fields)
    assert [club.tz for club in Club.objects.all()] == ([zone] if zone else [])
    if said:
        assert said in words(response)


def test_the_forms_of_a_club_do_not_list_every_time_zone(client):
    """They did, in 107 KB."""
    club = ClubFactory.create()
    client.force_login(member(club, Role.OWNER))
    for address in (reverse("clubs:new_club"), reverse("clubs:edit_club", args=[club.slug])):
        assert len(client.get(address).content) < 25_000


def test_nobody_removes_themselves_on_the_page_of_their_role(client):
    club = ClubFactory.create()
    owner, other = member(club, Role.OWNER), member(club, name="Ben")
    client.force_login(owner)
    own = words(client.get(reverse("clubs:member", args=[club.slug, owner.player.ref])))
    assert "Remove from club" not in own
    page = client.get(reverse("clubs:member", args=[club.slug, other.player.ref]))
    away = reverse("clubs:remove_member", args=[club.slug, other.player.ref])
    assert f'href="{away}"' in page.content.decode()
    assert "Remove Ben" in words(client.get(away))
    assert other.player.memberships.filter(club=club).exists()


@pytest.mark.parametrize(
    "address",
    ["edit_club", "invite", "add_member", "member", "remove_member", "erase_member", "withdraw", "leave"],
)
def test_what_is_not_ones_role_is_refused_with_the_reason(client, address):
    club = ClubFactory.create(name="Bar Point")
    args = [club.slug]
    if address in {"member", "remove_member", "erase_member"}:
        args.append(MembershipFactory.create(club=club).player.ref)
    if address == "withdraw":
        args.append("23456789ab")
    user = UserFactory.create() if address == "leave" else member(club, Role.MEMBER)
    client.force_login(user)
    response = client.post(reverse(f"clubs:{address}", args=args))
    assert response.status_code == 403
    assert "or above in Bar Point." in words(response)


def test_an_owner_changes_and_ends_memberships(client):
    club = ClubFactory.create()
    owner, other = member(club, Role.OWNER), member(club, name="Berta")
    client.force_login(owner)
    ref = player_of(user=other).ref
    response = client.post(reverse("clubs:member", args=[club.slug, ref]), {"role": "30"}, follow=True)
    assert "Berta: Director." in words(response)
    own = reverse("clubs:member", args=[club.slug, player_of(user=owner).ref])
    response = client.post(own, {"role": "20"})
    assert response.context["form"].errors == {
        "role": [f"{club.name} needs an owner. Make another member an owner first."]
    }
    response = client.post(reverse("clubs:remove_member", args=[club.slug, ref]), follow=True)
    assert "Berta was removed from the club." in words(response)
    response = client.post(reverse("clubs:remove_member", args=[club.slug, ref]), follow=True)
    assert "This player is no longer in the club" in words(response)


def test_a_director_adds_somebody_without_login(client):
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    fields = {"player-name": "Iker", "player-role": "10"}
    response = client.post(reverse("clubs:add_member", args=[club.slug]), fields, follow=True)
    assert "Iker is now in the club." in words(response)
    refused = client.post(reverse("clubs:add_member", args=[club.slug]), fields | {"player-role": "40"})
    assert "role" in refused.context["form"].errors


def test_a_member_leaves_and_the_last_owner_does_not(client):
    club = ClubFactory.create()
    owner, user = member(club, Role.OWNER), member(club)
    for who, expected in ((user, "You have left"), (owner, "needs an owner")):
        client.force_login(who)
        response = client.post(reverse("clubs:leave", args=[club.slug]), follow=True)
        assert expected in words(response)
    assert response.redirect_chain == [(reverse("clubs:people", args=[club.slug]), 302)]
    assert Membership.objects.in_club(club).count() == 1


def test_without_a_mail_server_an_invitation_says_where_its_link_is(client, settings):
    settings.EMAIL_URL = ""
    club = ClubFactory.create()
    client.force_login(member(club, Role.OWNER))
    fields = {"invitation-email": "berta@example.org", "invitation-role": "30"}
    shown = words(client.post(reverse("clubs:invite", args=[club.slug]), fields, follow=True))
    assert "for the link for berta@example.org and pass it on." in shown
    assert "Invitation sent" not in shown


def test_without_a_mail_server_the_sites_administrator_is_shown_the_link_of_an_invitation(client, settings):
    settings.EMAIL_URL = ""
    club = ClubFactory.create()
    owner = member(club, Role.OWNER)
    owner.is_superuser = True
    owner.save(update_fields=["is_superuser"])
    client.force_login(owner)
    fields = {"invitation-email": "berta@example.org", "invitation-role": "30"}
    response = client.post(reverse("clubs:invite", args=[club.slug]), fields, follow=True)
    assert response.redirect_chain == [(reverse("clubs:outbox"), 302)]
    assert "Pass on the link for berta@example.org from its email below." in words(response)


def test_an_invitation_leads_a_newcomer_into_a_hidden_club(client, mailoutbox, settings):
    settings.EMAIL_URL = "smtp://mail.example"
    club = ClubFactory.create(visibility=Visibility.MEMBERS, name="Bar Point")
    client.force_login(member(club, Role.OWNER))
    fields = {"invitation-email": "berta@example.org", "invitation-role": "30"}
    response = client.post(reverse("clubs:invite", args=[club.slug]), fields, follow=True)
    assert "Invitation sent to berta@example.org." in words(response)
    link = re.search(r"http://testserver(/clubs/join/\S+/)", mailoutbox[0].body)
    assert link
    client.logout()
    shown = client.get(link[1])
    assert "You are invited to join with the role “Director”" in words(shown)
    assert f"/account/signup/?next={link[1]}" in shown.content.decode()
    assert client.post(link[1]).status_code == 200
    client.force_login(UserFactory.create())
    assert "Welcome to Bar Point!" in words(client.post(link[1], follow=True))
    assert client.get(link[1]).status_code == 410


def test_an_invitation_is_withdrawn(client):
    club = ClubFactory.create()
    owner = member(club, Role.OWNER)
    invitation = Invitation.objects.create(
        club=club, email="b@example.org", invited_by=owner, token_digest="d", expires_at="2999-01-01T00:00Z"
    )
    client.force_login(owner)
    address = reverse("clubs:withdraw", args=[club.slug, invitation.ref])
    assert "no longer works" in words(client.post(address, follow=True))
    assert "already used or withdrawn" in words(client.post(address, follow=True))
    assert client.get(address).status_code == 405


def test_names_are_escaped(client):
    club = ClubFactory.create(name="<script>alert(1)</script>")
    user = member(club, name="<b>Ana</b>")
    text = page(client, user, "people", club.slug).content.decode()
    assert "<script>alert" not in text
    assert "<b>Ana" not in text
