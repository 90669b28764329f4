"""A pasted list of players: what each row would do, on the page, in the API and in the service."""

import pytest
from django.urls import reverse

from clubs.clubs.services.clubs import ClubRefused, add_player
from clubs.clubs.services.member_lists import MOST_LINES, AddedMembers, add_members, read_members
from clubs.models import Membership, Role
from tests.factories import ClubFactory, member
from tests.races import at_once

pytestmark = pytest.mark.django_db


def states(club, text, **options):
    return [(line.name, line.state) for line in read_members(club=club, text=text, **options).lines]


def names(club):
    return sorted(Membership.objects.in_club(club).values_list("player__person__name", flat=True))


def test_a_list_says_who_is_new_who_is_there_and_what_speaks_against_a_row():
    club = ClubFactory.create()
    add_player(club=club, name="José Núñez")
    add_player(club=club, name="Alan Fox")
    text = "Name\tElo\n1. jose nuñez\t1600\nGil, Ana\t1500\nAna Gil\t\n\u0410lan Fox\t\n-\t\n" + "x" * 200
    read = read_members(club=club, text=text)
    assert (read.fields, read.headed, read.headings) == (("name", ""), True, ("Name", "Elo"))
    assert [(line.number, line.state) for line in read.lines] == [
        (2, "known"),
        (3, "new"),
        (4, "problem"),
        (5, "problem"),
        (6, "problem"),
        (7, "problem"),
    ]
    faults = [line.fault for line in read.lines if line.fault]
    assert faults[0] == "Ana Gil is on the list twice."
    assert faults[1].endswith("looks like the member Alan Fox. Correct the name, or add a town to it.")
    assert "at least one letter" in faults[2] or faults[2] == "The name is missing."
    assert faults[3].startswith("A name has at most")


def test_first_names_and_surnames_are_one_name_and_other_columns_are_left_out():
    club = ClubFactory.create()
    text = "Apellidos;Nombre;Correo\nGil;Ana;ana@example.org\nRoy;Ben;"
    assert states(club, text) == [("Ana Gil", "new"), ("Ben Roy", "new")]
    assert states(club, "Gil;Ana\nRoy;Ben", columns=["last", "first"], headed=False)[0] == ("Ana Gil", "new")
    assert read_members(club=club, text="1;2\n3;4").nameless.startswith("No column has the names")
    assert states(club, "") == []


def test_two_new_names_that_look_alike_are_refused_before_anybody_is_added():
    club = ClubFactory.create()
    assert [state for _name, state in states(club, "Bernard\nBemard")] == ["new", "problem"]
    add_player(club=club, name="Alan Fox")
    read = read_members(club=club, text="Alan Fox\n\u0410lan Fox")
    assert [line.fault.partition(" Fox ")[2][:21] for line in read.lines] == ["", "looks like the member"]
    with pytest.raises(ClubRefused, match="Line 2: Bemard looks like Bernard on this list"):
        add_members(club=club, text="Bernard\nBemard")
    assert names(club) == ["Alan Fox"]
    assert add_members(club=club, text="Bernard\nBemard", leave_out=[2]) == AddedMembers(1, 0, 1)


def test_a_list_sent_twice_adds_nobody_twice():
    club = ClubFactory.create()
    text = "Ana Gil\nBen Roy"
    assert add_members(club=club, text=text, role=Role.MEMBER) == AddedMembers(2, 0, 0)
    assert add_members(club=club, text=text) == AddedMembers(0, 2, 0)
    assert set(Membership.objects.in_club(club).values_list("role", flat=True)) == {Role.MEMBER}
    for empty in ("", " \n\t"):
        with pytest.raises(ClubRefused, match="The list is empty"):
            add_members(club=club, text=empty)


@pytest.mark.django_db(transaction=True)
def test_two_directors_who_paste_one_list_at_once_add_each_player_once():
    club = ClubFactory.create()
    answers = at_once(*(lambda: add_members(club=club, text="Ana Gil\nBen Roy") for _ in range(2)))
    assert sorted(answer.added for answer in answers) == [0, 2]
    assert names(club) == ["Ana Gil", "Ben Roy"]


def test_a_list_is_read_with_the_same_queries_for_any_number_of_rows(django_assert_num_queries):
    club = ClubFactory.create()
    for count in (1, 300):
        with django_assert_num_queries(2):
            read = read_members(club=club, text="\n".join(f"Player {n}x" for n in range(count)))
        assert {line.state for line in read.lines} == {"new"}


def test_a_list_that_is_too_long_says_so_on_the_line_behind_the_last():
    club = ClubFactory.create()
    read = read_members(club=club, text="\n".join(f"Player {n}x" for n in range(MOST_LINES + 9)))
    assert (len(read.lines), read.lines[-1].fault[:29]) == (MOST_LINES + 1, "A list has at most 500 player")


def test_a_director_pastes_a_list_on_the_members_page(client):
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR, name="Dora"))
    people = client.get(reverse("clubs:people", args=[club.slug])).text
    address = reverse("clubs:member_list", args=[club.slug])
    assert f'href="{address}">Paste list</a>' in people
    sent = {"members": "Ana Gil\nDora\nAna Gil", "role": "10"}
    shown = client.post(address, sent).text
    for words in ("1 new player", "1 already in the club", "1 problem", "Ana Gil is on the list twice."):
        assert words in shown, words
    refused = client.post(address, sent | {"commit": "yes"})
    assert refused.status_code == 409
    assert "Line 3: Ana Gil is on the list twice." in refused.text
    done = client.post(address, sent | {"commit": "yes", "leave_out": "3"}, follow=True)
    assert "1 player added. 1 was in the club already." in done.text
    assert names(club) == ["Ana Gil", "Dora"]
    assert client.post(address, {"members": "", "role": "10"}).status_code == 200


def test_programs_check_and_add_a_list(client):
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR, name="Dora"))
    address = reverse("api:member_list", args=[club.slug])
    told = client.post(address, {"members": "Ana Gil\ndora"}, "application/json").json()
    assert told == {
        "lines": [
            {"number": 1, "name": "Ana Gil", "state": "new", "fault": ""},
            {"number": 2, "name": "dora", "state": "known", "fault": ""},
        ],
        "columns": ["name"],
        "headed": False,
        "added": 0,
    }
    assert names(club) == ["Dora"]
    sent = {"members": "Ana Gil\ndora", "commit": True, "role": "member"}
    assert client.post(address, sent, "application/json").json()["added"] == 1
    wrong = client.post(address, {"members": "Ben\nBen", "commit": True}, "application/json")
    assert wrong.status_code == 409
    assert "Line 2" in wrong.json()["detail"]
