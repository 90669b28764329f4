"""A player's play: sums that go with their analysis, one label at a time, and pages that do not grow."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, Visibility, WorkStatus
from scoring.analysis.services.play_sums import store_play_sums, sum_up_all, without_sums
from scoring.files.services.aliases import move_matches, put_matches_back
from scoring.models import Analysis, Level, OpeningReply, PlayerPrivacy, PlaySum, SidePlay
from scoring.players.queries.play_rows import seen_sums
from tests.factories import ClubFactory, MembershipFactory, UserFactory
from tests.races import at_once
from tests.scoring.learning.analysed import a_player, analyse, analysed_match
from tests.scoring.matches.test_list_pages import words

pytestmark = pytest.mark.django_db


def matches_of(user, number, *, club=None, **more):
    club = club or ClubFactory.create()
    made = [analysed_match(club, user, days=day, **more) for day in range(number)]
    list(sum_up_all())
    return made


def play_page(client, user, viewer=None, **query):
    if viewer is not None:
        client.force_login(viewer)
    return client.get(reverse("scoring:player_play", args=[user.player.ref]), query)


def test_sums_are_those_of_the_decisions_and_are_made_once():
    [match] = matches_of(a_player(), 1, losses=[0.2, 0.1, 0.0])
    row = SidePlay.objects.get(colour="white")
    assert (row.counted, row.blunders) == (3, 2)
    assert row.loss == pytest.approx(0.3)
    assert row.worst == pytest.approx(0.2)
    assert row.squares == pytest.approx(0.05)
    assert sum(cell.counted for cell in PlaySum.objects.filter(of=row)) == 3
    first, second = OpeningReply.objects.order_by("of__colour", "earlier")[:2]
    assert {first.earlier == "", second.earlier == ""} == {True, False}
    assert list(sum_up_all()) == []
    store_play_sums(match.analyses.get(status=WorkStatus.DONE))
    assert SidePlay.objects.count() == 2
    match.analyses.all().delete()
    assert not SidePlay.objects.exists()


def test_the_command_adds_up_earlier_analyses_and_leaves_estimates_out():
    user = a_player()
    analysed_match(ClubFactory.create(), user)
    estimate = analysed_match(ClubFactory.create(), user).analyses.get(status=WorkStatus.DONE)
    Analysis.objects.filter(pk=estimate.pk).update(level=Level.ESTIMATE)
    assert without_sums().count() == 1
    out = StringIO()
    call_command("sum_up_play", stdout=out)
    assert out.getvalue() == "1 analyses added up.\n"
    store_play_sums(Analysis.objects.get(pk=estimate.pk))
    assert SidePlay.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_add_up_each_analysis_once():
    user, club = a_player(), ClubFactory.create()
    made = [analysed_match(club, user) for _ in range(3)]
    refs = {match.analyses.get(status=WorkStatus.DONE).ref for match in made}
    runs = at_once(lambda: list(sum_up_all()), lambda: list(sum_up_all()))
    assert sorted(ref for run in runs for ref in run) == sorted(refs)
    assert SidePlay.objects.count() == 6


def test_the_page_shows_one_label_with_its_decisions(client):
    user = a_player()
    made = matches_of(user, 2)
    analyse(made[0], [0.0, 0.0, 0.0], engine="other 2")
    list(sum_up_all())
    shown = words(play_page(client, user, user))
    assert "50.0 PR" in shown
    assert "from 2 analysed matches" in shown
    assert "too few" in shown
    other = Analysis.objects.get(label__startswith="other").label
    assert "0.0 PR" in words(play_page(client, user, label=other))
    assert "50.0 PR" in words(play_page(client, user, label="unknown"))


def test_a_corrected_match_does_not_count(client):
    user = a_player()
    [match] = matches_of(user, 1)
    Analysis.objects.filter(match=match).update(head_hash="other")
    assert "No analysed matches yet" in words(play_page(client, user, user))


def test_matches_of_hidden_clubs_do_not_count_for_others(client, monkeypatch):
    monkeypatch.setattr("scoring.players.queries.play_rows.FIRST_LOOK", 1)  # the newest is hidden: look on
    user = a_player()
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    matches_of(user, 1, losses=[0.2, 0.1, 0.0])
    MembershipFactory.create(club=hidden, player=user.player)
    matches_of(user, 1, club=hidden, losses=[0.5, 0.5, 0.5])
    address = reverse("api:player_play", args=[user.player.ref])
    seen = json.loads(client.get(address).content)
    assert (seen["matches"], seen["total"]["pr"]) == (1, pytest.approx(50.0))
    client.force_login(user)
    assert json.loads(client.get(address).content)["matches"] == 2


def test_the_api_has_all_figures_and_refuses_an_unknown_label(client):
    user = a_player()
    matches_of(user, 1)
    address = reverse("api:player_play", args=[user.player.ref])
    told = json.loads(client.get(address).content)
    assert told["windows"] == [{"key": "0", "matches": 1, "tally": told["total"]}]
    assert told["dice"]["doubles"]["n"] > 0
    assert told["mistakes"][0]["counted"] >= 1
    refused = client.get(address, {"label": "nothing"})
    assert refused.status_code == 404
    assert "nothing" in json.loads(refused.content)["detail"]
    nobody = json.loads(client.get(reverse("api:player_play", args=[a_player().player.ref])).content)
    assert (nobody["matches"], nobody["total"]["pr"]) == (0, None)


def test_a_club_lists_its_players_from_a_hundred_decisions_on_and_its_extremes(client):
    user, club = a_player(), ClubFactory.create()
    matches_of(user, 2, club=club)
    SidePlay.objects.filter(colour="white").update(counted=120, luck=0.4, luck_rolls=50)
    Analysis.objects.update(summary={"worst": {"seq": 3, "side": "white", "error": 0.2, "xgid": ""}})
    address = reverse("scoring:club_play", args=[club.slug])
    shown = words(client.get(address))
    assert user.player.name in shown
    assert "2 players with fewer than 100 decisions are not ranked." in shown
    assert "– Ben 0 1 3 0.0 –" in shown
    for name in ("Most accurate player", "Best-played match", "Luckiest match", "Biggest blunder"):
        assert name in shown
    told = json.loads(client.get(reverse("api:club_play", args=[club.slug])).content)
    assert [line["player"] for line in told["players"]] == [user.player.ref]
    assert (told["matches"], told["few"], told["blunder"]["error"]) == (2, 2, 0.2)
    assert {line["tally"]["counted"] for line in told["unranked"]} == {3}
    assert told["luckiest"]["luck"] == pytest.approx(0.4)


def test_kept_analyses_are_in_no_figure_of_a_club(client):
    user, club = a_player(), ClubFactory.create()
    matches_of(user, 1, club=club)
    PlayerPrivacy.objects.create(player=user.player, keeps=True)
    for viewer, matches in ((None, 0), (UserFactory.create(), 0), (user, 1)):
        if viewer:
            client.force_login(viewer)
        address = reverse("api:club_play", args=[club.slug])
        assert json.loads(client.get(address).content)["matches"] == matches
        told = json.loads(client.get(reverse("api:player_play", args=[user.player.ref])).content)
        assert told["matches"] == matches


def test_the_queries_of_the_page_do_not_grow_with_the_matches(client):
    viewer = UserFactory.create()
    counts = []
    for number in (1, 4):
        user = a_player()
        club = ClubFactory.create()
        matches_of(user, number, club=club)
        client.force_login(viewer)
        with CaptureQueriesContext(connection) as queries:
            assert play_page(client, user).status_code == 200
            assert client.get(reverse("scoring:club_play", args=[club.slug])).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 24


def test_the_sums_of_play_follow_a_merge_of_players_and_back():
    user, other = a_player(), a_player()
    matches_of(user, 2)
    guest, into = user.player, other.player
    moved = move_matches(guest, into)
    assert set(SidePlay.objects.filter(colour="white").values_list("player", flat=True)) == {into.pk}
    assert [len(keys) for keys in seen_sums(into, clubs=Club.objects.all(), viewer=other).values()] == [2]
    put_matches_back(guest, into, moved)
    assert set(SidePlay.objects.filter(colour="white").values_list("player", flat=True)) == {guest.pk}
    assert seen_sums(into, clubs=Club.objects.all(), viewer=other) == {}
