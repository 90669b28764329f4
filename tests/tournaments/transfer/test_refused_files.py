"""Files in bad company: cut off, tampered with, of other kinds. Refused by the value, and nothing is kept."""

import json
from contextlib import suppress
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse

from clubs.models import Note, Player
from tests.factories import ClubFactory
from tests.tiers import sized
from tests.tournaments.factories import a_player
from tests.tournaments.stages.test_feeding import SWISS, planned, play, stage_named
from tests.tournaments.transfer.machines import altered, away, back, elsewhere, played, written
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import add_flight
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import EntrantRow, Event, Feed, ForbiddenKind, StageRow
from tournaments.stages.services.archives import event_archive_text
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.feeds import confirm_field, decline, fed_field
from tournaments.stages.services.forbidden import forbid
from tournaments.transfer.services.event_files import digest_of
from tournaments.transfer.services.moves import bring_here, moved_file
from tournaments.transfer.services.tables import TABLES

pytestmark = pytest.mark.django_db(transaction=True)


def row_of(table: str, **values: Any) -> Any:
    return lambda body: body["tables"][table][0].update(values)


def of_kind(body: dict[str, Any], kind: str) -> Any:
    return next(row for row in body["tables"]["deskevent"] if row["kind"] == kind)


def _swapped(body: dict[str, Any]) -> None:
    """Who was drawn, and another who has that number now."""
    one, other = body["tables"]["stageentrant"][:2]
    one["entrant"], other["entrant"] = other["entrant"], one["entrant"]


def _named(body: dict[str, Any], name: str) -> None:
    """Somebody is called something else."""
    body["people"][min(body["people"])] = name


