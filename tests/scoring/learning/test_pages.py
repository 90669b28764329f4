"""My mistakes in pages and in the API."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Scope, WorkStatus
from scoring.learning.services.sessions import SESSION_CARDS
from scoring.models import Card, CardAnswer, CardFill, CardSession
from scoring.theory.cards import CardKind
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, UserFactory
from tests.scoring.learning.analysed import a_player, analyse, analysed_match

pytestmark = pytest.mark.django_db
OVERVIEW, SESSION = reverse("scoring:mistakes"), reverse("scoring:mistake_session")
BEST, WRONG = "24/20 13/11", "13/7"


def signed_in(matches=1, losses=(0.2, 0, 0)):
    club = ClubFactory.create()
    user = a_player(club)
    for _each in range(matches):
        analysed_match(club, user, losses=list(losses))
    client = Client()
    client.force_login(user)
    return client, user


def answer(client, text=BEST, **data):
    session = CardSession.objects.get(finished_at=None)
    assert session.card is not None
    address = reverse("scoring:answer_mistake", args=[session.ref, session.card.ref])
    return client.post(address, data or {"answer": text}, follow=True)


def test_the_first_visit_looks_for_mistakes_in_earlier_matches_once():
    client, user = signed_in()
    page = client.get(OVERVIEW).content.decode()
    assert "We are looking for mistakes in your earlier matches." in page
    assert "1 mistake that cost 0.050 or more, from your analysed matches" in page
    client.get(OVERVIEW)
    [fill] = CardFill.objects.filter(player=user.player)
    fill.status = WorkStatus.DONE
    fill.save()
    assert "We are looking" not in client.get(OVERVIEW).content.decode()
    assert CardFill.objects.count() == 1


def test_a_user_without_a_player_has_no_mistakes():
    client = Client()
    client.force_login(UserFactory.create())
    assert "No mistakes yet" in client.get(OVERVIEW).content.decode()
    assert client.post(SESSION, follow=True).redirect_chain == [(OVERVIEW, 302)]


def test_a_session_from_its_start_to_its_end():
    client, _user = signed_in(2)
    asked = client.post(SESSION, follow=True).content.decode()
    assert "4-2. Your play?" in asked
    right = answer(client, "13/11 24/20").content.decode()
    assert "Right: 24/20 13/11 is best." in right
    assert "Back tomorrow." in right
    assert "In the match: 8/4 6/4, −0.200." in right
    wrong = answer_next(client, WRONG).content.decode()
    assert "Not right: 13/7 costs 0.100. Best is 24/20 13/11." in wrong
    over = client.get(SESSION).content.decode()
    assert "Session over" in over
    assert "Right: 24/20 13/11 is best." in over
    assert "Next card on" in over


def answer_next(client, text):
    client.get(SESSION)
    return answer(client, text)


def test_the_page_of_a_card_tells_nothing_of_the_answer():
    client, _user = signed_in()
    match = Card.objects.mistakes().get().match
    page = client.post(SESSION, follow=True).content.decode()
    for hint in ("24/20", "13/11", "8/4", "0.2", "0.200", "2-ply", "error_size", match.ref, "Ben 0"):
        assert hint not in page.replace("13/8 6/5", ""), hint
    assert CardKind.ERROR.value not in page.partition('class="drill"')[2].partition("</form>")[0]


def test_what_cannot_be_played_is_asked_again_with_the_reason():
    client, _user = signed_in()
    client.post(SESSION)
    refused = answer(client, "24/19")
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "24/19" in page
    assert 'value="24/19"' in page
    assert "Move the checkers, or type a play." in answer(client, " ").content.decode()
    assert not CardAnswer.objects.exists()


def test_an_answer_from_a_page_that_is_out_of_date_leads_to_the_card_that_is_asked():
    client, _user = signed_in(2)
    client.post(SESSION)
    session = CardSession.objects.get()
    assert session.card is not None
    other = Card.objects.mistakes().exclude(pk=session.card.pk).get()
    address = reverse("scoring:answer_mistake", args=[session.ref, other.ref])
    page = client.post(address, {"answer": BEST}, follow=True).content.decode()
    assert "This form is out of date." in page
    assert "Your play?" in page


def test_a_skipped_card_tells_no_answer():
    client, _user = signed_in(2)
    client.post(SESSION)
    page = answer(client, skip="on").content.decode()
    assert "Your play?" in page
    assert "Best" not in page
    given = CardAnswer.objects.get()
    assert client.get(reverse("scoring:mistake_answer", args=[given.ref])).status_code == 404


def test_the_match_of_a_card_opens_at_its_decision():
    client, _user = signed_in()
    card = Card.objects.mistakes().get()
    address = client.get(reverse("scoring:mistake_match", args=[card.ref]))["Location"]
    assert address == reverse("scoring:step", args=[card.match.ref, 1])
    assert client.get(address).status_code == 200


def test_a_retired_card_says_why():
    client, _user = signed_in()
    analyse(Card.objects.mistakes().get().match, [0.01, 0, 0])
    page = client.get(OVERVIEW, {"state": "retired"}).content.decode()
    assert "A newer analysis finds no mistake." in page


@pytest.mark.parametrize("matches", [1, 3])
def test_the_pages_ask_the_database_as_often_however_many_mistakes_there_are(matches):
    client, _user = signed_in(matches)
    counts = []
    for before, address in ((client.get, OVERVIEW), (client.post, SESSION)):
        before(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))
    assert counts == [11, 5]


def test_the_api_plays_a_session():
    club = ClubFactory.create()
    user = a_player(club)
    analysed_match(club, user, losses=[0.2, 0, 0])
    client = with_token(user, Scope.RECORD)
    [listed] = client.get("/api/v1/me/mistakes/?state=waiting").json()["items"]
    assert (listed["error"], listed["state"], listed["decision"]) == (0.2, "waiting", "checker")
    session = client.post("/api/v1/me/mistakes/session/").json()
    assert (session["asked"], session["cards"]) == (0, SESSION_CARDS)
    assert set(session["card"]) == {"ref", "decision", "side", "xgid", "answers"}
    address = f"/api/v1/me/mistakes/session/{session['ref']}/{session['card']['ref']}/"
    illegal = post(client, address, {"answer": "24/19"})
    assert illegal.status_code == 422
    given = post(client, address, {"answer": BEST}).json()
    assert (given["right"], given["loss"], given["best"], given["played_loss"]) == (True, 0.0, BEST, 0.2)
    assert post(client, address, {"answer": WRONG}).json() == given
    assert client.get("/api/v1/me/mistakes/session/").status_code == 404


def test_a_card_that_is_skipped_by_the_api_tells_no_answer():
    club = ClubFactory.create()
    user = a_player(club)
    analysed_match(club, user, losses=[0.2, 0, 0])
    client = with_token(user, Scope.RECORD)
    session = client.post("/api/v1/me/mistakes/session/").json()
    given = post(client, f"/api/v1/me/mistakes/session/{session['ref']}/{session['card']['ref']}/", {}).json()
    assert (given["right"], given["best"], given["played"], given["verdict"]) == (None, "", "", "")


def post(client, address, body):
    return client.post(address, json.dumps(body), content_type="application/json")
