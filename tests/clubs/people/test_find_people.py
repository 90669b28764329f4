"""Fields that look for people: whom a typed name finds, for whom, and what a form does with it."""

import re

import pytest
from django.urls import reverse

from clubs.models import Membership, Role
from clubs.people.search import SHOWN, find_people, members
from scoring.files.services.aliases import player_named
from scoring.models import Match
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory.create(slug="bar-point")


def people(club, *names, role=Role.MEMBER):
    return [
        MembershipFactory.create(club=club, player=PlayerFactory.create(name=name), role=role).player
        for name in names
    ]


def found(client, club, text, **query):
    page = client.get(reverse("clubs:find_people", args=[club.slug]), {"q": text, **query}).content.decode()
    return re.findall(r'data-name="([^"]+)"', page)


@pytest.mark.parametrize(
    "text",
    ["ana", "ANA", "núñez", "nunez", "nuñez", "ez", "ana nun", "nunez ana", "  ana   núñez ", "a"],
)
def test_any_part_of_a_name_finds_it_whatever_its_accents_and_the_order_of_its_words(client, club, text):
    people(club, "Ana Núñez", "Ben")
    client.force_login(member(club, name="Zoë"))
    assert found(client, club, text) == ["Ana Núñez"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Søren Łukasz", "soren lukasz"),
        ("Groß", "gross"),
        ("Ðorđe", "dorde"),
        ("İlkay", "ilkay"),
        ("O’Neill", "neill"),
    ],
)
def test_letters_with_strokes_are_found_by_those_without(client, club, name, text):
    people(club, name)
    client.force_login(member(club, name="Zoë"))
    assert found(client, club, text) == [name]


@pytest.mark.parametrize("text", ["", "   ", "%", "_", "\\", "ana ben", "x" * 300, "\x00", "\u202e"])
def test_what_is_in_no_name_finds_nobody(client, club, text):
    people(club, "Ana", "Ben")
    client.force_login(member(club, name="Zoë"))
    assert found(client, club, text) == []


def test_those_come_first_whose_name_begins_with_it_and_at_most_twenty(client, club):
    people(club, "Jana", *(f"Ana {n:02}" for n in range(SHOWN)))
    client.force_login(member(club, name="Zoë"))
    shown = found(client, club, "ana")
    assert shown == [f"Ana {n:02}" for n in range(SHOWN)]
    answer = client.get(reverse("clubs:find_people", args=[club.slug]), {"q": "ana"})
    assert "First 20 players. Type more of the name." in answer.content.decode()


def test_namesakes_are_told_apart(client, club):
    people(club, "Ana Ruiz", "ANA RUIZ", "Ana Vidal")
    client.force_login(member(club, name="Zoë"))
    page = client.get(reverse("clubs:find_people", args=[club.slug]), {"q": "ana"}).content.decode()
    options = re.findall(r"<li role=\"option\".*?</li>", page, re.DOTALL)
    assert [("joined" in option) for option in options] == [True, True, False]
    refs = set(
        Membership.objects.filter(player__person__sort_key="ana ruiz").values_list("player__ref", flat=True)
    )
    assert all(ref in page for ref in refs)


def test_unclaimed_people_those_of_other_clubs_and_merged_guests_are_not_found(client, club):
    (ana,) = people(club, "Ana")
    people(ClubFactory.create(), "Ana elsewhere")
    player_named(club=club, name="ana of a file")
    (gone,) = people(club, "Ana merged")
    gone.merged_into = ana
    gone.save()
    client.force_login(member(club, name="Zoë"))
    assert found(client, club, "ana") == ["Ana"]


def test_guests_and_those_with_a_login_can_be_left_out(client, club):
    people(club, "Ana guest", role=Role.GUEST)
    people(club, "Ana member")
    member(club, name="Ana herself")
    client.force_login(member(club, name="Zoë"))
    assert found(client, club, "ana", least="member") == ["Ana herself", "Ana member"]
    assert found(client, club, "ana", login="no") == ["Ana guest", "Ana member"]


@pytest.mark.parametrize("number", [1, 30])
def test_a_search_costs_two_queries_whoever_is_found(club, number, django_assert_num_queries):
    people(club, *(f"Ana {n}" for n in range(number)))
    with django_assert_num_queries(2):
        assert len(find_people(club, members(club), "ana").lines) == min(number, SHOWN)


def test_people_outside_the_club_find_nobody(client, club):
    people(club, "Ana")
    address = reverse("clubs:find_people", args=[club.slug])
    assert client.get(address, {"q": "ana"}).status_code == 302
    client.force_login(UserFactory.create())
    assert client.get(address, {"q": "ana"}).status_code == 403


NEW = {"black_name": "Zoë", "kind": "match", "length": "5", "profile": "wbf"}


def sent(client, club, **fields):
    return client.post(reverse("scoring:new_match", args=[club.slug]), NEW | fields)


