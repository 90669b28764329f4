"""A match leaves as a file that says the same, and as paper."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest
from scoring.notation.ogxm import write_ogxm
from scoring.queries.sheets import events_of
from scoring.rules.errors import InvalidValue
from scoring.rules.events import OpeningRolled, Played
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.services.imports import import_file
from scoring.services.sheets import link_of
from tests.factories import ClubFactory
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