EARLY = "0001-01-01T00:00:00+00:00"
DAMAGES = [
    (row_of("result", winner="black"), "the result does not match the scoresheet"),
    (row_of("result", winner="green"), r"result\[0\].winner: 'green' is not one of white, black"),
    (lambda body: body["tables"]["stageevent"].pop(), "the head says"),
    (row_of("stageevent", hash="0" * 64), "entry 1 was changed"),
    (lambda body: body["tables"]["sheetevent"].pop(0), "entry 1 is missing"),
    (row_of("board", match=10_000), r"board\[0\].match: there is no row '10000'"),
    (row_of("board", match="0"), "there is no row '0'"),
    (row_of("board", match=True), "there is no row 'True'"),
    (row_of("event", status="asleep"), "status: 'asleep' is not one of announced"),
    (row_of("event", starts_at="soon"), "starts_at: 'soon'"),
    (row_of("event", starts_at="2026-12-02T19:00:00"), "has no time zone"),
    (row_of("event", starts_at="0001-01-01T00:00:00+14:00"), "is not from 1900 to 2199"),
    (row_of("event", name=7), "name: '7' is not str"),
    (row_of("event", name="n" * 121), "at most 120 characters"),
    (row_of("event", ref="Nobody"), r"event\[0\].ref: 'Nobody'"),
    (row_of("event", profile={"name": ""}), "profile: the field 'title' is missing"),
    (row_of("event", profile=[]), r"profile: '\[\]' is not dict"),
    (row_of("event", zone="Mars/Olympus"), "no time zone 'Mars/Olympus'"),
    (row_of("event", breaks=[{"name": "Lunch"}]), r"breaks\[0\]: 'starts_at' is missing"),
    (row_of("event", breaks=[{"name": "L", "starts_at": "noon", "ends_at": "one"}]), r"starts_at: 'noon'"),
    (row_of("event", breaks="Lunch"), "breaks: 'Lunch' is not list"),
    (lambda body: body["tables"]["event"].append(body["tables"]["event"][0]), "exactly one event"),
    (row_of("entrantmember", player="nobody"), "player: 'nobody' is not a ref"),
    (row_of("entrantmember", player=None), "player: 'None' is not a ref"),
    (
        lambda body: body["tables"]["flight"][0].pop("capacity"),
        r"flight\[0\]: missing or extra fields: capacity",
    ),
    (row_of("flight", weather="rain"), r"flight\[0\]: missing or extra fields: weather"),
    (row_of("flight", capacity=-1), "capacity: '-1'"),
    (row_of("flight", capacity=1), "flight_has_two_places"),
    (row_of("flight", entry_fee=2**40), "entry_fee"),
    (row_of("flight", pools=[{"key": "x", "fee": -1}]), "side pool x: invalid fee -1"),
    (row_of("flight", shares={"main": 150}), "The shares add up to 150%, not 100%"),
    (row_of("flight", shares={"main": "all"}), r"shares\['main'\]: 'all' is not int"),
    (row_of("flight", shares=[70, 30]), r"shares: '\[70, 30\]' is not dict"),
    (row_of("flight", eligibility={"title_from": "X"}), "there is no title 'X'"),
    (row_of("flight", percentages=["all"]), r"percentages\[0\]: 'all' is not int"),
    (lambda body: body["tables"].pop("seat"), "missing or extra tables: seat"),
    (lambda body: body["tables"].update(seat={}), r"file.tables\['seat'\]: {} is not a list"),
    (lambda body: body["tables"].update(seat=[7]), r"file.tables\['seat'\]\[0\]: 7 is not an object"),
    (lambda body: body.update(people=[]), r"file.people: \[\] is not an object"),
    (lambda body: body.update(people={"x": 7}), r"file.people\['x'\]: 7 is not str"),
    (lambda body: body.update(sealed=None), "file: 'sealed' does not belong"),
    (lambda body: body.update(edition=3), "its edition is 3, but this site reads edition 4"),
    (lambda body: body.update(edition=5), "its edition is 5, but this site reads edition 4"),
    (row_of("stage", starts={"1": "noon"}), r"starts\['1'\]: 'noon'"),
    (
        row_of("stage", starts={"1": "0001-01-01T00:00:00+00:00"}),
        r"stage\[0\].starts: '0001.*' is not from 1900 to 2199",
    ),
    (row_of("pairing", deadline="0001-01-01"), r"pairing\[0\].deadline: '0001-01-01' is not from 1900"),
    (
        row_of("event", breaks=[{"name": "L", "starts_at": EARLY, "ends_at": EARLY}]),
        r"event\[0\].breaks: '0001-01-01.*' is not from 1900",
    ),
    (
        row_of("pairing", reasons=[{"code": "luck", "entrant": 0, "value": 0}]),
        r"pairing\[0\].reasons.*there is no reason 'luck'",
    ),
    (lambda body: _named(body, ""), r"people\['\w+'\]: '' is not a name"),
    (lambda body: _named(body, " \u200b"), r"people\['\w+'\]: .* is not a name"),
    (row_of("stage", starts={"01": "2026-12-02T19:00:00Z"}), "stage.*starts: '01' is not a number"),
    (row_of("entrant", rating=10**400), r"entrant\[0\].rating: '1000.* is too large a number"),
    (lambda body: body["tables"]["board"].pop(), "sheet: a row belongs to no event"),
    (row_of("stage", starts={"one": "2026-12-02T19:00:00Z"}), "stage.*starts: 'one' is not a number"),
    (row_of("stage", options={"legs": 4}), "legs"),
    (row_of("stage", format="roulette"), "roulette"),
    (
        lambda body: body["tables"]["stage"][0]["options"].update(lengths=[-1]),
        "a match to -1 points is not possible",
    ),
    (lambda body: body["tables"]["stage"][0]["options"].update(last_chance=2**63), "too large a number"),
    (row_of("stageentrant", told={"rating": "high"}), r"field\[0\].*rating"),
    (row_of("stageentrant", told=["Ana"]), r"stageentrant\[0\].told: .* is not dict"),
    (row_of("stageentrant", seat=None), r"stageentrant\[0\]: .*stage_entrant_drawn_has_a_seat"),
    (row_of("stageentrant", seat=9), "the seats .* do not hold every entrant once"),
    (row_of("stageentrant", drawn=None, seat=None), "there is no entrant 4"),
    (_swapped, "the entrants do not match the log"),
    (row_of("stage", drawn_at=None), "the entrants do not match the log|not the way|was never shown"),
    (row_of("stage", entrants=3), "entrants: 3 were not drawn"),
    (row_of("stage", seats=3), "the seats .* do not hold every entrant once"),
    (row_of("stage", drawn_behind=1), "drawn_behind: 1"),
    (row_of("sheet", profile={"name": 7}), "name"),
    (row_of("sheet", kind="chouette"), "its scoresheet has the kind 'chouette'"),
    (row_of("match", in_chouette=True), r"match\[0\]: missing or extra fields: in_chouette"),
    (row_of("pairing", a=None), "there is no row 'None'"),
    (row_of("pairing", reasons=["because"]), r"reasons\[0\]"),
    (row_of("entrant", pools=[7]), r"pools\[0\]: 7 is not str"),
    (row_of("entrant", pools=["calcutta"]), "is in unknown side pools: calcutta"),
    (lambda body: body["tables"]["side"].append(body["tables"]["side"][0]), "side: a row appears twice"),
    (lambda body: of_kind(body, "moved_out").update(kind="announced"), "was not moved before export"),
]


