"""Names that nobody takes for somebody else's: what is stripped, what is refused, what tells them apart."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from clubs.clubs.services.clubs import accept_invitation, add_player, invite
from clubs.lookalikes import clean_name, look_alike
from clubs.models import Club, Membership, Person, Player, Role, User
from clubs.people.services.names import NameRefused, player_of, rename_person
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member

pytestmark = pytest.mark.django_db


def keeps(links: list[str]) -> Callable[[str], str]:
    """A maker of links that keeps the secret of each."""

    def link(token: str) -> str:
        links.append(token)
        return token

    return link


# A zero-width, a look-alike in Cyrillic, in capitals and digits, an exact name, other capitals, full width.
ALIKE = [
    "Ana\u200b Alonso",
    "Аna Alonso",
    "Ana AIonso",
    "Ana Al0nso",
    "Ana Alonso",
    "ANA ALONSO",
    "Ａｎａ Alonso",
]
BLANK = ["", "   ", "\u200b", "\u3164", "\u2800\u2800", "\u202e\u200f", "\u00ad", "\u115f", "…", "--"]
MARKS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point", name="Bar Point")


def named(club: Club, name: str) -> User:
    return member(club, name=name)


@pytest.mark.parametrize("mark", MARKS)
def test_direction_marks_are_stripped_wherever_a_name_comes_from(mark):
    person = Person(player=PlayerFactory.create(), name=f"{chr(mark)}Ana{chr(mark)} Ruiz")
    Person.objects.filter(player=person.player).delete()
    person.save()
    assert Person.objects.get(player=person.player).name == "Ana Ruiz"


@pytest.mark.parametrize(
    "name", ["Jon Etxeberria-Ñúñez", "Мария Иванова", "Ελένη", "李小龍", "می‌خواهم", "O’Neil", "Zoë 2"]
)
def test_names_of_all_scripts_stay_as_they_are(name):
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José", "Jose"),
        ("Ian Fox", "Lan Fox"),
        ("Ana Ruiz", "Ana Ruis"),
        ("Мария", "Maria"),
        ("Leo 2", "Leo 3"),
    ],
)
def test_names_that_people_tell_apart_are_two(one, other):
    assert not look_alike(one, other)


@pytest.mark.parametrize("name", ALIKE)
@pytest.mark.parametrize("by", ["page", "api"])
def test_nobody_takes_a_name_that_looks_like_another_members(client, club, name, by):
    named(club, "Ana Alonso")
    user = named(club, "Ben")
    if by == "page":
        client.force_login(user)
        page = client.post(reverse("clubs:me"), {"name": name})
        assert page.status_code == 200
        assert "Bar Point has a member called Ana Alonso" in page.content.decode()
    else:
        answer = with_token(user).patch("/api/v1/me/", {"name": name}, format="json")
        assert answer.status_code == 409, answer.data
    assert Person.objects.get(player__user=user).name == "Ben"


@pytest.mark.parametrize("name", BLANK)
@pytest.mark.parametrize("by", ["page", "api", "member page", "member api"])
def test_a_name_that_nobody_sees_is_refused(client, club, name, by):
    director = member(club, Role.DIRECTOR, name="Dora")
    client.force_login(director)
    answer = {
        "page": lambda: client.post(reverse("clubs:me"), {"name": name}),
        "api": lambda: with_token(director).patch("/api/v1/me/", {"name": name}, format="json"),
        "member page": lambda: client.post(
            reverse("clubs:add_member", args=[club.slug]), {"player-name": name, "player-role": "10"}
        ),
        "member api": lambda: with_token(director).post(
            "/api/v1/clubs/bar-point/members/", {"name": name}, format="json"
        ),
    }[by]()
    assert answer.status_code == (200 if "page" in by else answer.status_code)
    assert answer.status_code in {200, 400, 409}
    assert list(Person.objects.values_list("name", flat=True)) == ["Dora"]


@pytest.mark.parametrize("name", ALIKE)
def test_no_guest_is_added_under_a_members_name(club, name):
    named(club, "Ana Alonso")
    with pytest.raises(NameRefused, match="Add a second name or a town"):
        add_player(club=club, name=name)
    assert Player.objects.count() == 1


def test_the_same_name_in_another_club_is_nobodys_business(club):
    named(ClubFactory.create(), "Ana Alonso")
    assert add_player(club=club, name="Ana Alonso").player.name == "Ana Alonso"


@pytest.mark.parametrize("by", ["page", "api"])
def test_nobody_joins_under_a_members_name(client, club, by):
    named(club, "Ana Alonso")
    newcomer = UserFactory.create()
    player_of(user=newcomer)
    rename_person(user=newcomer, name="Аna Alonso")
    links: list[str] = []
    invite(
        club=club, email="new@example.org", role=Role.MEMBER, invited_by=member(club, Role.OWNER),
        link=keeps(links),
    )  # fmt: skip
    if by == "page":
        client.force_login(newcomer)
        page = client.post(reverse("clubs:join", args=links), follow=True)
        assert "Bar Point has a member called Ana Alonso" in page.content.decode()
    else:
        answer = with_token(newcomer).post("/api/v1/me/clubs/", {"invitation": links[0]}, format="json")
        assert answer.status_code == 409
    assert not Membership.objects.filter(player__user=newcomer).exists()
    rename_person(user=newcomer, name="Ana Alonso Bilbao")
    accept_invitation(token=links[0], user=newcomer)
    assert Membership.objects.filter(player__user=newcomer, club=club).exists()


def test_two_who_are_called_alike_already_are_shown_with_what_tells_them_apart(client, club):
    players = [PlayerFactory.create(name="Ana Alonso") for _each in range(2)]
    for player in (*players, PlayerFactory.create(name="Ben")):
        MembershipFactory.create(club=club, player=player)
    client.force_login(member(club, name="Dora"))
    page = client.get(reverse("clubs:people", args=[club.slug])).content.decode()
    assert all(f'<span class="muted small">{player.ref}</span>' in page for player in players)
    assert page.count('<span class="muted small">') == 2
