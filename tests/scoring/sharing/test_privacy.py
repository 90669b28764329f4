"""An analysis is for the two players alone where either keeps it, on every page and in every answer."""

import threading
from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.accounts.queries import personal_data
from clubs.live import topics
from clubs.models import AnalysesShown, Club, Role, User
from scoring.analysis.queries.performances import analysed_among, labels_of, pooled
from scoring.analysis.queries.privacy import (
    KEPT,
    Choices,
    analyses_seen_by,
    can_see_analysis,
    judged_for,
)
from scoring.matches.queries.matches import lines_of
from scoring.models import Analysis, DecisionRow, Match, MatchPrivacy, PlayerPrivacy
from scoring.players.queries.play_rows import newest_of_player, seen_sums
from scoring.ratings.services.ratings import main_list, replay_list
from scoring.sharing.queries.privacy import MatchChoice, match_choice
from scoring.sharing.services.privacy import PrivacyRefused, choose_match_privacy, choose_privacy
from scoring.sheets.queries.opened_match import open_match_of
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, PlayerFactory, UserFactory, member
from tests.scoring.matches.test_list_pages import LABEL, analysed, rated, words
from tests.tiers import sized

pytestmark = pytest.mark.django_db

KEEP, SHOW = AnalysesShown.PLAYERS, AnalysesShown.EVERYONE
VISITOR = AnonymousUser()


class Played:
    """A finished, analysed match of two members, and everyone who could look at it."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory.create(slug="bar-point")
        self.white, self.black = member(self.club, name="Ana"), member(self.club, name="Ben")
        made = rated(self.club, self.white.player, self.black.player)
        self.analysis: Analysis = analysed(made, 1.2345, 0.9)
        self.match = Match.objects.with_players().select_related("sheet", "club").get(pk=made.pk)
        self.others: dict[str, User | AnonymousUser] = {
            "visitor": VISITOR,
            "stranger": UserFactory.create(),
            **{role.name.lower(): member(self.club, role) for role in Role},
        }
        self.players = {"white": self.white, "black": self.black}
        self.admin = UserFactory.create(is_superuser=True)

    @property
    def choices(self) -> Choices:
        """The players' choices, as they are read with the page of the match."""
        opened = open_match_of(self.match.ref, VISITOR, beside=True)
        assert opened is not None
        assert opened.beside is not None
        return Choices(opened.beside.chosen, opened.beside.usual)

    def seen_by(self, viewers: Iterable[User | AnonymousUser]) -> set[bool]:
        """What the policy answers them, the same on each way to ask."""
        answers = set()
        match = Match.objects.with_players().select_related("sheet", "club").get(pk=self.match.pk)
        for viewer in viewers:
            ways = {
                can_see_analysis(viewer, match),
                can_see_analysis(viewer, match, self.choices),
                analyses_seen_by(viewer, Analysis.objects.all()).exists(),
                judged_for(viewer, Match.objects.all()).exists(),
                analysed_among(Match.objects.all(), viewer).exists(),
                lines_of([self.match], viewer)[0].white.pr is not None,
            }
            assert len(ways) == 1, (viewer, ways)
            answers |= ways
        return answers


@pytest.fixture
def played() -> Played:
    return Played()


@pytest.mark.parametrize("default", [SHOW, KEEP])
@pytest.mark.parametrize("white", [None, SHOW, KEEP])
@pytest.mark.parametrize("black_here", [None, SHOW, KEEP])
def test_it_is_kept_if_either_player_keeps_it(played, default, white, black_here) -> None:
    Club.objects.update(analyses_shown=default)
    choose_privacy(user=played.white, shown=white)
    choose_match_privacy(user=played.black, match=played.match, shown=black_here)
    kept = KEEP in (white or default, black_here or default)
    assert played.seen_by(played.others.values()) == {not kept}
    assert played.seen_by([*played.players.values(), played.admin]) == {True}
    match = Match.objects.with_players().get(pk=played.match.pk)
    for choices in (None, played.choices):
        assert match_choice(match, played.black, choices) == MatchChoice(black_here, kept)