@pytest.mark.long
def test_a_file_that_does_not_hold_together_is_refused_by_the_value_and_nothing_is_kept():
    event, _director = played()
    text = away(event)
    club = elsewhere()
    for number, (damage, reason) in enumerate(DAMAGES):
        with pytest.raises(DeskRefused, match=reason) as refused:
            bring_here(club=club, text=altered(text, damage), user=None)
        assert str(refused.value).startswith("This event file cannot be imported: "), number
        assert not Event.objects.exists(), number
        assert not Player.objects.exists(), number
    assert bring_here(club=club, text=text, user=None) == Event.objects.get()


def of_two_flights() -> Event:
    """An event in whose file every table has rows: a Swiss that has sent to a cup, of which a draw was taken
    back, and to a consolation that somebody declined; and another flight with a field and a draw of its own.
    """
    flight, director = planned(SWISS, 6)
    event = flight.event
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    consolation = stage_named(flight, "Consolation")
    last = EntrantRow.objects.get(ref=fed_field(consolation)[-1])
    decline(stage=consolation, entrant=last, user=director)
    cup = confirm_field(stage=stage_named(flight, "Cup"), user=director)
    undo_draw(stage=draw_stage(stage=cup, user=director), user=director, reason="again")
    other = add_flight(event=event, plan=SWISS, position=1)
    for number in range(7, 10):
        enter(flight=other, players=[a_player(event.club, f"P{number}")])
    draw_stage(stage=stage_named(other, "Swiss"), user=director)
    make_tables(event=event, last=2, user=director)
    pair = list(other.entrants.order_by("pk").values_list("ref", flat=True)[:2])
    forbid(flight=other, kind=ForbiddenKind.NAMES, never=False, user=director, entrants=pair)
    return event


UNFILLED = {"claim", "objection", "prize", "cashclosing", "auction", "auctionlot", "lotentrant", "lotprize"}
"""Tables without a row in the event of two flights."""


@pytest.mark.long
def test_a_reference_to_a_row_that_there_is_not_is_refused_by_table_row_and_column():
    text = away(of_two_flights())
    club = elsewhere()
    whole = json.loads(text)["tables"]
    assert {name for name, rows in whole.items() if not rows} == UNFILLED
    tables = [table for table in TABLES if table.name not in UNFILLED]
    broken = [(table.name, each.name) for table in tables for each in table.fields if _leads_to_a_row(each)]
    assert len(broken) > 30
    for name, column in broken:
        wrong = row_of(name, **{column: 10_000})
        with pytest.raises(DeskRefused, match=rf"{name}\[0\].{column}: there is no row '10000'"):
            bring_here(club=club, text=altered(text, wrong), user=None)
    assert not Event.objects.exists()


def _leads_to_a_row(column: Any) -> bool:
    return column.is_relation and column.related_model not in {Note, Player}


def _across(table: str, column: str, target: str, **values: Any) -> Any:
    """A row of one flight that leads to a row of the other one."""

    def change(body: dict[str, Any]) -> None:
        row = body["tables"][table][0]
        row.update(values)
        rows = enumerate(body["tables"][target])
        row[column] = next(number for number, each in rows if each["flight"] != row["flight"])

    return change


def _backwards(body: dict[str, Any]) -> None:
    for each in body["tables"]["feed"]:
        each["stage"], each["into"] = each["into"], each["stage"]
        each["number"] += 10 * each["stage"]


def _twice(table: str, **values: Any) -> Any:
    return lambda body: body["tables"][table].append(body["tables"][table][0] | values)


