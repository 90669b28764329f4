"""Strangers are no people of the club, and outsiders see only what the club shows them."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from clubs.clubs.services.clubs import create_club, edit_club
from clubs.models import Club, Membership, Openness, Role
from scoring.files.queries.names import likely_people, people_stretch
from scoring.files.services.aliases import player_named
from scoring.files.services.imports import import_file
from scoring.matches.queries.form import Tally
from scoring.models import Alias, Match, Rating
from scoring.players.queries.guests import guest_stretch
from scoring.ratings.queries.ratings import rating_stretch, ratings_of, top
from scoring.ratings.services.ratings import main_list, replay_list
from tests.clubs.api.clients import with_token
from tests.factories import MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import analysed
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db
VISITOR = AnonymousUser()


@pytest.fixture
def club() -> Club:
    """A club as it is made, unless its owner says otherwise."""
    made = create_club(user=UserFactory.create(), name="Bar Point", tz="UTC", currency="EUR")
    assert (made.lists_open_to, made.ranked_from) == (Openness.MEMBERS, 5)
    Membership.objects.filter(club=made).delete()
    return made


def imported(club: Club, *, final: bool = False) -> Match:
    match, report = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"), final=final)
    assert match, report
    return match


def test_the_players_of_a_file_are_in_no_picker_no_count_and_no_list(client, club):
    imported(club)
    user = member(club, name="Dora")
    client.force_login(user)
    assert Membership.objects.filter(club=club).count() == 1
    for name in ("clubs:people", "scoring:new_match"):
        page = client.get(reverse(name, args=[club.slug])).content.decode()
        assert "Ana" not in page
        assert "Dora" in page
    assert "1 member" in client.get(reverse("clubs:people", args=[club.slug])).content.decode()
    api = with_token(user)
    listed = api.get("/api/v1/clubs/bar-point/members/").data["items"]
    assert [item["player"]["name"] for item in listed] == ["Dora"]
    assert "Ana" not in str(api.get("/api/v1/players/").data)
    ana = Alias.objects.get(name="Ana").player
    body = {"white": [user.player.ref], "black": [ana.ref], "length": 5}
    assert api.post("/api/v1/clubs/bar-point/matches/", body, format="json").status_code == 400


def test_unclaimed_players_come_first_and_the_list_goes_on_behind_them(club):
    imported(club)  # Ana and Ben
    for name in ("Aaron", "Zoe"):
        MembershipFactory.create(club=club, player=PlayerFactory.create(name=name))
    first = guest_stretch(club, size=3)
    assert [guest.name for guest in first.rows] == ["Ana", "Ben", "Aaron"]
    assert [guest.name for guest in guest_stretch(club, size=3, after=first.after).rows] == ["Zoe"]


def test_members_who_are_called_nearly_so_come_first_for_a_name_in_a_file(club):
    import_file(club=club, filename="b.mat", content=short_match("tomas_d", "Li"))
    for name in ("Tomáš Dvořák", "Thomas", "Lisa"):
        MembershipFactory.create(club=club, player=PlayerFactory.create(name=name))
    alias = Alias.objects.select_related("player").get(name="tomas_d")
    assert [player.name for player in likely_people(club, alias)] == ["Tomáš Dvořák"]
    assert likely_people(club, Alias.objects.select_related("player").get(name="Li")) == []
    assert alias.player not in people_stretch(club, alias).rows


@pytest.mark.parametrize("by", ["page", "api"])
def test_a_director_takes_an_unclaimed_player_in(client, club, by):
    imported(club)
    ana, director = Alias.objects.get(name="Ana").player, member(club, Role.DIRECTOR)
    if by == "page":
        client.force_login(director)
        address = reverse("scoring:guests", args=[club.slug])
        assert client.get(address).content.decode().count("Unclaimed") == 2
        client.post(reverse("scoring:add_guest", args=[club.slug, ana.ref]))
        assert client.get(address).content.decode().count("Unclaimed") == 1
    else:
        address = f"/api/v1/clubs/bar-point/guests/{ana.ref}/add/"
        assert with_token(member(club)).post(address).status_code == 403
        assert with_token(director).post(address).data["unclaimed"] is False
    assert Membership.objects.get(club=club, player=ana).role == Role.GUEST


def test_an_unclaimed_player_with_a_members_name_is_not_taken_in_beside_the_member(client, club):
    member(club, name="Ana")
    imported(club)
    unclaimed = Alias.objects.get(name="Ana").player
    address = f"/api/v1/clubs/bar-point/guests/{unclaimed.ref}/add/"
    assert with_token(member(club, Role.DIRECTOR)).post(address).status_code == 409


def test_who_has_too_few_matches_is_provisional_and_has_no_rank(client, club):
    edit_club(club=club, name="x", tz="UTC", currency="EUR", visibility="public", ranked_from=2)
    best, many, other = (PlayerFactory.create(name=name) for name in ("Best", "Many", "Other"))
    for day, (winner, loser) in enumerate([(many, other), (many, other), (best, many)]):
        finish_match(open_match(club, winner, loser, day=day, length=25 if winner == best else 1), "white")
    found = main_list(club)
    replay_list(rating_list=found)
    lines = rating_stretch(main_list(club), VISITOR)[0].rows
    assert lines[0].rating.player == best
    ranks = {line.rating.player: line.rank for line in lines}
    assert (ranks[best], sorted(rank for rank in ranks.values() if rank)) == (None, [1, 2])
    assert best not in [line.rating.player for line in top(main_list(club), VISITOR)]
    clubs = Club.objects.all()
    assert [vars(row)["provisional"] for row in ratings_of(best, clubs)] == [True]
    assert [vars(row)["better"] + 1 for row in ratings_of(many, clubs)] == [ranks[many]]
    page = client.get(reverse("scoring:rating_list", args=[club.slug])).content.decode()
    ranked, beside = page.split('id="provisional-name"')
    assert ("Best" in ranked, "Many" in ranked, "Best" in beside, "Many" in beside) == (
        False,
        True,
        True,
        False,
    )
    assert "1 of 2 matches" in beside
    provisional = client.get(reverse("scoring:rating_list", args=[club.slug]), {"provisional": "1"})
    assert [line.rating.player for line in provisional.context["stretch"].rows] == [best]
    api = client.get("/api/v1/clubs/bar-point/ratings/").json()["items"]
    assert [row["provisional"] for row in api] == [True, False, False]
    assert Rating.objects.count() == 3


@pytest.mark.parametrize("openness", list(Openness))
@pytest.mark.parametrize("viewer", ["visitor", "stranger", "guest", "player"])
def test_outsiders_see_unconfirmed_matches_only_where_the_club_says_so(client, club, openness, viewer):
    club.lists_open_to = openness
    club.save()
    player = UserFactory.create()
    match = imported(club)
    match.seats.filter(side__colour="white").update(player=PlayerFactory.create(user=player, name="Ana"))
    users = {"stranger": UserFactory.create(), "guest": member(club, Role.GUEST), "player": player}
    if viewer != "visitor":
        client.force_login(users[viewer])
    seen = openness == Openness.EVERYONE or viewer in {"guest", "player"}
    for address in (
        match.get_absolute_url(),
        reverse("scoring:match_file", args=[match.ref]),
        f"/api/v1/matches/{match.ref}/",
        f"/api/v1/matches/{match.ref}/events/",
        f"/api/v1/matches/{match.ref}/sheet/",
        reverse("clubs:live", args=[match.ref]),
    ):
        answer = client.head(address) if "live" in address else client.get(address)
        assert (answer.status_code == 404) is not seen, address
    lists = ["/matches/", "/clubs/bar-point/", "/clubs/bar-point/matches/"]
    for address in [*lists, *([] if viewer == "stranger" else ["/"])]:
        assert (match.get_absolute_url() in client.get(address).content.decode()) is seen, address
    listed = client.get("/api/v1/clubs/bar-point/matches/").json()["items"]
    assert bool(listed) is seen


@pytest.mark.parametrize("viewer", ["visitor", "guest"])
def test_a_players_page_counts_only_the_matches_that_the_viewer_may_see(client, club, viewer):
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    matches = [open_match(club, ana, ben, length=5, day=day) for day in range(2)]
    finish_match(matches[0], "white")
    finish_match(matches[1], "white", final=False)
    for match, lost in zip(matches, (0.5, 2.5), strict=True):
        analysed(match, lost, lost)
    if viewer == "guest":
        client.force_login(member(club, Role.GUEST))
    shown = client.get(reverse("scoring:player", args=[ana.ref])).context
    unconfirmed = viewer == "guest"
    assert shown["record"] == Tally(matches=1 + unconfirmed, won=1 + unconfirmed, lost=0)
    assert shown["performance"].checker_loss == pytest.approx(3.0 if unconfirmed else 0.5)
    page = client.get(reverse("scoring:player", args=[ana.ref])).content.decode()
    assert [match.get_absolute_url() in page for match in matches] == [True, unconfirmed]


def test_final_results_and_rating_lists_stay_as_public_as_the_club(client, club):
    match = imported(club, final=True)
    replay_list(rating_list=main_list(club))
    assert client.get(match.get_absolute_url()).status_code == 200
    assert match.get_absolute_url() in client.get("/clubs/bar-point/matches/").content.decode()
    assert "Ana" in client.get("/clubs/bar-point/ratings/").content.decode()
    assert client.get("/api/v1/clubs/bar-point/matches/").json()["items"]


@pytest.mark.parametrize("openness", list(Openness))
def test_outsiders_see_lists_of_people_only_where_the_club_says_so(client, club, openness):
    owner = member(club, Role.OWNER, name="Olga")
    client.force_login(owner)
    form = {"name": "Bar", "tz": "UTC", "currency": "EUR", "visibility": "public", "lists_open_to": openness}
    assert client.post(reverse("clubs:edit_club", args=[club.slug]), form).status_code == 302
    client.logout()
    match = imported(club, final=True)
    ana = match.seats.get(side__colour="white").player
    seen = openness == Openness.EVERYONE
    assert ("Olga" in client.get(reverse("clubs:people", args=[club.slug])).content.decode()) is seen
    answer = client.get("/api/v1/clubs/bar-point/members/")
    assert answer.status_code == (200 if seen else 401)
    stranger = with_token(UserFactory.create()).get("/api/v1/clubs/bar-point/members/")
    assert stranger.status_code == (200 if seen else 403)
    opponents = client.get(reverse("scoring:opponents", args=[ana.ref])).content.decode()
    assert ("Ben" in opponents) is seen


def test_the_settings_travel_over_the_api(club):
    owner = with_token(member(club, Role.OWNER))
    assert owner.get("/api/v1/clubs/bar-point/").data["lists_open_to"] == "members"
    sent = {"lists_open_to": "everyone", "ranked_from": 12}
    answer = owner.patch("/api/v1/clubs/bar-point/", sent, format="json", headers={"If-Match": "*"})
    assert answer.status_code == 200, answer.data
    changed = answer.data
    assert {name: changed[name] for name in sent} == sent
    for wrong in ({"lists_open_to": "nobody"}, {"ranked_from": 101}, {"ranked_from": -1}):
        refused = owner.patch("/api/v1/clubs/bar-point/", wrong, format="json", headers={"If-Match": "*"})
        assert refused.status_code == 400


def test_a_name_of_a_file_is_seated_again_and_is_still_no_guest(club):
    first = player_named(club=club, name="Leo")
    assert player_named(club=club, name=" leo\u200b ") == first
    assert not Membership.objects.exists()


@pytest.mark.parametrize("by", ["page", "api"])
def test_an_owner_erases_an_unclaimed_name_also_one_that_is_a_members(client, club, by):
    member(club, name="Ana")
    match = imported(club)
    ana, owner = Alias.objects.get(name="Ana").player, member(club, Role.OWNER)
    if by == "page":
        address = reverse("scoring:erase_guest", args=[club.slug, ana.ref])
        client.force_login(member(club, Role.DIRECTOR))
        assert client.post(address).status_code == 403
        client.force_login(owner)
        assert client.get(address).status_code == 200
        assert client.post(address).status_code == 302
    else:
        address = f"/api/v1/clubs/bar-point/guests/{ana.ref}/erase/"
        assert with_token(owner).post(address).status_code == 204
    ana.refresh_from_db()
    assert ana.erased_at is not None
    assert not Alias.objects.filter(player=ana).exists()
    assert Match.objects.filter(pk=match.pk).exists()
