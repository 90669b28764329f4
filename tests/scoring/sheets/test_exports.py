"""A match leaves as a file that says the same, and as paper."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring.files.services.imports import import_file
from scoring.log.queries.sheets import events_of
from scoring.log.queries.writers import Author
from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest
from scoring.notation.mat import read_mat
from scoring.notation.ogxm import write_ogxm
from scoring.rules.chain import link_of
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Event, OpeningRolled, Played
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.sheets.services.entries import Entry, record
from scoring.sheets.services.openings import open_match
from tests.factories import ClubFactory, PlayerFactory
from tests.scoring.records import short_match
from tests.scoring.sheets.writing import loaded, two_players, win, write

pytestmark = pytest.mark.django_db


def fetched(name: str, match, status: int = 200):
    answer = Client().get(reverse(f"scoring:{name}", args=[match.ref]))
    assert answer.status_code == status
    return answer


def test_ogxm_is_read_back_as_the_same_match() -> None:
    content = short_match("Ana", "Ben")
    match, _report = import_file(club=ClubFactory.create(), filename="a.mat", content=content)
    assert match is not None
    told = fetched("match_ogxm", match).content
    assert match_digest(read_match(told)) == match_digest(read_match(content))


def test_json_has_the_whole_log_with_its_chain() -> None:
    match = write(two_players(1), OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))), win(Side.BLACK))
    told = json.loads(fetched("match_json", match).content)
    previous = ""
    for event in told["events"]:
        assert event["hash"] == link_of(
            previous, event["seq"], event["kind"], event["body"], event["replaces"], event["note"] or ""
        )
        previous = event["hash"]
    assert previous == told["head_hash"]
    assert (told["result"]["winner"], told["result"]["final"]) == ("black", False)
    kinds = [event["kind"] for event in told["events"]]
    assert kinds == ["match_start", "opening_roll", "play", "game_result"]
    assert told["white"] == [{"ref": match.white.players[0].ref, "name": "Ana"}]


@pytest.mark.parametrize("name", ["match_pdf", "slip_pdf"])
def test_a_sheet_on_paper_of_any_match(name) -> None:
    match = write(two_players(3), win(Side.WHITE))
    person = match.white.players[0].person
    person.name = "Ћирић Ñuño 李"
    person.save()
    assert fetched(name, match).content.startswith(b"%PDF-")


def test_a_match_of_results_alone_says_why_it_has_no_plays_to_tell() -> None:
    match = write(two_players(1), win(Side.WHITE))
    events = [numbered.event for numbered in events_of(loaded(match).sheet)]
    try:
        told = write_ogxm(("Ana", "Ben"), events, {})
    except InvalidValue:
        fetched("match_ogxm", match, 422)
    else:
        assert read_match(told).winner == Side.WHITE


@pytest.mark.parametrize(
    "name", ["Ana\u200cBo", "\U0001f469\u200d\U0001f467", "Ana : Bo", "\u202eanA", "李雷", "=1+1"]
)
def test_a_name_that_a_format_cannot_hold_stops_no_file(name: str) -> None:
    players = [PlayerFactory.create(name=name), PlayerFactory.create(name="Ben")]
    match = open_match(club=ClubFactory.create(), white=players[:1], black=players[1:], length=3)
    events: list[Event] = [OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5)))]
    entries = [Entry(str(number), event) for number, event in enumerate(events)]
    record(match=match, author=Author(directs=True), after=1, entries=entries)
    text = fetched("match_file", match).content
    assert [event.kind for event in read_mat(text).events][1:3] == ["opening_roll", "play"]
    assert fetched("match_ogxm", match).content
    assert fetched("match_pdf", match).content.startswith(b"%PDF")
