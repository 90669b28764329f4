"""Cards follow the analyses of their matches."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import WorkStatus
from clubs.people.services.merges import merge_players, undo_merge
from clubs.work import services as work
from scoring.learning.services.filling import ask_to_fill, fill_cards, refresh_cards
from scoring.models import Card, CardEnd, CardFill, CardState, Match
from scoring.theory.cards import CardKind
from tests.factories import ClubFactory, UserFactory
from tests.scoring.learning.analysed import a_player, analyse, analysed_match

pytestmark = pytest.mark.django_db


def made(user):
    cards = Card.objects.filter(player=user.player).order_by("event_seq")
    return [(card.kind, card.error, card.state, card.end) for card in cards]


def test_an_analysis_makes_cards_of_own_errors_and_of_a_right_decision():
    club = ClubFactory.create()
    user = a_player(club)
    match = analysed_match(club, user, losses=[0.2, 0.049, 0.0])
    assert made(user) == [
        (CardKind.ERROR, 0.2, CardState.WAITING, ""),
        (CardKind.FINE, 0.0, CardState.WAITING, ""),
    ]
    assert Card.objects.count() == 2, "the opponent has no account"
    first = Card.objects.order_by("event_seq")[0]
    assert (first.match, first.colour) == (match, "white")
    assert first.xgid == "-b----E-C---eE---c-e----B-:0:0:1:42:0:0:0:1:10"


def test_the_same_decision_is_one_card_however_often_it_is_analysed():
    club = ClubFactory.create()
    user = a_player(club)
    match = analysed_match(club, user, losses=[0.2, 0.1, 0.0])
    before = set(Card.objects.values_list("pk", flat=True))
    Card.objects.filter(kind=CardKind.ERROR).update(in_a_row=2)
    analyse(match, [0.3, 0.1, 0.0])
    assert set(Card.objects.values_list("pk", flat=True)) == before
    assert sorted(Card.objects.mistakes().values_list("error", "in_a_row")) == [(0.1, 2), (0.3, 2)]


def test_a_card_retires_when_a_newer_analysis_finds_no_mistake_and_comes_back_with_one_that_does():
    club = ClubFactory.create()
    user = a_player(club)
    match = analysed_match(club, user, losses=[0.2, 0.1, 0.0])
    Card.objects.filter(kind=CardKind.ERROR).update(in_a_row=2)
    analyse(match, [0.0499, 0.1, 0.0])
    [retired] = Card.objects.filter(state=CardState.RETIRED)
    assert (retired.end, retired.due) == (CardEnd.FINE, None)
    assert retired.get_end_display() == "A newer analysis finds no mistake."
    analyse(match, [0.2, 0.1, 0.0])
    retired.refresh_from_db()
    assert (retired.state, retired.end, retired.in_a_row, retired.error) == (CardState.WAITING, "", 0, 0.2)
    assert retired.due is not None


def test_a_card_of_a_position_that_was_corrected_retires():
    club = ClubFactory.create()
    user = a_player(club)
    match = analysed_match(club, user)
    card = Card.objects.mistakes().order_by("event_seq")[0]
    Card.objects.filter(pk=card.pk).update(event_seq=card.event_seq + 1000)
    analyse(match, [0.2, 0.1, 0.0])
    card.refresh_from_db()
    assert (card.state, card.end) == (CardState.RETIRED, CardEnd.CORRECTED)
    Card.objects.filter(pk=card.pk).delete()
    other = Card.objects.mistakes().order_by("event_seq")[1]
    Card.objects.filter(pk=other.pk).update(xgid=card.xgid, in_a_row=2, due=None)
    refresh_cards(match=match)
    other.refresh_from_db()
    assert (other.xgid == card.xgid, other.in_a_row, other.due is None) == (False, 0, False)


def test_a_worker_makes_the_cards_of_earlier_matches_once():
    club = ClubFactory.create()
    user = a_player(club)
    for _each in range(3):
        analysed_match(club, user)
    expected = Card.objects.count()
    Card.objects.all().delete()
    fill = ask_to_fill(player=user.player)
    assert fill is not None
    assert ask_to_fill(player=user.player) is None, "one at a time"
    claimed = work.claim(CardFill, ref=fill.ref)
    assert claimed is not None
    refresh_cards(match=Match.objects.order_by("pk")[0])  # a worker that was killed got so far
    fill_cards(claimed)
    claimed.refresh_from_db()
    assert (claimed.status, claimed.done_matches, claimed.all_matches) == (WorkStatus.DONE, 3, 3)
    assert Card.objects.count() == expected > 0


def test_a_guest_who_is_merged_into_a_member_brings_their_matches():
    club = ClubFactory.create()
    user, other = a_player(club), a_player(club)
    match = analysed_match(club, other)
    guest = match.black.seats.get().player
    Card.objects.all().delete()
    merge = merge_players(guest=guest, into=user.player, club=club)
    [fill] = CardFill.objects.filter(player=user.player)
    claimed = work.claim(CardFill, ref=fill.ref)
    assert claimed is not None
    fill_cards(claimed)
    assert Card.objects.filter(player=user.player).exists()
    assert set(Card.objects.filter(player=user.player).values_list("colour", flat=True)) == {"black"}
    undo_merge(merge=merge)
    assert not Card.objects.filter(player=user.player).exists()


def test_erasing_a_player_removes_the_cards_and_the_export_has_them():
    club = ClubFactory.create()
    user = a_player(club)
    match = analysed_match(club, user)
    [first, *_rest] = personal_data(user)["mistakes"]
    assert (first["match"], first["error"], first["state"]) == (match.ref, 0.2, "waiting")
    player = user.player
    erase_user(user=user)
    assert not Card.objects.filter(player=player).exists()
    assert Match.objects.filter(pk=match.pk).exists()


def test_a_player_without_an_account_gets_cards_with_the_account():
    club = ClubFactory.create()
    user = a_player(club)
    match = analysed_match(club, user)
    ben = match.black.seats.get().player
    ben.user = UserFactory.create()
    ben.save()
    refresh_cards(match=match)
    assert {card.colour for card in Card.objects.filter(player=ben)} == {"black"}


def test_the_queries_of_a_refresh_do_not_grow_with_the_errors():
    club = ClubFactory.create()
    user = a_player(club)
    few, many = analysed_match(club, user, losses=[0.2, 0, 0]), analysed_match(club, user, losses=[0.2] * 3)
    counts = []
    for match in (few, many):
        match.cards.all().delete()
        with CaptureQueriesContext(connection) as queries:
            refresh_cards(match=match)
        counts.append(len(queries))
    assert counts[0] == counts[1]