def test_the_choice_for_one_match_precedes_the_general_one(played) -> None:
    choose_privacy(user=played.white, shown=KEEP)
    choose_match_privacy(user=played.white, match=played.match, shown=SHOW)
    assert played.seen_by([VISITOR]) == {True}
    choose_match_privacy(user=played.white, match=played.match, shown=None)
    assert played.seen_by([VISITOR]) == {False}
    choose_privacy(user=played.white, shown=None)
    assert played.seen_by([VISITOR]) == {True}


def test_a_match_without_accounts_follows_the_club(played) -> None:
    Club.objects.update(analyses_shown=KEEP)
    made = rated(played.club, PlayerFactory.create(), PlayerFactory.create(), day=1)
    analysed(made, 0.5, 0.5)
    assert not can_see_analysis(VISITOR, Match.objects.with_players().get(pk=made.pk))
    Club.objects.update(analyses_shown=SHOW)
    assert can_see_analysis(VISITOR, Match.objects.with_players().get(pk=made.pk))


def test_no_page_shows_a_kept_analysis(client: Client, played) -> None:
    replay_list(rating_list=main_list(played.club))
    ana = played.white.player.ref
    pages = [
        played.match.get_absolute_url(),
        reverse("scoring:club_matches", args=[played.club.slug]),
        reverse("scoring:matches") + "?show=analysed",
        reverse("scoring:rating_list", args=[played.club.slug]),
        reverse("scoring:player", args=[ana]),
        reverse("scoring:player_play", args=[ana]),
        reverse("scoring:player_matches", args=[ana]),
        reverse("tournaments:club", args=[played.club.slug]),
        "/",
    ]
    pr = "12.35"  # 500 x 1.2345 / 50
    told = [page for page in pages if pr in words(client.get(page)) or "12.3" in words(client.get(page))]
    assert len(told) >= 4, told  # these show it while nobody keeps it
    choose_match_privacy(user=played.black, match=played.match, shown=KEEP)
    for name in sized(("visitor", "owner"), tuple(played.others)):
        viewer = played.others[name]
        client.logout() if viewer is VISITOR else client.force_login(viewer)
        for page in pages:
            shown = client.get(page).content.decode()
            assert "12.3" not in shown, (viewer, page)
    client.force_login(played.black)
    assert "12.3" in client.get(pages[3]).content.decode()


def test_the_match_page_says_it_quietly_and_asks_for_no_analysis(client: Client, played) -> None:
    choose_privacy(user=played.white, shown=KEEP)
    client.force_login(played.others["director"])
    page = client.get(played.match.get_absolute_url()).content.decode()
    assert reverse("scoring:analyse", args=[played.match.ref]) not in page
    assert client.post(reverse("scoring:analyse", args=[played.match.ref])).status_code == 403
    client.force_login(played.white)
    assert "Who can see this analysis" in client.get(played.match.get_absolute_url()).content.decode()


def test_the_api_refuses_in_the_same_words(played) -> None:
    DecisionRow.objects.create(
        analysis=played.analysis,
        number=0,
        event_seq=1,
        game=1,
        ply=0,
        kind="checker",
        colour="white",
        counted=True,
    )
    addresses = [
        f"/api/v1/matches/{played.match.ref}/analyses/",
        f"/api/v1/matches/{played.match.ref}/file-analyses/",
        f"/api/v1/analyses/{played.analysis.ref}/",
        f"/api/v1/analyses/{played.analysis.ref}/decisions/",
    ]
    choose_privacy(user=played.white, shown=KEEP)
    for role in ("guest", "member", "director", "owner", "stranger"):
        client = with_token(played.others[role])
        for address in addresses:
            answer = client.get(address)
            assert (answer.status_code, answer.data["detail"]) == (403, str(KEPT)), (role, address)
    for address in addresses:
        assert with_token(played.black).get(address).status_code == 200


