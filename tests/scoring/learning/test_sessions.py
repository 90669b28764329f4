"""A session of cards: what is asked, what an answer does, and that each counts once."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from scoring.learning.queries.cards import counts_of, today
from scoring.learning.services.sessions import (
    SESSION_CARDS,
    CardRefused,
    answer_card,
    begin_session,
    resume_card,
)
from scoring.models import Card, CardAnswer, CardSession, CardState, Match, MatchStatus
from scoring.rules.errors import IllegalPlay, InvalidNotation
from scoring.theory.cards import CardKind
from tests.factories import ClubFactory
from tests.races import at_once
from tests.scoring.learning.analysed import a_player, analyse, analysed_match

pytestmark = pytest.mark.django_db
BEST, WRONG = "24/20 13/11", "13/7"


def the_user(matches=1, **changed):
    club = ClubFactory.create()
    user = a_player(club)
    for _each in range(matches):
        analysed_match(club, user, **changed)
    return user


def asked(user):
    session = begin_session(player=user.player)
    assert session is not None
    assert session.card is not None
    return session


def answer(user, session, text, card=None):
    session.refresh_from_db()
    ref = card.ref if card else session.card.ref
    return answer_card(player=user.player, session=session.ref, card=ref, text=text)


def test_a_session_asks_ten_cards_one_a_match_and_every_fourth_a_right_decision():
    user = the_user(11, losses=[0.2, 0.1, 0.0])
    session = asked(user)
    matches, kinds = [], []
    while session.card is not None:
        matches.append(session.card.match_id)
        kinds.append(session.card.kind)
        answer(user, session, "")
        session.refresh_from_db()
    assert len(set(matches)) == len(matches) == SESSION_CARDS
    assert [n for n, kind in enumerate(kinds, start=1) if kind == CardKind.FINE] == [4, 8]
    assert session.finished_at is not None
    assert asked(user).pk != session.pk


def test_the_largest_error_that_is_due_longest_comes_first():
    user = the_user(2, losses=[0.2, 0.1, 0.0])
    older = Card.objects.mistakes().filter(error=0.1).order_by("pk")[0]
    Card.objects.filter(pk=older.pk).update(due=today() - timedelta(days=1))
    assert asked(user).card == older


def test_a_right_answer_sends_the_card_away_for_longer_each_time():
    user = the_user(losses=[0.2, 0, 0])
    card = Card.objects.mistakes().get()
    for days, state in ((1, "waiting"), (3, "waiting"), (7, "learned"), (21, "learned"), (60, "learned")):
        given = answer(user, asked(user), BEST, card)
        card.refresh_from_db()
        assert (given.right, given.loss, given.best) == (True, 0, BEST)
        assert (card.due, card.state) == (today() + timedelta(days=days), state)
        assert begin_session(player=user.player) is None, "it is not due"
        Card.objects.filter(pk=card.pk).update(due=today())
    answer(user, asked(user), BEST, card)
    card.refresh_from_db()
    assert (card.due, card.state) == (None, CardState.LEARNED)


def test_the_fourth_wrong_answer_parks_the_card_until_it_is_asked_for():
    user = the_user(losses=[0.2, 0, 0])
    card = Card.objects.mistakes().get()
    for _each in range(4):
        given = answer(user, asked(user), WRONG, card)
        assert (given.right, given.loss, given.is_exact) == (False, pytest.approx(0.1), True)
        card.refresh_from_db()
        Card.objects.filter(pk=card.pk).exclude(due=None).update(due=today())
    assert (card.state, card.due) == (CardState.PARKED, None)
    assert counts_of(user.player).parked == 1
    resume_card(player=user.player, card=card)
    card.refresh_from_db()
    assert (card.state, card.due, card.wrong) == (CardState.WAITING, today(), 0)


def test_a_play_that_is_not_listed_is_wrong_by_at_least_what_the_last_one_listed_loses():
    user = the_user(losses=[0.2, 0, 0])
    given = answer(user, asked(user), "24/22 24/20")
    assert (given.right, given.loss, given.is_exact) == (False, pytest.approx(0.1), False)


def test_what_cannot_be_read_or_played_changes_nothing():
    user = the_user(losses=[0.2, 0, 0])
    session = asked(user)
    with pytest.raises(InvalidNotation):
        answer(user, session, "hello")
    with pytest.raises(IllegalPlay, match="24/19"):
        answer(user, session, "24/19")
    assert not CardAnswer.objects.exists()
    assert asked(user).card == session.card


def test_a_skipped_card_is_due_as_before_and_not_asked_again_in_the_session():
    user = the_user(2, losses=[0.2, 0, 0])
    session = asked(user)
    card = session.card
    given = answer(user, session, "")
    assert (given.right, given.number) == (None, 1)
    session.refresh_from_db()
    assert session.card not in {None, card}
    card.refresh_from_db()
    assert (card.due, card.wrong, card.in_a_row) == (today(), 0, 0)


def test_an_answer_that_is_sent_twice_counts_once():
    user = the_user(2, losses=[0.2, 0, 0])
    session = asked(user)
    card = session.card
    first = answer(user, session, BEST, card)
    assert answer(user, session, WRONG, card) == first
    card.refresh_from_db()
    assert (card.in_a_row, card.wrong) == (1, 0)


def test_a_card_that_is_not_asked_is_refused():
    user = the_user(2, losses=[0.2, 0, 0])
    session = asked(user)
    other = Card.objects.mistakes().exclude(pk=session.card.pk).get()
    with pytest.raises(CardRefused, match="out of date"):
        answer(user, session, BEST, other)
    stranger = a_player()
    with pytest.raises(CardRefused, match="There is no session"):
        answer(stranger, session, BEST, session.card)


def test_a_card_of_a_match_that_was_voided_meanwhile_does_not_count():
    user = the_user(2, losses=[0.2, 0, 0])
    session = asked(user)
    card = session.card
    Match.objects.filter(pk=card.match_id).update(status=MatchStatus.VOID)
    with pytest.raises(CardRefused, match="does not count"):
        answer(user, session, BEST, card)
    session.refresh_from_db()
    assert session.card not in {None, card}
    assert not CardAnswer.objects.exists()
    assert counts_of(user.player).due == 1


def test_a_card_waits_while_its_corrected_match_is_not_analysed_again():
    user = the_user(1, losses=[0.2, 0, 0])
    session = asked(user)
    match = session.card.match
    match.sheet.__class__.objects.filter(pk=match.sheet_id).update(head_hash="f" * 64)
    with pytest.raises(CardRefused, match="does not count"):
        answer(user, session, BEST)
    session.refresh_from_db()
    assert (session.card, session.finished_at is None) == (None, False)
    assert begin_session(player=user.player) is None
    match.sheet.refresh_from_db()
    analyse(match, [0.2, 0, 0])
    assert asked(user).card.match == match


def test_the_verdict_is_that_of_the_analysis_that_stands():
    user = the_user(1, losses=[0.2, 0, 0])
    session = asked(user)
    analyse(session.card.match, [0.3, 0, 0])
    assert answer(user, session, BEST).played_loss == pytest.approx(0.3)


def test_a_session_that_was_left_is_over():
    user = the_user(1, losses=[0.2, 0, 0])
    session = asked(user)
    assert asked(user) == session
    CardSession.objects.update(started_at=now() - timedelta(hours=13))
    assert asked(user) != session


@pytest.mark.django_db(transaction=True)
def test_two_devices_that_answer_at_once_give_one_answer():
    user = the_user(2, losses=[0.2, 0, 0])
    session = asked(user)
    card = session.card
    both = at_once(
        lambda: answer_card(player=user.player, session=session.ref, card=card.ref, text=BEST),
        lambda: answer_card(player=user.player, session=session.ref, card=card.ref, text=WRONG),
    )
    assert len({given.pk for given in both}) == 1
    card.refresh_from_db()
    assert card.in_a_row + card.wrong == 1


@pytest.mark.long
def test_the_next_card_of_five_thousand_is_read_from_an_index():
    user = the_user(3, losses=[0.2, 0.1, 0.0])
    card = Card.objects.mistakes().order_by("pk")[0]
    many = range(5000)
    Card.objects.bulk_create(
        Card(
            player=user.player,
            match_id=card.match_id,
            event_seq=100 + n,
            decision=card.decision,
            colour=card.colour,
            kind=CardKind.ERROR,
            xgid=card.xgid,
            error=0.05 + n / 10_000,
            due=today() + timedelta(days=n % 50),
        )
        for n in many
    )
    with connection.cursor() as cursor:
        # What was known of the joined tables is of the tests before this one.
        cursor.execute("ANALYZE scoring_card, scoring_match, scoring_sheet, scoring_analysis")
    with CaptureQueriesContext(connection) as queries:
        session = asked(user)
    assert len(queries) <= 10
    asked_for = next(q["sql"] for q in queries if 'ORDER BY "scoring_card"."due"' in q["sql"])
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + asked_for)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "card_due" in plan, plan
    assert session.card is not None
