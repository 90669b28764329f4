"""A player's pages and the names in files: who may see them, what every number rests on, who decides."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from clubs.access import Viewer
from clubs.models import Membership, Openness, Role, Visibility
from scoring.files.services.aliases import player_named
from scoring.log.queries.visible import clubs_seen_by, matches_seen_by
from scoring.matches.queries.form import Tally, record_of
from scoring.models import Alias, Match, Rating, RatingChange, RatingUpdate, Seat
from scoring.players.queries.players import opponents_of, records_by_length
from scoring.ratings.queries.ratings import arithmetic
from scoring.ratings.services.ratings import main_list, replay_list
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import (
    SESSION_AND_USER,
    analysed,
    links,
    open_page,
    rated,
    some_matches,
    words,
)

pytestmark = pytest.mark.django_db


def seen(client, viewer, player, address="player") -> bool:
    """Whether the viewer gets the page; anything but a page or "there is no such player" is wrong."""
    status = open_page(client, viewer, address, player.ref).status_code
    assert status in {200, 404}
    return bool(status == 200)


# Visibility


TABS = ["player", "player_rating", "player_matches", "player_play", "opponents"]


@pytest.mark.parametrize("address", TABS)
def test_a_player_is_seen_through_matches_of_visible_clubs(client, address):
    club, hidden = ClubFactory.create(), ClubFactory.create(visibility=Visibility.MEMBERS)
    public, secret = PlayerFactory.create(), PlayerFactory.create()
    rated(club, public, PlayerFactory.create())
    rated(hidden, secret, PlayerFactory.create())
    for viewer in (
        None,
        UserFactory.create(),
        member(club, Role.DIRECTOR),
        member(ClubFactory.create(), Role.GUEST),
    ):
        assert seen(client, viewer, public, address)
        assert not seen(client, viewer, secret, address)
    for viewer in (
        member(hidden, Role.GUEST),
        member(hidden, Role.DIRECTOR),
        UserFactory.create(is_superuser=True),
    ):
        assert seen(client, viewer, secret, address)


def test_a_member_without_matches_is_seen_by_the_clubs_own_people_and_oneself(client):
    club = ClubFactory.create(lists_open_to=Openness.MEMBERS)
    user = member(club, name="Olga")
    assert not seen(client, None, user.player)
    assert not seen(client, UserFactory.create(), user.player)
    assert seen(client, member(club, Role.GUEST), user.player)
    assert seen(client, user, user.player)
    Membership.objects.all().delete()
    assert seen(client, user, user.player)


def test_nothing_of_a_hidden_club_is_on_a_page_that_others_see(client):
    club, hidden = ClubFactory.create(), ClubFactory.create(visibility=Visibility.MEMBERS, name="The Den")
    ana, berta, secret = (PlayerFactory.create(name=name) for name in ("Ana", "Berta", "Zaharra"))
    some_matches(club, 1, ana, berta)
    (hidden_match, *_more) = some_matches(hidden, 3, ana, secret)
    Alias.objects.create(club=hidden, name="shadow77", key="shadow77", player=ana)
    for viewer in (None, UserFactory.create(), member(club, Role.DIRECTOR)):
        for address in TABS:
            text = open_page(client, viewer, address, ana.ref).content.decode()
            for told in ("The Den", "Zaharra", "shadow77", hidden_match.ref):
                assert told not in text
        assert open_page(client, viewer, "rating_change", ana.ref, hidden_match.ref).status_code == 404
    inside = words(open_page(client, member(hidden), "player", ana.ref))
    for told in ("The Den", "Zaharra", "shadow77"):
        assert told in inside


def test_a_merged_guest_leads_to_the_player_who_stays(client):
    club = ClubFactory.create()
    stays = PlayerFactory.create(name="Ana")
    guest = PlayerFactory.create(merged_into=stays)
    rated(club, stays, PlayerFactory.create())
    for address in TABS:
        response = open_page(client, None, address, guest.ref)
        assert response["Location"] == reverse(f"scoring:{address}", args=[stays.ref])


def test_a_merged_guest_of_a_hidden_club_gives_nothing_away(client):
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    stays = PlayerFactory.create(name="Ana")
    guest = PlayerFactory.create(merged_into=stays)
    rated(hidden, stays, PlayerFactory.create())
    assert open_page(client, None, "player", guest.ref).status_code == 404


# What the page shows


@pytest.mark.parametrize("number", [1, 3])
def test_a_players_page_for_constant_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    user = member(club, name="Ana")
    Alias.objects.create(club=club, name="ana77", key="ana77", player=user.player)
    some_matches(club, number, white=user.player)
    client.force_login(user)
    # the player; six for the matches and one for their events; the ratings and their history; the label and
    # the error rates; names, clubs, record
    with django_assert_num_queries(SESSION_AND_USER + 13):
        response = client.get(reverse("scoring:player", args=[user.player.ref]))
    shown = words(response)
    assert f"Matches {number}" in shown
    assert '<span class="badge plain">You</span>' in response.content.decode()
    assert shown.count("Berta") >= number
    assert "ana77" in shown


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize(
    ("address", "queries"),
    [("player_rating", 6), ("player_matches", 9), ("player_play", 11), ("opponents", 5)],
)
def test_the_other_tabs_for_constant_questions(client, django_assert_num_queries, address, queries, number):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    some_matches(club, number, white=ana)
    with django_assert_num_queries(queries):
        response = client.get(reverse(f"scoring:{address}", args=[ana.ref]))
    assert f"Matches {number}" in words(response)


def test_every_point_of_the_charts_leads_to_its_match(client):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    matches = some_matches(club, 5, white=ana)
    for address, anchor in (("player_rating", ""), ("player_play", "#errors")):
        response = open_page(client, None, address, ana.ref)
        (chart,) = re.findall(
            r'id="chart-1-data" type="application/json">(.*?)</script>', response.content.decode()
        )
        for match in matches:
            assert f"/matches/{match.ref}/{anchor}" in chart
            assert f"/matches/{match.ref}/{anchor}" in links(response)


def test_fewer_than_five_values_make_no_chart(client):
    ana = PlayerFactory.create(name="Ana")
    some_matches(ClubFactory.create(), 4, white=ana)
    for address in ("player_rating", "player_play"):
        assert "data-chart" not in open_page(client, None, address, ana.ref).content.decode()


def test_the_overview_begins_with_rating_rank_change_and_form(client):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    recently = now() - timedelta(days=3)
    for day, winner in enumerate(["white", "white", "black"]):
        match = rated(club, ana, PlayerFactory.create(name=f"Berta {day}"), day=day, winner=winner)
        if day == 2:
            Match.objects.filter(pk=match.pk).update(played_at=recently)
    replay_list(rating_list=main_list(club))
    points = [change.after - change.before for change in RatingChange.objects.filter(player=ana)]
    lost = min(points)
    response = open_page(client, None, "player", ana.ref)
    shown = words(response)
    value = Rating.objects.get(player=ana).value
    assert f"{value:.1f} −{-lost:.1f} in 30 days" in shown
    assert "2nd of 4 · 3 rated matches" in shown
    form = "L Lost against Berta 2 0–5 W Won against Berta 1 5–0 W Won against Berta 0 5–0"
    assert form in shown
    assert '<svg class="curve wide"' in response.content.decode()
    assert f"/players/{ana.ref}/rating/" in links(response)


def test_a_score_stands_from_the_players_own_side(client):
    club = ClubFactory.create()
    ana, berta = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Berta")
    rated(club, berta, ana, winner="black", length=7)
    replay_list(rating_list=main_list(club))
    assert "Berta 7–0 · 1 Jan 2026 7–0 1 Jan 2026 50.0% +" in words(
        open_page(client, None, "player_rating", ana.ref)
    )
    assert "Ana 0–7 · 1 Jan 2026 0–7 1 Jan 2026 50.0% −" in words(
        open_page(client, None, "player_rating", berta.ref)
    )


def test_play_has_error_rates_and_results_by_length(client):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    some_matches(club, 2, white=ana)
    rated(club, ana, PlayerFactory.create(), winner="black", length=7, day=5)
    shown = words(open_page(client, None, "player_play", ana.ref))
    assert "from 2 analysed matches · 100 decisions" in shown
    assert "5 points 2 2 0 100 7 points 1 0 1 0 All 3 2 1 67" in shown


def test_the_old_address_of_statistics_leads_to_play(client):
    ana = PlayerFactory.create()
    rated(ClubFactory.create(), ana, PlayerFactory.create())
    answer = client.get(reverse("scoring:player_statistics", args=[ana.ref]), {"label": "a b"})
    assert answer.status_code == 301
    assert answer.headers["Location"] == f"/players/{ana.ref}/play/?label=a+b"


def test_a_pr_in_a_list_stands_with_its_label(client):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    some_matches(club, 1, white=ana)
    analysed(rated(club, ana, PlayerFactory.create(), day=3), 0.5, 0.9, label="gnubg 1.08.003 fast@1")
    for address in (
        reverse("scoring:club_matches", args=[club.slug]),
        reverse("scoring:player_matches", args=[ana.ref]),
        reverse("scoring:player", args=[ana.ref]),
    ):
        shown = words(client.get(address))
        assert shown.count("GNU 1.08 fast") == 2, address
        assert "PR by GNU 1.08 fast: GNU Backgammon 1.08, fast gnubg 1.08.003 fast@1" in shown
        assert "PRs of two labels do not compare." in shown


def test_a_player_without_matches_has_tabs_that_say_so(client):
    user = member(ClubFactory.create(), name="Olga")
    for address in TABS:
        assert 'class="empty"' in open_page(client, user, address, user.player.ref).content.decode()


def test_the_record_counts_finished_matches_by_opponent(client):
    club = ClubFactory.create()
    ana, berta, iker = (PlayerFactory.create(name=name) for name in ("Ana", "Berta", "Iker"))
    rated(club, ana, berta)
    rated(club, berta, ana, day=1)
    rated(club, iker, ana, winner="black", day=2)
    open_match(club, ana, iker, day=3)
    found = opponents_of(ana, type(club).objects.all())
    assert [
        (each.opponent, each.record.matches, each.record.won, each.record.lost) for each in found.rows
    ] == [
        (berta, 2, 1, 1),
        (iker, 1, 1, 0),
    ]
    shown = words(open_page(client, None, "player", ana.ref))
    assert "Matches 3" in shown
    assert "won 67% of 3 matches" in shown


def test_the_record_by_length_follows_results_and_is_that_of_the_matches_a_viewer_sees():
    club, hidden = (
        ClubFactory.create(lists_open_to=Openness.MEMBERS),
        ClubFactory.create(visibility="members"),
    )
    user, berta = member(club, name="Ana"), PlayerFactory.create(name="Berta")
    ana, member_of_hidden = user.player, member(hidden)
    match = open_match(club, ana, berta, length=7)
    rated(hidden, berta, ana)
    viewers: list[Viewer] = [
        AnonymousUser(),
        user,
        member(club),
        member_of_hidden,
        UserFactory.create(is_superuser=True),
    ]

    def agrees() -> list[int]:
        numbers = []
        for viewer in viewers:
            clubs = list(clubs_seen_by(viewer))
            told = records_by_length(ana, clubs, viewer)
            plain = matches_seen_by(viewer).filter(seats__player=ana)
            lengths = sorted(set(plain.finished().values_list("length", flat=True)))
            assert told == [(each, record_of(ana, plain.filter(length=each))) for each in lengths]
            numbers.append(sum(record.matches for _length, record in told))
        return numbers

    assert agrees() == [0, 0, 0, 1, 1]
    finish_match(match, "white", final=False)
    assert agrees() == [0, 1, 1, 1, 2]
    finish_match(match, "black")
    assert agrees() == [1, 1, 1, 2, 2]
    assert records_by_length(ana, [club], user) == [(7, Tally(1, 0, 1))]
    Seat.objects.filter(match=match, player=ana).delete()  # as when an event comes home
    Seat.objects.create(match=match, side=match.white, player=ana)
    assert records_by_length(ana, [club], user) == [(7, Tally(1, 0, 1))]
    for status, number in (("void", 0), ("finished", 1)):
        Match.objects.filter(pk=match.pk).update(status=status)
        assert agrees()[0] == number


@pytest.mark.parametrize("number", [1, 3])
def test_opponents_for_five_questions_in_stretches(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    some_matches(club, number, white=ana)
    # the player, the clubs and the whole record; the records, the names
    with django_assert_num_queries(5):
        response = client.get(reverse("scoring:opponents", args=[ana.ref]))
    assert words(response).count("Berta") == number
    first = opponents_of(ana, type(club).objects.all(), size=1)
    if number > 1:
        second = opponents_of(ana, type(club).objects.all(), size=1, after=first.after)
        assert second.rows[0].opponent != first.rows[0].opponent


def test_the_arithmetic_of_a_change_adds_up_and_is_told(client):
    club = ClubFactory.create()
    ana, berta = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Berta")
    rated(club, ana, berta, length=7)
    match = rated(club, berta, ana, length=9, day=1)
    replay_list(rating_list=main_list(club))
    for change in RatingChange.objects.all():
        step = arithmetic(change)
        sign = 1 if change.won else -1
        assert step.points == pytest.approx(sign * step.step * change.k)
        assert step.step == pytest.approx(4 * change.weight**0.5 * (1 - step.probability_of_winner))
    change = RatingChange.objects.get(player=ana, match=match)
    shown = words(open_page(client, None, "rating_change", ana.ref, match.ref))
    assert f"Ana {change.before:.1f}, " in shown
    assert "√9 = 3.000" in shown
    assert f"= {change.probability:.4f}" in shown
    assert f"K = {change.k:.3f}" in shown
    assert f"{change.before:.1f} → {change.after:.1f}" in shown
    assert f"/matches/{match.ref}/" in links(open_page(client, None, "rating_change", ana.ref, match.ref))


def test_a_match_that_moved_no_rating_has_no_arithmetic(client):
    club = ClubFactory.create()
    ana = PlayerFactory.create()
    match = finish_match(open_match(club, ana, PlayerFactory.create()), "white", final=False)
    assert open_page(client, None, "rating_change", ana.ref, match.ref).status_code == 404


def test_matches_alone_are_sent_to_htmx(client):
    club = ClubFactory.create()
    ana = PlayerFactory.create()
    some_matches(club, 1, white=ana)
    response = client.get(reverse("scoring:player_matches", args=[ana.ref]), headers={"HX-Target": "list"})
    assert response.content.decode().strip().startswith('<section id="list"')


# Names in files


def guest_with_match(club, name: str, *, final: bool = True) -> Alias:
    with transaction.atomic():
        guest = player_named(club=club, name=name)
        match = open_match(club, guest, PlayerFactory.create(name="Berta"))
        finish_match(match, "white", final=final)
    return Alias.objects.get(club=club, player=guest)


def test_this_name_is_me_waits_for_a_director_while_nothing_final_hangs_on_it(client):
    club = ClubFactory.create()
    user = member(club, name="Ana")
    alias = guest_with_match(club, "ana77", final=False)
    page = open_page(client, user, "player", alias.player.ref)
    assert "Claim this name" in words(page)
    response = client.post(reverse("scoring:claim", args=[alias.ref]), follow=True)
    assert "A director of" in words(response)
    assert Seat.objects.filter(player=user.player).count() == 0


def test_a_claim_on_final_matches_waits_for_a_director(client):
    club = ClubFactory.create()
    user, director = member(club, name="Ana"), member(club, Role.DIRECTOR)
    alias = guest_with_match(club, "ana77")
    client.force_login(user)
    response = client.post(reverse("scoring:claim", args=[alias.ref]), follow=True)
    assert "A director of" in words(response)
    assert Seat.objects.filter(player=user.player).count() == 0
    client.force_login(director)
    assert "1 name claim to review" in words(client.get(club.get_absolute_url()))
    assert "Ana claims “ana77”" in words(open_page(client, director, "names", club.slug))
    RatingUpdate.objects.all().delete()
    response = client.post(reverse("scoring:assign_name", args=[club.slug, alias.ref]), follow=True)
    assert "“ana77” is now assigned to Ana." in words(response)
    assert Seat.objects.filter(player=user.player).count() == 1
    assert RatingUpdate.objects.count() == 1


def test_ratings_are_replayed_after_a_director_settles_a_name(client, worker):
    club = ClubFactory.create()
    alias = guest_with_match(club, "ana77")
    worker.drain()
    ana = PlayerFactory.create(name="Ana")
    MembershipFactory.create(club=club, player=ana)
    client.force_login(member(club, Role.DIRECTOR))
    client.post(reverse("scoring:assign_name", args=[club.slug, alias.ref]), {"player": ana.ref})
    worker.drain()
    assert list(RatingChange.objects.filter(player=ana).values_list("won", flat=True)) == [True]
    assert not RatingChange.objects.filter(player=alias.player).exists()


def test_a_director_refuses_a_claim(client):
    club = ClubFactory.create()
    alias = guest_with_match(club, "ana77")
    Alias.objects.filter(pk=alias.pk).update(claimed_by=member(club).player)
    client.force_login(member(club, Role.DIRECTOR))
    response = client.post(reverse("scoring:refuse_name", args=[club.slug, alias.ref]), follow=True)
    assert "is rejected" in words(response)
    alias.refresh_from_db()
    assert (alias.claimed_by, alias.confirmed_at) == (None, None)


def test_a_director_sees_what_will_change_before_settling_a_name(client):
    club = ClubFactory.create()
    alias = guest_with_match(club, "ana77")
    ana = PlayerFactory.create(name="Ana")
    MembershipFactory.create(club=club, player=ana)
    director = member(club, Role.DIRECTOR)
    assert f"?player={ana.ref}" in links(open_page(client, director, "name", club.slug, alias.ref))
    shown = words(open_page(client, director, "name", club.slug, alias.ref, player=ana.ref))
    assert "Assign “ana77” to Ana" in shown
    assert "1 match moves to Ana" in shown
    assert "You can undo this for 30 days." in shown


def test_one_person_cannot_be_both_sides_of_a_match(client):
    club = ClubFactory.create()
    alias = guest_with_match(club, "ana77")
    berta = Match.objects.get().black.players[0]
    MembershipFactory.create(club=club, player=berta)
    client.force_login(member(club, Role.DIRECTOR))
    address = reverse("scoring:assign_name", args=[club.slug, alias.ref])
    assert "both played in match" in words(client.post(address, {"player": berta.ref}, follow=True))


def test_names_are_searched_and_counted_for_constant_questions(client, django_assert_num_queries):
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR)
    client.force_login(director)
    counts = {}
    for number in (1, 3):
        while Alias.objects.count() < number:
            guest_with_match(club, f"ana{Alias.objects.count()}")
        # the club, the role, the names, the claims, the merges
        with django_assert_num_queries(SESSION_AND_USER + 5):
            counts[number] = words(client.get(reverse("scoring:names", args=[club.slug]))).count("1 match ")
    assert counts == {1: 1, 3: 3}
    assert "ana1" not in words(open_page(client, director, "names", club.slug, q="ANA2"))


@pytest.mark.parametrize("address", ["names", "name", "assign_name", "refuse_name"])
def test_names_are_for_directors(client, address):
    club = ClubFactory.create()
    alias = guest_with_match(club, "ana77")
    args = [club.slug] if address == "names" else [club.slug, alias.ref]
    for viewer in (member(club), member(ClubFactory.create(), Role.OWNER)):
        client.force_login(viewer)
        assert client.post(reverse(f"scoring:{address}", args=args)).status_code == 403
    client.logout()
    assert client.post(reverse(f"scoring:{address}", args=args))["Location"].startswith("/account/login/")
    alias.refresh_from_db()
    assert alias.confirmed_at is None


def test_a_name_of_another_club_is_not_settled_here(client):
    alias = guest_with_match(ClubFactory.create(), "ana77")
    own = ClubFactory.create()
    client.force_login(member(own, Role.DIRECTOR))
    assert client.post(reverse("scoring:assign_name", args=[own.slug, alias.ref])).status_code == 404


def test_names_in_files_are_claimed_by_the_clubs_people_alone(client):
    club = ClubFactory.create()
    alias = guest_with_match(club, "ana77")
    outsider = member(ClubFactory.create())
    assert "Claim this name" not in words(open_page(client, outsider, "player", alias.player.ref))
    assert client.post(reverse("scoring:claim", args=[alias.ref])).status_code == 404
    client.logout()
    assert client.post(reverse("scoring:claim", args=[alias.ref])).status_code in {302, 404}
    alias.refresh_from_db()
    assert alias.claimed_by is None
