"""What members share of their mistakes: the position of the week, and the coach's view."""

import json
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Membership, Role, Scope
from scoring.learning.queries.shared import current_position, week_of
from scoring.learning.services.sessions import CardRefused
from scoring.learning.services.sharing import (
    answer_week,
    choose_position,
    choose_positions,
    share_mistakes,
)
from scoring.models import (
    Card,
    CardEnd,
    CardState,
    MatchStatus,
    PlayerPrivacy,
    WeekAnswer,
    WeekPosition,
)
from scoring.rules.errors import IllegalPlay
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.scoring.learning.analysed import a_player, analysed_match

pytestmark = pytest.mark.django_db
BEST, WRONG = "24/20 13/11", "13/7"
MONDAY = date(2026, 11, 23)


def a_club(matches=1):
    club = ClubFactory.create()
    user = a_player(club)
    for _each in range(matches):
        analysed_match(club, user, losses=[0.2, 0, 0])
    return club, user


def shared(matches=1, **consents):
    club, user = a_club(matches)
    share_mistakes(player=user.player, club=club, **({"quiz": True, "coach": True} | consents))
    return club, user


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_nothing_is_shared_by_default():
    club, user = a_club()
    assert choose_position(club=club) is None
    director = member(club, Role.DIRECTOR)
    page = signed_in(director).get(reverse("scoring:club_mistakes", args=[club.slug])).content.decode()
    assert "No member shares mistakes" in page
    address = reverse("scoring:member_mistakes", args=[club.slug, user.player.ref])
    assert signed_in(director).get(address).status_code == 404


def test_the_switches_are_set_for_each_club():
    club, user = a_club()
    client = signed_in(user)
    address = reverse("scoring:mistake_sharing")
    client.post(address, {"club": club.ref, "quiz": "on"})
    sharing = user.player.card_sharing.get()
    assert (sharing.club, sharing.quiz, sharing.coach) == (club, True, False)
    assert client.get(address).content.decode().count(" checked") == 1
    assert client.post(address, {"club": ClubFactory.create().ref}).status_code == 404


def test_the_position_of_a_week_is_chosen_once_and_never_again():
    club, _user = shared(3)
    chosen = {}
    for weeks in range(4):
        day = MONDAY + timedelta(weeks=weeks, days=2)
        first = choose_position(club=club, day=day)
        assert choose_position(club=club, day=day + timedelta(days=4)) == first
        chosen[weeks] = first and first.card_id
    weeks_with_a_card = [card for card in chosen.values() if card]
    this_week = WeekPosition.objects.filter(club=club).values_list("card", flat=True)
    assert len(set(this_week)) == len(this_week) == 3
    assert len(set(weeks_with_a_card)) == len(weeks_with_a_card)


def test_positions_of_past_weeks_are_shown_with_the_verdict():
    club, user = shared(2)
    now = current_position(club)
    assert now is not None
    past = choose_position(club=club, day=now.week - timedelta(weeks=3))
    assert past is not None
    address = reverse("scoring:week_position", args=[club.slug])
    reader = signed_in(member(club))
    assert f'href="?week={past.week}"' in reader.get(address).content.decode()
    page = reader.get(address, {"week": past.week}).content.decode()
    assert "Best: 24/20 13/11." in page
    assert "No member answered." in page
    assert f'href="{address}"' in page
    assert 'id="answer-form"' not in page
    told = reader.get(reverse("api:week_position", args=[club.slug]), {"week": past.week}).json()
    assert (told["week"], told["answer"], told["answers"]) == (past.week.isoformat(), None, [])
    for wrong in ("x", "2026-13-01", str(now.week), str(past.week + timedelta(days=1)), "9999-12-31"):
        assert reader.get(address, {"week": wrong}).status_code == 404
    share_mistakes(player=user.player, club=club, coach=False, quiz=False)
    assert reader.get(address, {"week": past.week}).status_code == 404
    assert "Earlier position" not in reader.get(address).content.decode()


def test_the_choice_follows_from_the_week_and_the_mistakes():
    club, _user = shared(3)
    first = choose_position(club=club, day=MONDAY)
    assert first is not None
    first.delete()
    again = choose_position(club=club, day=MONDAY)
    assert again is not None
    assert again.card == first.card


def test_only_mistakes_in_the_clubs_own_matches_are_shown():
    club, user = a_club()
    other = ClubFactory.create()
    Membership.objects.create(club=other, player=user.player, role=Role.MEMBER)
    share_mistakes(player=user.player, club=other, coach=True, quiz=True)
    assert current_position(other) is None
    director = member(other, Role.DIRECTOR)
    page = signed_in(director).get(reverse("scoring:member_mistakes", args=[other.slug, user.player.ref]))
    assert "No mistake is in this state." in page.content.decode()
    card = Card.objects.mistakes().get()
    assert signed_in(director).get(reverse("scoring:mistake_match", args=[card.ref])).status_code == 404
    assert club != other


@pytest.mark.parametrize("how", ["stops", "leaves", "kept", "corrected", "void", "erased"])
def test_a_position_goes_when_it_may_not_be_shown_any_more(how):
    club, user = shared()
    assert current_position(club) is not None
    card = Card.objects.mistakes().get()
    if how == "stops":
        share_mistakes(player=user.player, club=club, coach=True, quiz=False)
    elif how == "leaves":
        Membership.objects.filter(player=user.player).delete()
    elif how == "kept":
        PlayerPrivacy.objects.create(player=card.match.black.seats.get().player, keeps=True)
    elif how == "corrected":
        Card.objects.update(state=CardState.RETIRED, end=CardEnd.CORRECTED, due=None)
    elif how == "void":
        type(card.match).objects.filter(pk=card.match_id).update(status=MatchStatus.VOID)
    else:
        card.delete()
    assert current_position(club) is None
    choose_positions()
    choose_position(club=club)
    assert current_position(club) is None


