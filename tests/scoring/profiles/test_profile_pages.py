"""A club's rules profiles on its pages and through the API: read by everybody, written by directors."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Role, User
from scoring.models import ClubProfile
from scoring.profiles.queries.profiles import profile_named, profiles_of
from scoring.profiles.services.profiles import keep_profile, retire_profile
from scoring.rules.errors import InvalidValue
from scoring.rules.profiles import BUILT_IN, profile_from_plain, profile_to_plain
from scoring.sheets.services.openings import open_match
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member

pytestmark = pytest.mark.django_db
API = "/api/v1/clubs/bar-point/profiles/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Bar Point", slug="bar-point")


@pytest.fixture
def director(club: Club) -> User:
    return member(club, Role.DIRECTOR, name="Dora")


def own(club: Club, name: str = "tuesday", title: str = "Tuesday rules") -> ClubProfile:
    keep_profile(club=club, values=profile_to_plain(BUILT_IN["us"]) | {"name": name, "title": title})
    return ClubProfile.objects.get(club=club, name=name)


def sent_of(form) -> dict[str, object]:
    """What a browser sends of a form as it is shown."""
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in {None, False}}


def test_a_copy_of_the_federations_rules_becomes_the_clubs_own(client: Client, club: Club, director: User):
    client.force_login(director)
    address = reverse("scoring:new_profile", args=[club.slug])
    form = client.get(address, {"copy": "wbf"}).context["form"]
    sent = sent_of(form) | {"name": "house", "title": "House rules", "holland": "on", "max_cube": "64"}
    del sent["jacoby"]
    answer = client.post(f"{address}?copy=wbf", sent | {"report": "both", "delay": "10"})
    assert answer.headers["Location"] == reverse("scoring:profiles", args=[club.slug])
    kept = profile_from_plain(ClubProfile.objects.get(club=club, name="house").values)
    standard = profile_to_plain(BUILT_IN["wbf"])
    changed = {
        "name": "house",
        "title": "House rules",
        "report": "both",
        "options": standard["options"] | {"holland": True, "max_cube": 64, "jacoby": False},
        "clock": {"reserve_seconds_per_point": 120, "delay_seconds": 10},
    }
    assert profile_to_plain(kept) == standard | changed
    page = client.get(answer.headers["Location"]).text
    assert "House rules is available for new matches." in page
    assert "The cube stops at 64." in page


def test_a_change_is_for_new_matches_only(client: Client, club: Club, director: User):
    row = own(club)
    ana, ben = member(club, name="Ana"), member(club, name="Ben")
    begun = open_match(
        club=club, white=[ana.player], black=[ben.player], length=5, profile=profile_named(club, row.name)
    )
    client.force_login(director)
    address = reverse("scoring:edit_profile", args=[club.slug, row.name])
    form = client.get(address).context["form"]
    assert "name" not in form.fields
    sent = sent_of(form)
    del sent["clock"]
    assert client.post(address, sent | {"title": "Tuesdays"}).status_code == 302
    begun.sheet.refresh_from_db()
    assert begun.sheet.profile["title"] == "Tuesday rules"
    assert (profile_named(club, row.name).title, profile_named(club, row.name).clock) == ("Tuesdays", None)


def test_of_two_directors_at_one_profile_the_second_is_told(client: Client, club: Club, director: User):
    row = own(club)
    client.force_login(director)
    address = reverse("scoring:edit_profile", args=[club.slug, row.name])
    sent = sent_of(client.get(address).context["form"])
    keep_profile(club=club, values=row.values | {"title": "Theirs"})
    answer = client.post(address, sent | {"title": "Mine"})
    assert "someone else changed the rules tuesday" in answer.text
    assert profile_named(club, row.name).title == "Theirs"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "wbf"}, "the rules wbf are built in: choose another name"),
        ({"name": "tuesday"}, "the club already has rules tuesday"),
        ({"name": "a_b"}, "is not a short name: use at most 40 letters, digits and hyphens"),
        ({"name": "a b"}, "Enter a valid"),
        ({"title": " "}, "Title is required."),
        ({"max_cube": "3"}, "Select a valid choice"),
        ({"automatic_doubles": "-1"}, "must be at least 0."),
        ({"objection_minutes": "0"}, "must be at least 1."),
        ({"moves_policy": "none"}, "Select a valid choice"),
        ({"delay": "601"}, "must be at most 600."),
        ({"source": "x" * 1001}, "Source can have at most 1000 characters."),
    ],
)
def test_rules_that_cannot_be_are_refused(
    client: Client, club: Club, director: User, change: dict[str, str], said: str
):
    own(club)
    client.force_login(director)
    address = reverse("scoring:new_profile", args=[club.slug])
    sent = sent_of(client.get(address).context["form"]) | {"name": "house", "title": "House"}
    assert said in client.post(address, sent | change).text
    assert ClubProfile.objects.count() == 1


def test_a_copy_of_nothing_is_not_found(client: Client, club: Club, director: User):
    client.force_login(director)
    assert client.get(reverse("scoring:new_profile", args=[club.slug]), {"copy": "x"}).status_code == 404


def test_a_retired_profile_is_offered_for_no_new_match_until_it_is_used_again(
    client: Client, club: Club, director: User
):
    row = own(club)
    client.force_login(director)
    address = reverse("scoring:retire_profile", args=[club.slug, row.name])
    said = client.post(address, follow=True).text
    assert "Tuesday rules is retired. Matches in progress keep it." in said
    assert "tuesday" not in {profile.name for profile in profiles_of(club)}
    with pytest.raises(InvalidValue, match="this club has no rules 'tuesday'"):
        profile_named(club, "tuesday")
    assert client.get(reverse("scoring:edit_profile", args=[club.slug, row.name])).status_code == 404
    assert client.get(reverse("scoring:new_profile", args=[club.slug]), {"copy": row.name}).status_code == 200
    client.post(address, {"again": "1"})
    assert profile_named(club, "tuesday").title == "Tuesday rules"


def test_members_read_the_rules_and_change_nothing(client: Client, club: Club):
    own(club)
    client.force_login(member(club, name="Ana"))
    page = client.get(reverse("scoring:profiles", args=[club.slug])).text
    assert "Tuesday rules" in page
    assert "UK Backgammon Federation" in page
    assert "<form" not in page.split("<main", 1)[1].split("</main>", 1)[0]


def test_the_list_costs_the_same_queries_for_one_profile_and_for_three(
    client: Client, club: Club, director: User, django_assert_num_queries
):
    client.force_login(director)
    for names in (["one"], ["two", "three"]):
        for name in names:
            own(club, name, name)
        client.get(reverse("scoring:profiles", args=[club.slug]))
        with django_assert_num_queries(5):
            client.get(reverse("scoring:profiles", args=[club.slug]))


def test_a_profile_is_kept_read_and_retired_through_the_api(club: Club, director: User):
    client = with_token(director)
    values = profile_to_plain(BUILT_IN["ukbgf"]) | {"name": "house", "title": "House"}
    made = client.post(API, {"values": values}, format="json")
    assert (made.status_code, made.data["values"]) == (200, values)
    assert client.get(f"{API}house/").data["title"] == "House"
    assert client.delete(f"{API}house/").status_code == 204
    assert client.get(f"{API}house/").status_code == 404
    assert [item["name"] for item in client.get(API).data["items"]] == ["wbf", "ukbgf", "us"]
    assert client.delete(f"{API}wbf/").status_code == 404
    assert client.post(API, {"values": values}, format="json").status_code == 200
    assert client.get(f"{API}house/").status_code == 200
    refused = client.post(API, {"values": values | {"source": "x" * 1001}}, format="json")
    assert (refused.status_code, refused.data["code"]) == (422, "profile_source")


def test_retiring_twice_changes_nothing(club: Club):
    row = own(club)
    retire_profile(club=club, name=row.name)
    version = retire_profile(club=club, name=row.name).version
    assert version == row.version + 1