@pytest.fixture
def director(client, club):
    user = member(club, Role.DIRECTOR, name="Iker")
    client.force_login(user)
    return user


def test_without_javascript_a_part_of_a_name_is_asked_about_even_if_one_person_has_it(client, club, director):
    """It chose that person unasked: “zoe” for a Zoë who is not in the club made Zoë Ruiz a player."""
    (ana,) = people(club, "Ana Núñez")
    page = sent(client, club, white="", white_name="nunez").content.decode()
    assert "One name contains “nunez”. Confirm the player." in page
    assert re.findall(r'<input type="radio" name="white" value="(\w+)"', page) == [ana.ref, "guest"]
    assert f'value="{ana.ref}" checked' in page
    assert not Match.objects.exists()
    assert sent(client, club, white=ana.ref, white_name="nunez").status_code == 302
    assert Match.objects.with_players().get().white.players == [ana]


def test_without_javascript_a_whole_name_is_enough_whatever_its_accents(client, club, director):
    (ana,) = people(club, "Ana Núñez")
    assert sent(client, club, white="", white_name=" ana  nunez ").status_code == 302
    assert Match.objects.with_players().get().white.players == [ana]


@pytest.mark.parametrize("named", ["Ana " + "x" * 90, "Nobody"])
def test_a_refusal_does_not_repeat_a_text_of_any_length(client, club, named):
    people(club, named)
    client.force_login(member(club, Role.OWNER, name="Iker"))
    fields = {"invitation-email": "a@example.org", "invitation-guest_name": "x" * 5000}
    page = client.post(reverse("clubs:invite", args=[club.slug]), fields).content.decode()
    assert f"name contains “{'x' * 39}…" in page
    assert f"“{'x' * 41}" not in page


def test_a_guest_whose_name_is_too_long_is_refused(client, club, director):
    page = sent(client, club, white="", white_name="x" * 5000).content.decode()
    assert " can have at most 100 characters." in page
    assert not Match.objects.exists()


def test_a_name_that_nobody_has_is_offered_as_a_guests_where_guests_may_be_named(client, club):
    people(club, "Ana")
    client.force_login(member(club, name="Zoë"))
    address = reverse("clubs:find_people", args=[club.slug])
    assert found(client, club, "Iker") == []
    assert found(client, club, " Iker ", guests="new") == ["Iker"]
    assert 'data-ref="guest"' in client.get(address, {"q": "Iker", "guests": "new"}).content.decode()
    assert found(client, club, "an", guests="new") == ["Ana"]


def test_the_whole_name_is_enough_where_others_begin_with_it(client, club, director):
    ana, _other = people(club, "Ana", "Ana Maria")
    assert sent(client, club, white="", white_name="ana").status_code == 302
    assert Match.objects.with_players().get().white.players == [ana]


def test_without_javascript_several_are_asked_for_and_one_is_chosen(client, club, director):
    _one, other = people(club, "Ana Ruiz", "Ana Ruiz")
    page = sent(client, club, white="", white_name="ana").content.decode()
    assert "Several names contain “ana”. Choose a player." in page
    assert page.count('<input type="radio" name="white"') == 3  # the third: a guest called “ana”
    assert page.count("joined ") == 2
    assert 'value="ana"' in page
    assert sent(client, club, white=other.ref, white_name="ana").status_code == 302
    assert Match.objects.with_players().get().white.players == [other]


def test_a_name_that_was_typed_over_a_chosen_one_is_searched(client, club, director):
    ana, ben = people(club, "Ana", "Ben")
    assert sent(client, club, white=ana.ref, white_name="Ben").status_code == 302
    assert Match.objects.with_players().get().white.players == [ben]


def test_a_chosen_name_that_was_wiped_out_is_nobody(client, club, director):
    (ana,) = people(club, "Ana")
    page = sent(client, club, white=ana.ref, white_name=" ").content.decode()
    assert "Enter a member, a guest or a new name." in page


def test_what_was_typed_stays_and_names_what_is_wrong(client, club, director):
    (ana,) = people(club, "Ana")
    player_named(club=club, name="Unclaimed")
    page = sent(
        client, club, white="", white_name="Unclaimed", black=ana.ref, black_name="Ana", length=""
    ).content.decode()
    assert "Enter the match length." in page
    assert 'name="white_name" value="Unclaimed"' in page
    assert f'name="black" value="{ana.ref}"' in page
    assert 'name="black_name" value="Ana"' in page
    assert not Match.objects.exists()


@pytest.mark.parametrize("ref", ["nobody", "' OR 1=1", "2222222222", "x" * 5000])
def test_a_ref_of_nobody_here_is_refused(client, club, director, ref):
    page = sent(client, club, white=ref)
    assert page.status_code == 200
    assert "in the club. Choose another one." in page.content.decode()
    stranger = people(ClubFactory.create(), "Ana elsewhere")[0]
    assert "in the club. Choose another one." in sent(client, club, white=stranger.ref).content.decode()
    assert not Match.objects.exists()