def test_members_answer_once_and_then_see_what_everyone_answered():
    club, _user = shared()
    address = reverse("scoring:week_position", args=[club.slug])
    first, second = signed_in(member(club)), signed_in(member(club))
    asked = first.get(address).content.decode()
    assert "4-2. Your play?" in asked
    assert "What members answered" not in asked
    for hint in ("24/20", "8/4", "Ana", "0.200"):
        assert hint not in asked
    assert first.post(address, {"answer": "24/19"}).status_code == 422
    assert "Not right" in first.post(address, {"answer": WRONG}, follow=True).content.decode()
    first.post(address, {"answer": BEST})
    page = second.post(address, {"answer": BEST}, follow=True).content.decode()
    assert "Right: 24/20 13/11 is best." in page
    assert sorted(WeekAnswer.objects.values_list("given", "right")) == [(WRONG, False), (BEST, True)]
    assert page.count('<td class="number">1</td>') == 2
    Card.objects.update(state=CardState.RETIRED, end=CardEnd.FINE, due=None)  # a deeper analysis
    choose_positions()
    assert "What members answered" in first.get(address).content.decode()
    assert WeekAnswer.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_once_are_one():
    club, user = shared()
    both = at_once(
        lambda: answer_week(club=club, player=user.player, text=BEST),
        lambda: answer_week(club=club, player=user.player, text=WRONG),
    )
    assert len({answer.pk for answer in both}) == 1


def test_a_position_that_cannot_be_judged_now_is_not_answered():
    club, user = shared()
    with pytest.raises(IllegalPlay):
        answer_week(club=club, player=user.player, text="24/19")
    Card.objects.mistakes().get().match.analyses.all().delete()
    with pytest.raises(CardRefused, match="Come back later"):
        answer_week(club=club, player=user.player, text=BEST)


def test_a_director_sees_the_mistakes_of_members_who_agreed():
    club, user = shared()
    client = signed_in(member(club, Role.DIRECTOR))
    listed = client.get(reverse("scoring:club_mistakes", args=[club.slug])).content.decode()
    assert user.player.person.name in listed
    page = client.get(reverse("scoring:member_mistakes", args=[club.slug, user.player.ref])).content.decode()
    assert "−0.200" in page
    assert "Ask again" not in page
    card = Card.objects.mistakes().get()
    assert client.get(reverse("scoring:mistake_match", args=[card.ref])).status_code == 302
    share_mistakes(player=user.player, club=club, coach=False, quiz=True)
    assert client.get(reverse("scoring:mistake_match", args=[card.ref])).status_code == 404


@pytest.mark.parametrize("members", [1, 3])
def test_the_coachs_pages_ask_the_database_as_often_however_many_members_share(members):
    club, user = shared()
    for _each in range(members - 1):
        other = a_player(club)
        analysed_match(club, other)
        share_mistakes(player=other.player, club=club, coach=True, quiz=False)
        analysed_match(club, user, losses=[0.2, 0.1, 0])
    client = signed_in(member(club, Role.DIRECTOR))
    counts = []
    for address in (
        reverse("scoring:club_mistakes", args=[club.slug]),
        reverse("scoring:member_mistakes", args=[club.slug, user.player.ref]),
    ):
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))
    assert counts == [5, 10]


def test_the_api_shares_and_answers():
    club, user = a_club()
    client = with_token(user, Scope.RECORD, Scope.OWN)
    put = client.put(
        f"/api/v1/me/mistakes/sharing/{club.slug}/",
        json.dumps({"quiz": True, "coach": True}),
        content_type="application/json",
    )
    assert put.json() == {"club": club.slug, "quiz": True, "coach": True}
    assert client.get("/api/v1/me/mistakes/sharing/").json() == [put.json()]
    address = f"/api/v1/clubs/{club.slug}/position/"
    asked = client.get(address).json()
    assert (asked["answer"], asked["answers"]) == (None, None)
    assert set(asked["card"]) == {"ref", "decision", "side", "xgid", "answers"}
    given = client.post(address, json.dumps({"answer": BEST}), content_type="application/json").json()
    assert given["answer"]["right"] is True
    assert given["answers"] == [{"answer": BEST, "members": 1}]
    coach = with_token(member(club, Role.DIRECTOR), Scope.READ)
    [listed] = coach.get(f"/api/v1/clubs/{club.slug}/mistakes/").json()["items"]
    assert (listed["ref"], listed["waiting"]) == (user.player.ref, 1)
    [mistake] = coach.get(f"/api/v1/clubs/{club.slug}/mistakes/{user.player.ref}/").json()["items"]
    assert mistake["error"] == 0.2


def test_a_coach_does_not_see_an_analysis_that_a_player_keeps():
    club, user = shared()
    match = Card.objects.mistakes().get().match
    PlayerPrivacy.objects.create(player=match.black.seats.get().player, keeps=True)
    client = signed_in(member(club, Role.DIRECTOR))
    page = client.get(reverse("scoring:member_mistakes", args=[club.slug, user.player.ref])).content.decode()
    assert "No mistake is in this state." in page
    assert "−0.200" in signed_in(user).get(reverse("scoring:mistakes")).content.decode()


def test_a_week_begins_on_monday():
    assert {week_of(MONDAY + timedelta(days=n)) for n in range(7)} == {MONDAY}
    assert week_of(MONDAY + timedelta(days=7)) == MONDAY + timedelta(days=7)