ASTRAY = [
    (_across("feed", "into", "stage"), r"feed\[0\]: “into” belongs to another flight"),
    (_across("feed", "stage", "stage", number=99), r"feed\[0\]: “stage” belongs to another flight"),
    (_across("sent", "entrant", "entrant"), r"sent\[0\]: “entrant” belongs to another flight"),
    (_across("sent", "feed", "feed"), r"sent\[0\]: “feed” belongs to another flight"),
    (_across("earlierdraw", "stage", "stage"), r"earlierdraw\[0\]: “stage” belongs to another flight"),
    (
        _across("earlierentrant", "entrant", "entrant"),
        r"earlierentrant\[0\]: “entrant” belongs to another flight",
    ),
    (
        _across("earlierentrant", "drawn", "entrant"),
        r"earlierentrant\[0\]: “drawn” belongs to another flight",
    ),
    (_across("declined", "entrant", "entrant"), r"declined\[0\]: “entrant” belongs to another flight"),
    (_across("declined", "stage", "stage"), r"declined\[0\]: “stage” belongs to another flight"),
    (
        _across("stageentrant", "entrant", "entrant", number=99),
        r"stageentrant\[0\]: “entrant” belongs to another flight",
    ),
    (_across("stageentrant", "drawn", "entrant"), r"stageentrant\[0\]: “drawn” belongs to another flight"),
    (lambda body: body["tables"]["feed"][0].update(into=body["tables"]["feed"][0]["stage"]), "into_another"),
    (_backwards, "which is not a later stage"),
    (row_of("feed", kind="everybody"), r"feed\[0\].kind: 'everybody' is not one of top, atmostlosses"),
    (row_of("feed", kind="rest"), r"feed\[0\]: .*feed_kind_has_its_amount"),
    (row_of("feed", amount=None), r"feed\[0\]: .*feed_kind_has_its_amount"),
    (row_of("feed", number=2), "feed: a row appears twice"),
    (_twice("sent", place=99), r"sent\[\d+\]: .*sent_once_by_a_feed.* Key .* already exists"),
    (_twice("earlierentrant", number=99, seat=99), "entrant_once_an_earlier_draw"),
    (row_of("earlierentrant", seat=9), "the seats .* do not hold every entrant once"),
    (row_of("earlierentrant", told={"met": "everybody"}), r"field\[\d\].met"),
    (row_of("earlierdraw", options={"legs": 4}), "legs"),
    (row_of("earlierdraw", seed="another"), "do not match the log"),
    (row_of("earlierdraw", seats=2**31 - 1), "2147483647 seats are more than a draw can have"),
]


@pytest.mark.long
def test_a_reference_astray_is_refused_in_words_with_its_row_and_nothing_is_kept():
    text = away(of_two_flights())
    club = elsewhere()
    for damage, reason in ASTRAY:
        with pytest.raises(DeskRefused, match=reason) as refused:
            bring_here(club=club, text=altered(text, damage), user=None)
        assert str(refused.value).startswith("This event file cannot be imported: ")
        assert not Event.objects.exists()
    brought = bring_here(club=club, text=text, user=None)
    assert Feed.objects.filter(flight__event=brought).count() == 4


@pytest.mark.long
def test_an_event_with_feeds_and_earlier_draws_comes_home_as_it_was():
    event = of_two_flights()

    def kept() -> list[Any]:
        rows = (
            StageRow.objects.with_feeds()
            .filter(flight__event__ref=event.ref)
            .order_by("flight__position", "position")
        )
        told = [(row.ref, row.rules, row.fed, row.declined, row.superseded) for row in rows]
        return [*told, event_archive_text(Event.objects.get(ref=event.ref))]

    before = kept()
    text = away(event)
    back(event, text)
    assert kept() == before
    again = away(Event.objects.get())
    club = elsewhere()
    brought = bring_here(club=club, text=again, user=None)
    assert brought.ref == event.ref
    assert kept() == before


@pytest.mark.long
def test_a_damaged_file_leaves_the_event_at_home_as_it_is():
    event, _director = played()
    text = away(event)
    for damage, _reason in DAMAGES[:6]:
        with pytest.raises(DeskRefused, match="event file cannot be imported"):
            back(event, altered(text, damage))
        assert moved_file(event) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1"),
        ("no json", "line 1"),
        ("[]", "it is not an event file"),
        ("{}", "it is not an event file"),
        ("[" * 100_000, "recursion"),
        ('{"kind": "midpoint event", "edition": 4, "digest": "\\ud800"}', "changed after export"),
        ('{"kind": "midpoint event", "edition": 4, "people": "\\ud800"}', "half a character"),
        ('{"kind": "midpoint event", "edition": 4, "people": "\\u0000"}', "null character"),
        (f'{{"kind": "midpoint event", "edition": {"9" * 5000}}}', "digits"),
        ('{"kind": "midpoint event", "edition": [3]}', r"its edition is \[3\]"),
        ('{"kind": "midpoint event", "edition": NaN}', "NaN is not a number"),
        ('{"kind": "midpoint event", "edition": 1e400}', "1e400 is not a number"),
        ("\ufeff\ufeff{}", "line 1"),
    ],
)
def test_what_only_looks_like_a_file_is_refused(text, reason):
    with pytest.raises(DeskRefused, match=reason) as refused:
        bring_here(club=ClubFactory.create(), text=text, user=None)
    assert refused.value.code == "file"


