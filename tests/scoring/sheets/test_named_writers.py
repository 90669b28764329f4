"""Who enters something is named with it: under another login or claim it is refused, whatever it is."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from scoring.log.api import WRITER
from scoring.log.queries.writers import Author, ref_of, shown_name
from scoring.models import Claim, Match
from scoring.sheets.services.claims import make_claim
from tests.factories import member
from tests.scoring.sheets.test_wrong_input import ENDPOINTS
from tests.scoring.sheets.writing import author, loaded, two_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return two_players(5)


def signed_in(match: Match, colour: str) -> Client:
    client = Client()
    user = author(match, colour).user
    assert user is not None
    client.force_login(user)
    return client


def sent(
    client: Client, match: Match, name: str, body: dict[str, Any], who: str, method: str = "POST"
) -> Any:
    address = reverse(f"api:{name}", args=[match.ref])
    headers = {WRITER: who}
    return client.generic(method, address, json.dumps(body), content_type="application/json", headers=headers)


@pytest.mark.parametrize("name", ENDPOINTS)
def test_what_one_person_entered_is_refused_in_another_ones_name(match: Match, name: str) -> None:
    white = ref_of(author(match, "white"))
    answer = sent(signed_in(match, "black"), match, name, ENDPOINTS[name], white)
    assert (answer.status_code, answer.json()["code"]) == (403, "other_writer")
    assert loaded(match).sheet.head_seq == 1


def test_the_sheet_says_as_whom_its_reader_writes(match: Match) -> None:
    address = reverse("api:sheet", args=[match.ref])
    refs = [signed_in(match, colour).get(address).json()["writer"] for colour in ("white", "black")]
    assert refs == [ref_of(author(match, "white")), ref_of(author(match, "black"))]
    assert len(set(refs)) == 2
    assert Client().get(address).json()["writer"] is None
    entry = {"key": "k", "kind": "opening_roll", "body": {"white": 3, "black": 1}}
    body = {"after": 1, "entries": [entry]}
    assert sent(signed_in(match, "white"), match, "match_events", body, refs[0]).json()["seq"] == 2


def test_codes_are_not_ended_in_another_ones_name(match: Match) -> None:
    make_claim(match=match, author=author(match, "white"))
    white, black = signed_in(match, "white"), ref_of(author(match, "black"))
    refused = sent(white, match, "sheet_claims", {}, black, method="DELETE")
    assert (refused.status_code, refused.json()["code"]) == (403, "other_writer")
    assert Claim.objects.standing().count() == 1


def test_two_writers_of_a_sheet_are_never_told_that_it_has_not_changed_in_each_others_name(
    match: Match,
) -> None:
    address = reverse("api:sheet", args=[match.ref])
    directors = [member(match.club, Role.DIRECTOR) for _ in range(2)]
    tags = set()
    for director in directors:
        client = Client()
        client.force_login(director)
        tags.add(client.get(address).headers["ETag"])
    assert len(tags) == 2


def test_writers_have_names_with_which_a_device_can_tell_whose_entries_wait(match: Match) -> None:
    claim, _code = make_claim(match=match, author=author(match, "black"), side="black")
    scorer, _code = make_claim(match=match, author=author(match, "white"))
    director = Author(member(match.club, Role.DIRECTOR, name="Carla"), directs=True)
    authors = [author(match, "white"), director, Author(claim=claim, side="black"), Author(claim=scorer)]
    names = [shown_name(match, who) for who in authors]
    assert names == ["Ana", "Carla", "scorer for Ben", "scorer"]
    assert len({ref_of(who) for who in authors}) == 4
