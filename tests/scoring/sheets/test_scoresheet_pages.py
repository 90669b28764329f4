"""The pages around the scoresheet: opening a match, the sheet, joining by a code, the worker's script."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Openness, Role, User, Visibility
from scoring.log.queries.writers import Author, writer
from scoring.models import ClubProfile, Match
from scoring.rules.profiles import BUILT_IN, Profile, profile_to_plain
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.claims import make_claim, revoke_claims
from scoring.sheets.services.openings import open_match
from tests.factories import ClubFactory, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point")
    return found


@pytest.fixture
def ana(club: Club) -> User:
    return member(club, name="Ana")


@pytest.fixture
def match(club: Club, ana: User) -> Match:
    opponent = member(club, name="Björn")
    return open_match(club=club, white=[ana.player], black=[opponent.player], length=5, user=ana)


def config_of(response: Any) -> Any:
    found = re.search(r'<script id="sheet-config" type="application/json">(.*?)</script>', response.text)
    assert found
    return json.loads(found[1])


def test_a_match_against_a_guest_is_opened(client: Client, club: Club, ana: User) -> None:
    client.force_login(ana)
    address = reverse("scoring:new_match", args=[club.slug])
    page = client.get(address)
    assert page.context["form"].fields["white"].initial == ana.player
    sent = {
        "white": ana.player.ref,
        "black_name": " Zoë  Kim ",
        "kind": "match",
        "length": "7",
        "profile": "ukbgf",
    }
    answer = client.post(address, sent)
    match = Match.objects.with_players().select_related("sheet").get()
    assert answer.headers["Location"] == reverse("scoring:scoresheet", args=[match.ref])
    assert (match.length, match.white.name, match.black.name) == (7, "Ana", "Zoë Kim")
    assert (match.sheet.profile["name"], match.sheet.opened_by) == ("ukbgf", ana)


def test_a_money_session_needs_no_length(client: Client, club: Club) -> None:
    client.force_login(member(club, Role.DIRECTOR))
    sent = {"white_name": "Zoë", "black_name": "Iker", "kind": "money", "length": "", "profile": "wbf"}
    client.post(reverse("scoring:new_match", args=[club.slug]), sent)
    assert Match.objects.get().length == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"black_name": ""}, "Enter a member, a guest or a new name."),
        ({"length": ""}, "Enter the match length."),
        ({"length": "100"}, "must be at most 99."),
        ({"black_name": "zoë"}, "a player can have only one seat in a match"),
        ({"white_partner_name": "iker"}, "a player can have only one seat in a match"),
        ({"white_start": "5"}, "Zoë cannot start a match to 5 with 5 points"),
        ({"kind": "money", "black_start": "1"}, "A money session starts at 0–0."),
        ({"played_at": "2999-01-01T20:00"}, "a match must be dated between 1900 and now, not 2999-01-01"),
        ({"played_at": "0001-01-01T00:00"}, "a match must be dated between 1900 and now"),
        ({"played_at": "yesterday"}, "Enter a valid date/time."),
        ({"profile": "house"}, "Select a valid choice"),
    ],
)
def test_a_match_that_cannot_be_is_refused(
    client: Client, club: Club, change: dict[str, str], said: str
) -> None:
    client.force_login(member(club, Role.DIRECTOR))
    sent = {"white_name": "Zoë", "black_name": "Iker", "kind": "match", "length": "5", "profile": "wbf"}
    answer = client.post(reverse("scoring:new_match", args=[club.slug]), sent | change)
    assert said in answer.text
    assert not Match.objects.exists()


def test_doubles_with_a_handicap_played_last_week_in_the_clubs_zone(
    client: Client, club: Club, ana: User
) -> None:
    Club.objects.filter(pk=club.pk).update(tz="Europe/Madrid")
    carla = member(club, name="Carla").player
    client.force_login(ana)
    address = reverse("scoring:new_match", args=[club.slug])
    sent = {"white": ana.player.ref, "white_partner": carla.ref, "black_name": "Zoë", "kind": "match"}
    sent |= {"black_partner_name": "Iker", "length": "7", "profile": "us", "black_start": "2"}
    client.post(address, sent | {"played_at": "2026-07-01T20:30"})
    match = Match.objects.with_players().select_related("sheet").get()
    assert (match.white.name, match.black.name) == ("Ana / Carla", "Zoë / Iker")
    assert match.played_at == datetime(2026, 7, 1, 18, 30, tzinfo=UTC)
    view = view_for(match.sheet, match, writer(match, ana))
    assert (view["white"]["points"], view["black"]["points"], view["black"]["away"]) == (0, 2, 5)


def test_somebody_of_the_club_sits_once_at_a_board(client: Client, club: Club, ana: User) -> None:
    client.force_login(ana)
    address = reverse("scoring:new_match", args=[club.slug])
    sent = {
        "white": ana.player.ref,
        "white_partner": ana.player.ref,
        "black_name": "Zoë",
        "kind": "match",
        "length": "5",
    }
    page = client.post(address, sent | {"profile": "wbf"}).text
    assert "Ana can have only one seat in a match." in page
    assert "<details open>" in page
    assert not Match.objects.exists()


def test_only_what_may_be_left_out_is_marked_so(client: Client, club: Club, ana: User) -> None:
    client.force_login(ana)
    page = client.get(reverse("scoring:new_match", args=[club.slug])).text
    labels = re.findall(r'<label for="id_(\w+)">[^<]*(<span class="optional">)?', page)
    marked = {name for name, optional in labels if optional}
    assert marked == {
        *("white_partner", "black_partner", "white_start", "black_start", "played_at"),
    }


@pytest.mark.parametrize(
    ("kind", "length", "points"), [("7", "", 7), ("1", "25", 1), ("match", "25", 25), ("money", "", 0)]
)
def test_a_usual_length_is_one_choice_and_another_is_typed(
    client: Client, club: Club, ana: User, kind: str, length: str, points: int
) -> None:
    client.force_login(ana)
    sent = {"white": ana.player.ref, "black_name": "Zoë", "kind": kind, "length": length, "profile": "wbf"}
    client.post(reverse("scoring:new_match", args=[club.slug]), sent)
    assert Match.objects.get().length == points


def test_a_guest_who_is_called_nearly_as_a_member_is_asked_about(
    client: Client, club: Club, ana: User
) -> None:
    member(club, name="Zoë Kim")
    client.force_login(ana)
    address = reverse("scoring:new_match", args=[club.slug])
    sent = {"white": ana.player.ref, "black_name": "Zoë", "kind": "5", "profile": "wbf"}
    asked = client.post(address, sent).text
    assert "One name contains “Zoë”." in asked
    assert '<input type="radio" name="black" value="guest">' in asked
    assert not Match.objects.exists()
    client.post(address, sent | {"black": "guest"})
    assert Match.objects.with_players().get().black.name == "Zoë"


@pytest.mark.parametrize(
    ("depth", "opened"), [("full", ""), ("", ""), ("games", "?depth=games"), ("result", "?depth=result")]
)
def test_the_sheet_opens_with_what_was_chosen_to_be_recorded(
    client: Client, club: Club, ana: User, depth: str, opened: str
) -> None:
    client.force_login(ana)
    sent = {"white": ana.player.ref, "black_name": "Zoë", "kind": "5", "profile": "wbf", "depth": depth}
    answer = client.post(reverse("scoring:new_match", args=[club.slug]), sent)
    sheet = reverse("scoring:scoresheet", args=[Match.objects.get().ref])
    assert answer.headers["Location"] == sheet + opened
    assert config_of(client.get(answer.headers["Location"])).get("depth", "full") == (depth or "full")
    assert "depth" not in config_of(client.get(f"{sheet}?depth=nonsense"))


def test_the_form_costs_the_same_queries_for_one_member_and_for_many(
    client: Client, club: Club, ana: User, django_assert_num_queries
) -> None:
    client.force_login(ana)
    address = reverse("scoring:new_match", args=[club.slug])
    client.get(address)
    with django_assert_num_queries(6):
        client.get(address)
    for name in ("Berta", "Carla", "Dora"):
        member(club, name=name)
    with django_assert_num_queries(6):
        client.get(address)


def test_a_clubs_own_profile_can_be_chosen(client: Client, club: Club, ana: User) -> None:
    own = profile_to_plain(BUILT_IN["us"]) | {"name": "tuesday", "title": "Tuesday rules"}
    ClubProfile.objects.create(club=club, name="tuesday", values=own)
    client.force_login(ana)
    page = client.get(reverse("scoring:new_match", args=[club.slug]))
    assert ("tuesday", "Tuesday rules") in page.context["form"].fields["profile"].choices


def test_the_sheet_knows_who_writes_and_from_which_side(client: Client, match: Match, ana: User) -> None:
    address = reverse("scoring:scoresheet", args=[match.ref])
    line = "Ana, Björn and directors can record, or anyone with a scoring link."
    for user in (None, member(ClubFactory.create(name="Nullpoint", slug="nullpoint"), name="Eva")):
        if user is not None:
            client.force_login(user)
        page = client.get(address)
        seen = config_of(page)
        assert (seen["side"], seen["view"]["may_write"], seen["watch"]) == ("", False, False)
        assert line in page.text
        assert line not in client.get(f"{address}?watch=1").text
    client.force_login(ana)
    page = client.get(address)
    seen = config_of(page)
    assert (seen["side"], seen["view"]["may_write"]) == ("white", True)
    assert "can record" not in page.text
    assert config_of(client.get(f"{address}?watch=1"))["watch"] is True


@pytest.mark.parametrize(
    ("length", "profile", "timed"),
    [
        (5, BUILT_IN["wbf"], True),
        (0, BUILT_IN["wbf"], False),
        (5, replace(BUILT_IN["wbf"], clock=None), False),
    ],
)
def test_a_clock_is_offered_where_the_rules_have_one(
    client: Client, club: Club, ana: User, length: int, profile: Profile, *, timed: bool
) -> None:
    ben = member(club, name="Ben").player
    match = open_match(club=club, white=[ana.player], black=[ben], length=length, profile=profile, user=ana)
    client.force_login(ana)
    page = client.get(reverse("scoring:scoresheet", args=[match.ref])).text
    assert ("Start clock" in page) is timed


def test_the_sheet_costs_the_same_queries_however_much_is_on_it(
    client: Client, match: Match, ana: User, django_assert_num_queries
) -> None:
    client.force_login(ana)
    address = reverse("scoring:scoresheet", args=[match.ref])
    client.get(address)
    with django_assert_num_queries(5):
        client.get(address)
    for number in range(4):
        body = {"winner": "white", "win": 1, "cube": 1, "ended": "pass"}
        entry = {"kind": "game_result", "key": str(number), "body": body}
        sent = {"after": number + 1, "entries": [entry]}
        events = reverse("api:match_events", args=[match.ref])
        assert client.post(events, sent, content_type="application/json").status_code == 200
    with django_assert_num_queries(5):
        client.get(address)


def test_a_code_lets_a_stranger_score_this_match_alone(
    client: Client, club: Club, match: Match, ana: User
) -> None:
    Club.objects.filter(pk=club.pk).update(visibility=Visibility.MEMBERS)
    _claim, code = make_claim(match=match, author=Author(user=ana, side="white"))
    sheet = reverse("scoring:scoresheet", args=[match.ref])
    assert client.get(sheet).status_code in {302, 404}
    address = reverse("scoring:join_sheet", args=[code])
    assert "Ana – Björn" in client.get(address).text
    assert client.post(address).headers["Location"] == sheet
    page = client.get(sheet)
    assert config_of(page)["view"]["may_write"] is True
    assert "You record with a scoring link until the result is final. Ana, Björn and directors" in page.text
    assert client.get(reverse("clubs:live", args=[match.ref])).status_code == 200
    other = member(club, Role.MEMBER, name="Iker")
    elsewhere = open_match(club=club, white=[ana.player], black=[other.player], length=3, user=ana)
    assert client.get(reverse("scoring:scoresheet", args=[elsewhere.ref])).status_code in {302, 404}
    assert client.get(reverse("clubs:live", args=[elsewhere.ref])).status_code == 404


@pytest.mark.parametrize("visibility", list(Visibility))
def test_who_scores_by_a_code_hears_the_match_until_the_code_ends(
    client: Client, club: Club, match: Match, ana: User, visibility: str
) -> None:
    Club.objects.filter(pk=club.pk).update(visibility=visibility, lists_open_to=Openness.MEMBERS)
    _claim, code = make_claim(match=match, author=Author(user=ana, side="white"))
    live = reverse("clubs:live", args=[match.ref])
    assert client.get(live).status_code == 404
    client.post(reverse("scoring:join_sheet", args=[code]))
    assert client.get(live).status_code == 200
    revoke_claims(match=match)
    assert client.get(live).status_code == 404


def test_a_code_that_was_taken_back_opens_nothing(client: Client, match: Match, ana: User) -> None:
    _claim, code = make_claim(match=match, author=Author(user=ana, side="white"))
    revoke_claims(match=match)
    answer = client.get(reverse("scoring:join_sheet", args=[code]))
    assert answer.status_code == 404
    assert "This scoring link does not work" in answer.text


def test_the_workers_script_is_a_script_of_the_whole_site(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert f'const STATIC = "{settings.STATIC_URL}"' in answer.text
    assert 'const SIGNED_OUT = "/account/logout/"' in answer.text


def test_who_watched_a_match_that_is_over_is_sent_to_its_page(
    client: Client, match: Match, ana: User
) -> None:
    address = reverse("scoring:scoresheet", args=[match.ref])
    assert client.get(f"{address}?watch=1").status_code == 200
    for status in ("finished", "void"):
        Match.objects.update(status=status)
        for way in (address, f"{address}?watch=1"):
            assert client.get(way)["Location"] == match.get_absolute_url()
    client.force_login(ana)
    assert client.get(address).status_code == 200
