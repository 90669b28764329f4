"""How an event was played: its own matches only, in constant queries."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.analysis.services.play_sums import sum_up_all
from tests.scoring.learning.analysed import a_player, analysed_match
from tests.scoring.matches.test_list_pages import words
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.models import Board

pytestmark = pytest.mark.django_db


def test_an_event_shows_the_play_of_its_own_matches_in_constant_queries(client):
    event = an_event(8)
    pairings = open_pairings(drawn(event))
    Board.objects.filter(pairing__in=pairings).delete()
    page, api = (reverse(name, args=[event.ref]) for name in ("tournaments:event_play", "api:event_play"))
    assert "No analysed matches yet" in words(client.get(page))
    user = a_player(event.club)
    analysed_match(event.club, user)  # of the club, not of the event
    queries = []
    for number in (1, 3):
        for _ in range(number - Board.objects.filter(pairing__in=pairings).count()):
            match = analysed_match(event.club, user)
            Board.objects.create(pairing=pairings[Board.objects.count()], number=7, match=match)
        list(sum_up_all())
        with CaptureQueriesContext(connection) as asked:
            assert "Recurring" not in words(client.get(page))
        queries.append(len(asked))
        told = json.loads(client.get(api, {"label": "test 1 p1"}).content)
        assert (told["matches"], told["total"]["counted"]) == (number, 6 * number)
    assert queries[0] == queries[1] <= 12
    report = words(client.get(reverse("tournaments:report", args=[event.ref])))
    rates = report[report.index("Error rates") :]
    assert user.player.name in rates
    assert "3 matches" in rates
    assert client.get(api, {"label": "nothing"}).status_code == 404