def test_sums_over_many_matches_leave_kept_ones_out(played) -> None:
    other = rated(played.club, played.white.player, PlayerFactory.create(), day=1)
    analysed(other, 0.5, 0.5)
    ana, everything = played.white.player, Match.objects.all()
    choose_match_privacy(user=played.black, match=played.match, shown=KEEP)

    def figures(viewer: User | AnonymousUser) -> tuple[float, int, int]:
        asked: dict[str, Any] = {"matches": everything, "viewer": viewer}
        sums = pooled([ana.pk], label=LABEL, **asked)[ana.pk]
        single = seen_sums(ana, clubs=Club.objects.all(), viewer=viewer)[LABEL]
        return sums.checker_loss, labels_of(ana, **asked)[LABEL], len(newest_of_player(ana, single))

    assert figures(VISITOR)[1:] == figures(played.others["director"])[1:] == (1, 1)
    for viewer in (played.white, played.black, played.admin):
        assert figures(viewer)[1:] == (2, 2)
    assert figures(VISITOR)[0] < figures(played.black)[0]


def test_progress_is_not_followed_by_those_who_cannot_see_it(played) -> None:
    choose_privacy(user=played.white, shown=KEEP)
    topic = topics.find(played.analysis.ref)
    assert topic is not None
    assert not topic.allows(played.others["director"])
    assert topic.allows(played.black)


def test_only_its_players_choose_for_a_match(client: Client, played) -> None:
    for viewer in played.others.values():
        if isinstance(viewer, User):
            with pytest.raises(PrivacyRefused, match="Only its players"):
                choose_match_privacy(user=viewer, match=played.match, shown=KEEP)
    client.force_login(played.others["owner"])
    address = reverse("scoring:match_privacy", args=[played.match.ref])
    shown = client.post(address, {"shown": "players"}, follow=True).content.decode()
    assert "Only its players can choose who sees the analysis of this match." in shown
    assert not MatchPrivacy.objects.exists()


@pytest.mark.parametrize("sent", ["", "nobody", "players\x00"])
def test_a_wrong_choice_changes_nothing(client: Client, played, sent: str) -> None:
    client.force_login(played.white)
    for address in (reverse("scoring:privacy"), reverse("scoring:match_privacy", args=[played.match.ref])):
        assert client.post(address, {"shown": sent}).status_code in {200, 302, 400}
    answer = with_token(played.white).put("/api/v1/me/privacy/", {"analyses": sent}, format="json")
    assert answer.status_code == 400
    assert not PlayerPrivacy.objects.exists()
    assert not MatchPrivacy.objects.exists()


def test_choices_by_page_and_api_are_the_same(client: Client, played) -> None:
    client.force_login(played.white)
    assert client.post(reverse("scoring:privacy"), {"shown": "players"}).status_code == 302
    api = with_token(played.white)
    assert api.get("/api/v1/me/privacy/").data == {"analyses": "players"}
    here = f"/api/v1/matches/{played.match.ref}/privacy/"
    assert api.get(here).data == {"mine": None, "seen": True}
    assert with_token(played.others["member"]).get(here).data == {"mine": None, "seen": False}
    assert api.put(here, {"analyses": "everyone"}, format="json").data == {"mine": "everyone", "seen": True}
    assert with_token(played.others["member"]).get(here).data["seen"] is True
    assert personal_data(played.white)["privacy_of_analyses"] == {
        "analyses": "players",
        "matches": {played.match.ref: "everyone"},
    }


def test_the_policy_takes_the_same_queries_for_any_number_of_matches(
    played, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for day in range(1, 4):
        analysed(rated(played.club, played.white.player, PlayerFactory.create(), day=day), 0.1, 0.1)
    choose_privacy(user=played.white, shown=KEEP)
    matches = list(Match.objects.with_players())
    with django_assert_num_queries(1):
        assert lines_of(matches, VISITOR)[0].white.pr is None
    with django_assert_num_queries(0):
        assert can_see_analysis(played.white, played.match)
    with django_assert_num_queries(1):
        assert not can_see_analysis(VISITOR, played.match)


@pytest.mark.django_db(transaction=True)
def test_two_choices_at_once_leave_one() -> None:
    played = Played()
    failed: list[Exception] = []

    def choose(shown: AnalysesShown) -> None:
        try:
            for _again in range(5):
                choose_privacy(user=played.white, shown=shown)
                choose_match_privacy(user=played.white, match=played.match, shown=shown)
        except Exception as error:  # noqa: BLE001 - shown below
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=choose, args=[shown]) for shown in (KEEP, SHOW)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert PlayerPrivacy.objects.count() == MatchPrivacy.objects.count() == 1
