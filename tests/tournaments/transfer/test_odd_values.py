"""Each value in a real event file is something odd for once: it is refused in words, or read and shown.

The file is made again around the odd value: its logs are linked anew and it is signed, so that nothing but
the value can be wrong.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Role
from scoring.rules.chain import link_of
from tests.factories import member
from tests.tournaments.transfer.machines import away, elsewhere, written
from tests.tournaments.transfer.test_refused_files import of_two_flights
from tournaments.log.refusals import DeskRefused
from tournaments.models import Event, StageRow
from tournaments.transfer.services.event_files import digest_of
from tournaments.transfer.services.moves import bring_here

pytestmark = pytest.mark.django_db(transaction=True)

Path = tuple[str | int, ...]

ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 7, 2**31, 2**63, 2**70, 0.5, -1e308),
    *("", " ", "1", "-1", "nan", "\u202e\u200b", "x" * 5000, "9" * 5000, "👩‍👩‍👧"),
    *("0001-01-01", "9999-12-31", "2026-12-02T19:00:00"),
    *("0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-14:00"),
    *([], [[]], [7], ["x"], {}, {"x": None}, {"1": 5}, [{"x": 5}]),
)
LOGS = {
    "stageevent": ("stage", ()),
    "sheetevent": ("sheet", ("replaces", "note_digest")),
    "deskevent": ("event", ("undoes", "note_digest")),
}
"""Of each log the table of its owners, which is the column that leads there too, and what else is linked."""
PAGES = ("event", "desk", "log", "money", "wall", "event_calendar")


def places_in(body: dict[str, Any]) -> list[Path]:
    """Every value once: of each table one row of each kind that it has."""
    found: list[Path] = [("people", ref) for ref in body["people"]]
    for name, rows in body["tables"].items():
        seen = set()
        for number, row in enumerate(rows):
            kind = (row.get("kind"), *(column for column in row if row[column] not in (None, "", [], {})))
            if kind not in seen:
                seen.add(kind)
                found += [
                    place for column in row for place in _below(row[column], ("tables", name, number, column))
                ]
    return found


def _below(value: Any, place: Path) -> Iterator[Path]:
    yield place
    if isinstance(value, dict):
        for name in value:
            yield from _below(value[name], (*place, name))
    elif isinstance(value, list):
        for number, each in enumerate(value[:2]):
            yield from _below(each, (*place, number))


def put(body: Any, place: Path, value: Any) -> None:
    for step in place[:-1]:
        body = body[step]
    body[place[-1]] = value


def link_anew(tables: dict[str, Any], place: Path) -> None:
    """The logs as if they had been written with the odd value; a column of the log itself stays as it is."""
    name = str(place[1])
    if name not in LOGS or len(place) < 4 or place[3] != "body":
        return
    owner, linked = LOGS[name]
    number = tables[name][int(place[2])][owner]
    previous = ""
    for row in sorted((each for each in tables[name] if each[owner] == number), key=lambda each: each["seq"]):
        row["hash"] = previous = link_of(
            previous, row["seq"], row["kind"], row["body"], *(row[n] for n in linked)
        )
    tables[owner][number]["head_hash"] = previous


def shown(event: Event, client: Client) -> None:
    """Open the pages of the event, as a director: what they cannot show is an exception here."""
    for name in PAGES:
        assert client.get(reverse(f"tournaments:{name}", args=[event.ref])).status_code < 500
    for stage in StageRow.objects.filter(flight__event=event):
        assert client.get(reverse("tournaments:stage", args=[stage.ref])).status_code < 500


def refusal_of(club: Club, text: str) -> str:
    """What is said to a file that is refused, empty for one that is read."""
    try:
        bring_here(club=club, text=text, user=None)
    except DeskRefused as refused:
        return str(refused)
    return ""


@pytest.mark.long
@pytest.mark.parametrize("made", [lambda: written()[0], of_two_flights], ids=["written", "two flights"])
def test_an_odd_value_in_a_file_is_refused_in_words_or_shown(made):
    text = away(made())
    club = elsewhere()
    client = Client()
    client.force_login(member(club, Role.DIRECTOR))
    places = places_in(json.loads(text))
    assert len(places) > 400
    dice = Random(4)
    for place in dice.sample(places, 400):
        for value in dice.sample(ODD, 3):
            body = json.loads(text)
            put(body, place, value)
            link_anew(body["tables"], place)
            body["digest"] = digest_of(body)
            with transaction.atomic():
                said = refusal_of(club, json.dumps(body))
                if not said:
                    shown(Event.objects.get(), client)
                transaction.set_rollback(True)
            assert not said or said.startswith("This event file cannot be imported: "), (place, value)
    assert not Event.objects.exists()


@pytest.mark.parametrize("ref", ["", None])
def test_a_result_in_the_log_without_its_match_is_refused(ref):
    body = json.loads(away(written()[0]))
    club = elsewhere()
    kinds = [row["kind"] for row in body["tables"]["deskevent"]]
    place = ("tables", "deskevent", kinds.index("result"), "body", "pairing")
    put(body, place, ref)
    link_anew(body["tables"], place)
    body["digest"] = digest_of(body)
    assert "'result' with the body" in refusal_of(club, json.dumps(body))


@pytest.mark.long
@pytest.mark.parametrize("number", [0, 8, 2**70])
def test_a_published_match_that_the_bracket_does_not_have_is_refused(number):
    body = json.loads(away(written()[0]))
    club = elsewhere()
    rows = body["tables"]["stageevent"]
    at = next(index for index, row in enumerate(rows) if row["kind"] == "paired")
    put(body, ("tables", "stageevent", at, "body", "pairings", 1, "number"), number)
    link_anew(body["tables"], ("tables", "stageevent", at, "body"))
    body["digest"] = digest_of(body)
    assert f"match {number} does not exist: this draw has 7" in refusal_of(club, json.dumps(body))