def test_wherever_a_file_is_cut_off_it_is_refused_as_such(client):
    event, director = played()
    text = away(event)
    for end in range(1, len(text) - 2, len(text) // sized(20, 60)):
        with pytest.raises(DeskRefused, match="it is cut off or not JSON at line"):
            back(event, text[:end])
    assert moved_file(event) == text
    client.force_login(director)
    page = reverse("tournaments:read_file", args=[event.club.slug])
    half = SimpleUploadedFile("event.json", text.encode()[: len(text) // 2])
    answer = client.post(page, {"file": half})
    assert (answer.status_code, "it is cut off" in answer.content.decode()) == (409, True)
    # Only the last line's end is missing, and an editor put a mark of the encoding in front.
    assert back(event, f"\ufeff{text.rstrip()}") == event


def test_a_change_by_hand_shows():
    event, _director = played()
    text = away(event).replace("Wednesday", "Thursday")
    with pytest.raises(DeskRefused, match="changed after export"):
        back(event, text)


WRONG: tuple[Any, ...] = (None, [], {}, -1, 2**70, "\x00", "\ud800", 1e400, True, "", 0.5, [[]], {"x": None})
STRIDE = sized(3, 1)
"""Of how many columns one is tried with each wrong value."""


@pytest.mark.long
@pytest.mark.parametrize("offset", sized([0], [0, 4, 8]))
def test_no_value_in_a_file_brings_the_reader_down(offset):
    """Signed anew, each column of each table in turn is something else: read, or refused in words."""
    event, _director = written()
    whole = json.loads(away(event))
    places = [(name, column) for name, rows in sorted(whole["tables"].items()) if rows for column in rows[0]]
    club = elsewhere()
    for number, (name, column) in list(enumerate(places))[::STRIDE]:
        body = json.loads(json.dumps(whole))
        body["tables"][name][0][column] = WRONG[(number + offset) % len(WRONG)]
        with suppress(DeskRefused):
            body["digest"] = digest_of(body)
        with transaction.atomic():
            # Nothing else: that would be an answer without a sentence.
            with suppress(DeskRefused):
                bring_here(club=club, text=json.dumps(body), user=None)
            transaction.set_rollback(True)
    assert not Event.objects.exists()


def ruling(body: dict[str, Any]) -> Any:
    return of_kind(body, "ruling")["note"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda body: ruling(body).update(text="Something else."), "was changed"),
        (lambda body: ruling(body).update(salt="00" * 16), "was changed"),
        (lambda body: ruling(body).update(salt="x"), "non-hexadecimal"),
        (lambda body: ruling(body).update(text=""), "has no valid text"),
        (lambda body: ruling(body).update(ref="no ref"), "no ref"),
        (lambda body: ruling(body).update(ref=""), "'' is not a ref"),
        (lambda body: ruling(body).pop("ref"), "'ref' is missing"),
        (lambda body: of_kind(body, "ruling").update(note="text"), "'text' is not an object"),
        (lambda body: of_kind(body, "ruling").update(user=7), "missing or extra fields: user"),
        (lambda body: of_kind(body, "ruling").update(kind="miracle"), "was changed after it was written"),
    ],
)
def test_a_text_that_does_not_fit_the_log_is_refused(change, reason):
    event, _dora = written()
    text = away(event)
    club = elsewhere()
    with pytest.raises(DeskRefused, match=reason):
        bring_here(club=club, text=altered(text, change), user=None)
    assert not Event.objects.exists()
    assert not Note.objects.exists()


def test_no_file_reads_a_note_that_is_somebody_elses():
    event, _dora = written()
    text = away(event)
    ref = ruling(json.loads(text))["ref"]
    club = elsewhere()
    Note.objects.create(ref=ref, text="A secret.")
    with pytest.raises(DeskRefused, match="has another text here") as refused:
        bring_here(club=club, text=text, user=None)
    assert refused.value.code == "file"
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "ruling", "clause": "crawford"},
        {"kind": "ruling", "clause": {"rule": "crawford"}},
        {"kind": "ruling", "clause": {"profile": "", "title": "", "rule": "x", "value": {}}},
        {"kind": "miracle"},
        {"kind": "conduct", "about": 7},
    ],
)
def test_an_entry_of_the_log_that_nobody_could_read_is_refused(entry):
    event, director = played()
    with transaction.atomic():
        note(event=event, user=director, **entry)
    text = away(event)
    with pytest.raises(DeskRefused, match=r"not a clause of a|unknown kind 'miracle'|about: 7 is not a list"):
        bring_here(club=elsewhere(), text=text, user=None)
