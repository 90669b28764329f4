"""How a match stands that is being played, in its cell of the draw: live, from the scoresheet."""

import json

import pytest
from django.urls import reverse

from clubs.models import Role, User
from scoring.log.queries.writers import Author
from scoring.models import Match
from scoring.rules.endings import GameEnd
from scoring.rules.events import GameRecorded
from scoring.rules.match import Win
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import undo_last
from scoring.sheets.services.entries import Entry, record
from scoring.sheets.services.openings import open_match
from tests.factories import ClubFactory, PlayerFactory, member
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.results import match_of
from tournaments.models import Event, PairingRow, StageRow
from tournaments.stages.queries.stage_rows import rows_in

pytestmark = pytest.mark.django_db


def a_draw(players: int = 4) -> tuple[StageRow, User]:
    stage = drawn(an_event(players, length=5))
    return stage, member(stage.flight.event.club, Role.DIRECTOR)


def game(row: PairingRow, director: User, winner: Side, *, points: Win = Win.SINGLE, key: str = "g") -> Match:
    match = match_of(row)
    entry = Entry(key, GameRecorded(winner, points, 1, GameEnd.BORNE_OFF))
    author = Author(user=director, directs=True)
    return record(match=match, author=author, after=match.sheet.head_seq, entries=[entry])


def cell(client, stage: StageRow, number: int) -> str:
    page: str = client.get(stage.get_absolute_url()).content.decode()
    return page.split(f'id="c{number}"')[1].split("</li>", maxsplit=1)[0]


def test_a_cell_shows_the_score_of_a_match_that_is_played(client):
    stage, director = a_draw()
    row, other = open_pairings(stage)
    assert "<b>" not in cell(client, stage, row.number)
    game(row, director, Side.BLACK, points=Win.GAMMON)
    shown = cell(client, stage, row.number)
    assert "playing" in shown
    assert shown.index("<b>0</b>") < shown.index("<b>2</b>")
    assert "<b>" not in cell(client, stage, other.number)


def test_every_game_reaches_open_draws_and_taking_it_back_does_too(client):
    stage, director = a_draw()
    row = open_pairings(stage)[0]
    event = stage.flight.event
    client.get(stage.get_absolute_url())
    event.refresh_from_db()
    before = event.version
    match = game(row, director, Side.WHITE)
    event.refresh_from_db()
    assert event.version == before + 1
    assert rows_in(stage).placed[row.number].score == (1, 0)
    match = undo_last(
        match=match, author=Author(user=director, directs=True), after=match.sheet.head_seq, key="undo"
    )
    event.refresh_from_db()
    assert event.version == before + 2
    assert rows_in(stage).placed[row.number].score == (0, 0)


def test_a_page_that_follows_gets_the_cell_alone(client):
    stage, director = a_draw(8)
    row = open_pairings(stage)[2]
    client.get(stage.get_absolute_url())
    since = Event.objects.get().version
    game(row, director, Side.WHITE)
    address = reverse("tournaments:changes", args=[stage.ref])
    answer = client.get(address, {"since": since}, headers={"accept": "application/json"})
    parts = json.loads(answer.content)["parts"]
    assert list(parts) == [f"m{row.number}", f"c{row.number}"]
    assert ">1</text>" in parts[f"m{row.number}"]
    assert "<b>1</b>" in parts[f"c{row.number}"]


def test_a_match_that_is_over_shows_its_result_and_one_outside_draws_tells_nobody():
    stage, director = a_draw()
    row = open_pairings(stage)[0]
    for number in range(5):
        game(row, director, Side.WHITE, key=f"g{number}")
    assert rows_in(stage).placed[row.number].score is None
    club = ClubFactory.create()
    user = member(club, Role.DIRECTOR)
    alone = open_match(club=club, white=[user.player], black=[PlayerFactory.create()], length=5, user=user)
    before = Event.objects.get().version
    entry = Entry("a", GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF))
    record(match=alone, author=Author(user=user, directs=True), after=1, entries=[entry])
    assert Event.objects.get().version == before


def test_penalty_points_show_in_the_draw_and_in_the_head_of_the_scoresheet(client):
    stage, director = a_draw()
    row = open_pairings(stage)[0]
    penalise(pairing=row, to=Side.BLACK, points=2, user=director)
    shown = cell(client, stage, row.number)
    assert "penalty" in shown
    assert shown.index("<b>0</b>") < shown.index("<b>2</b>")
    page = client.get(stage.get_absolute_url()).content.decode()
    assert f"2 penalty points to {other_side(row).title}" in page
    client.force_login(director)
    sheet = client.get(reverse("scoring:scoresheet", args=[match_of(row).ref])).content.decode()
    assert [part.split("<")[0] for part in sheet.split('data-value="penalty">')[1:]] == ["", "penalty +2"]
    game(row, director, Side.WHITE)
    assert "penalty" in cell(client, stage, row.number), "until the match is over"


@pytest.mark.parametrize("players", [4, 16])
def test_scores_cost_no_query_more(django_assert_num_queries, players):
    stage, director = a_draw(players)
    for row in open_pairings(stage):
        game(row, director, Side.WHITE)
    with django_assert_num_queries(1):
        assert {each.score for each in rows_in(stage).placed.values()} == {(1, 0)}
