"""What is sent to a sheet by mistake or on purpose: keys used twice, unstorable text, huge scores."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.writers import Author
from scoring.models import ClockState, Match, MatchStatus, Objection
from scoring.rules.endings import Ending
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Event, LengthSet, MatchEnded, PenaltyGiven, Ruled, ScoreRecorded, Voided
from scoring.rules.match import Win
from scoring.rules.profiles import BUILT_IN, ClockTerms
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.claims import make_claim, revoke_claims
from scoring.sheets.services.clocks import MOST_MS, press_clock, start_clock
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.decisions import void_match
from scoring.sheets.services.entries import Entry, EntryRefused, record
from scoring.sheets.services.openings import open_match
from scoring.sheets.services.refolds import CorrectionRefused
from scoring.sheets.services.results import object_to_result
from scoring.sheets.services.transcription import record_text
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db

HUGE = 10**25
UNSTORABLE = ["no \0 such text", "half a \ud800 pair"]


def directed(match: Match, *events: Event) -> Match:
    """Append events as a director who does not play."""
    director = Author(member(match.club, Role.DIRECTOR), directs=True)
    entries = [Entry(f"directed-{number}", event) for number, event in enumerate(events)]
    record(match=match, author=director, after=loaded(match).sheet.head_seq, entries=entries)
    return loaded(match)


def post(match: Match, name: str, body: Any) -> Any:
    """What White is answered by one of the addresses."""
    client = Client()
    user = author(match, "white").user
    assert user is not None
    client.force_login(user)
    address = reverse(f"api:{name}", args=[match.ref])
    return client.post(address, json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("text", UNSTORABLE)
def test_text_that_no_database_takes_is_refused_everywhere(text: str) -> None:
    match = write(two_players(1), win(Side.WHITE))
    correction = {"after": 2, "key": "c", "seq": 2, "kind": "voided", "body": {}, "reason": text}
    for name, body in (
        ("sheet_corrections", correction),
        ("disputes", {"reason": text}),
        ("sheet_undo", {"after": 2, "key": text}),
        ("sheet_claims", {"side": text}),
        ("sheet_text", {"after": 2, "key": "t", "text": text}),
    ):
        answer = post(match, name, body)
        assert (name, answer.status_code) == (name, 400)
    assert loaded(match).sheet.head_seq == 2
    assert not Objection.objects.exists()


def test_an_objection_is_as_short_as_any_note() -> None:
    match = write(two_players(1), win(Side.WHITE))
    with pytest.raises(InvalidValue, match="2000"):
        object_to_result(match=match, side="black", user=author(match, "black").user, reason="x" * 2001)
    assert not Objection.objects.exists()


def test_a_key_that_stands_for_an_entry_takes_nothing_back() -> None:
    match = two_players(5)
    who = author(match, "white")
    record(match=match, author=who, after=1, entries=[Entry("a", win(Side.WHITE))])
    with pytest.raises(EntryRefused, match="another event"):
        undo_last(match=match, author=who, after=2, key="a")
    undo_last(match=match, author=who, after=2, key="u")
    undo_last(match=match, author=who, after=2, key="u")
    with pytest.raises(EntryRefused, match="another event"):
        record(match=match, author=who, after=3, entries=[Entry("u", win(Side.WHITE))])
    assert loaded(match).sheet.head_seq == 3


def test_the_key_of_a_correction_stands_for_no_other_correction() -> None:
    match = write(two_players(5), win(Side.WHITE), win(Side.WHITE))
    change: dict[str, Any] = {"match": match, "author": author(match, "white"), "after": 3, "reason": "no"}
    for _time in range(2):
        correct(**change, key="c", seq=2, event=win(Side.BLACK))
    for seq, event in ((3, win(Side.BLACK)), (2, win(Side.BLACK, Win.GAMMON))):
        with pytest.raises(EntryRefused, match="another event"):
            correct(**change, key="c", seq=seq, event=event)
    assert loaded(match).sheet.head_seq == 4


def test_cuts_under_long_keys_that_begin_alike_are_told_apart() -> None:
    match = write(two_players(5), win(Side.WHITE), win(Side.BLACK), win(Side.BLACK))
    for number in (1, 2):
        correct(
            match=match,
            author=author(match, "white"),
            after=loaded(match).sheet.head_seq,
            key="k" * 60 + str(number),
            seq=2,
            event=ScoreRecorded(5, number),
            reason="it was over",
            cut=True,
        )
    assert damage_of(loaded(match).sheet) is None


@pytest.mark.parametrize("event", [PenaltyGiven(Side.BLACK, 1, "late"), Ruled("director", "play on")])
def test_what_a_director_entered_is_a_directors_to_take_away(event: Event) -> None:
    match = directed(write(two_players(5), win(Side.WHITE)), event)
    who = author(match, "black")
    with pytest.raises(EntryRefused, match="only directors can"):
        undo_last(match=match, author=who, after=3, key="u")
    with pytest.raises(EntryRefused, match="only directors can"):
        correct(match=match, author=who, after=3, key="c", seq=3, event=Voided(), reason="no")
    director = Author(member(match.club, Role.DIRECTOR), directs=True)
    undo_last(match=match, author=director, after=3, key="u")
    assert loaded(match).sheet.head_seq == 4


def test_a_cut_takes_no_penalty_along() -> None:
    match = directed(write(two_players(5), win(Side.WHITE)), PenaltyGiven(Side.BLACK, 1, "late"))
    change: dict[str, Any] = {
        "match": match,
        "author": author(match, "black"),
        "after": 3,
        "seq": 2,
        "event": ScoreRecorded(0, 5),
        "reason": "no",
    }
    with pytest.raises(CorrectionRefused):
        correct(**change, key="c")
    with pytest.raises(EntryRefused, match="only directors can"):
        correct(**change, key="c", cut=True)
    assert loaded(match).sheet.head_seq == 3


def test_a_voided_match_stays_void_for_its_players() -> None:
    match = write(two_players(1), win(Side.WHITE))
    void_match(match=match, user=member(match.club, Role.DIRECTOR), reason="the wrong people")
    match = loaded(match)
    who, head = author(match, "white"), match.sheet.head_seq
    with pytest.raises(EntryRefused, match="match is void"):
        undo_last(match=match, author=who, after=head, key="u")
    with pytest.raises(EntryRefused, match="match is void"):
        correct(match=match, author=who, after=head, key="c", seq=2, event=win(Side.WHITE), reason="no")
    match = loaded(match)
    assert (match.status, match.sheet.head_seq) == (MatchStatus.VOID, head)


@pytest.mark.parametrize("points", [2**31, HUGE])
def test_more_points_than_anybody_plays_for_are_refused(points: int) -> None:
    with pytest.raises(EntryRefused, match="cannot have"):
        directed(two_players(5), PenaltyGiven(Side.WHITE, points))
    with pytest.raises(EntryRefused, match="cannot have"):
        write(two_players(0), ScoreRecorded(points, 0))
    rich = write(two_players(0), *[win(Side.WHITE, Win.BACKGAMMON, cube=2**28)] * 2)
    with pytest.raises(EntryRefused, match="cannot have"):
        write(rich, win(Side.WHITE, Win.BACKGAMMON, cube=2**28))
    assert write(rich, MatchEnded(Ending.AGREED)).result.white_raw == 6 * 2**28


def test_a_clock_that_nobody_stops_and_a_long_reserve_stay_within_bounds() -> None:
    slow = replace(BUILT_IN["us"], clock=ClockTerms(3600, 0))
    match = two_players(999, slow)
    start_clock(match=match, side="white")
    clock = ClockState.objects.get(sheet=match.sheet)
    assert clock.white_ms == MOST_MS
    ClockState.objects.update(since=now() - timedelta(days=900), black_ms=-MOST_MS)
    match = write(match, win(Side.WHITE), MatchEnded(Ending.RETIRED, Side.WHITE))
    clock.refresh_from_db()
    assert (clock.white_ms, clock.running, match.status) == (-MOST_MS, "", MatchStatus.FINISHED)


def test_starting_a_clock_again_gives_no_second_delay() -> None:
    match = two_players(5)
    start_clock(match=match, side="white")
    ClockState.objects.update(since=now() - timedelta(seconds=100))
    start_clock(match=match, side="white")
    press_clock(match=match, side="white")
    assert ClockState.objects.get(sheet=match.sheet).white_ms < 520_000


def test_half_a_character_is_refused_by_the_api_in_words() -> None:
    match = two_players(1)
    client = with_token(member(match.club, Role.DIRECTOR))
    ruling = {"key": "a", "kind": "ruling", "body": {"text": "\ud800"}}
    body = json.dumps({"after": 1, "entries": [ruling]})
    answer = client.post(f"/api/v1/matches/{match.ref}/events/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "text")
    assert loaded(match).sheet.head_seq == 1


def test_the_key_of_a_typed_line_stands_for_that_line_alone() -> None:
    match = two_players(5)
    line: dict[str, Any] = {"match": match, "author": author(match, "white"), "after": 1}
    for _time in range(2):
        record_text(**line, key="a", text="31 85 65")
    for key, text in (("a", "31 85 54"), ("a", "31 85 65 64 2414"), ("a", "d"), ("a", "31"), ("start", "31")):
        with pytest.raises(EntryRefused, match="another event"):
            record_text(**line, key=key, text=text)
    assert loaded(match).sheet.head_seq == 3
    undo_last(match=match, author=author(match, "white"), after=3, key="u")
    record_text(**line, key="a", text="31 85 65")
    assert loaded(match).sheet.head_seq == 4


def test_the_length_of_an_events_match_is_a_directors_to_correct() -> None:
    club = ClubFactory.create()
    ana, ben = member(club, name="Ana"), member(club, name="Ben")
    match = open_match(club=club, white=[ana.player], black=[ben.player], length=5, directed=True)
    match = loaded(match)
    shorter = LengthSet(3, "", "written wrong")
    with pytest.raises(EntryRefused, match="only directors can"):
        write(match, shorter)
    view = view_for(match.sheet, match, author(match, "white"))
    assert "set_length" not in [action["kind"] for action in view["actions"]]
    assert view["refusals"]["set_length"] == "only directors can enter this"
    match = directed(match, shorter)
    assert match.length == 3
    with pytest.raises(EntryRefused, match="only directors can"):
        undo_last(match=match, author=author(match, "white"), after=2, key="u")


def test_elsewhere_the_players_correct_a_wrong_length() -> None:
    match = write(two_players(5), LengthSet(3, "", "agreed on three"), by="black")
    assert match.length == 3


@pytest.mark.django_db(transaction=True)
def test_a_code_that_ends_while_it_is_opened_opens_nothing() -> None:
    match = two_players(5)
    for _time in range(10):
        _claim, code = make_claim(match=match, author=author(match, "white"))
        address = reverse("scoring:join_sheet", args=[code])
        answers = at_once(
            *[lambda address=address: Client().post(address).status_code] * 4,
            lambda: revoke_claims(match=match),
        )
        assert set(answers[:4]) <= {302, 404}, answers
