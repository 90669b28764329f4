"""The short way of an append: few statements, a small answer, and what the long way would have written."""

import json
import random
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.writers import SESSION_KEY
from scoring.log.services.sheets import state_of
from scoring.models import Claim, Match, SheetEvent
from scoring.rules.dice import Roll
from scoring.rules.events import Event, OpeningRolled, Played, Rolled
from scoring.rules.plays import legal_plays
from scoring.rules.sides import Side
from scoring.sheets.queries.opened_match import open_match_of
from scoring.sheets.services.appends import Appended, SheetOvertakenRefused, append
from scoring.sheets.services.claims import make_claim
from scoring.sheets.services.clocks import start_clock
from scoring.sheets.services.corrections import undo_last
from scoring.sheets.services.entries import ConflictRefused, Entry, EntryRefused, record
from scoring.signals import score_changed
from tests.scoring.sheets.writing import author, loaded, play_turns, two_players, win, write
from tests.tiers import sized

SMALL = 4000  # bytes; a whole view is more
View = dict[str, Any]


def signed_in(match: Match, colour: str = "white") -> Client:
    client = Client()
    user = author(match, colour).user
    assert user is not None
    client.force_login(user)
    return client


def state(client: Client, match: Match) -> View:
    view: View = client.get(reverse("api:sheet", args=[match.ref])).json()
    return view


def post(client: Client, match: Match, body: dict[str, Any]) -> Any:
    address = reverse("api:match_events", args=[match.ref])
    return client.post(address, body, content_type="application/json")


def after_changes(view: View, news: View) -> View:
    """The view as the page makes it from the one that it has."""
    assert news["follows"] == view["version"]
    lines = [*view["lines"], *(news["theirs"] if "theirs" in news else news["lines"])]
    more = {"earlier": news["earlier"]} if len(lines) > news["keep"] else {}
    moved = {"seq": news["seq"], "version": news["version"], "lines": lines[-news["keep"] :]}
    return {**view, **news["changes"], **moved, **more}


def next_entry(view: View, rng: random.Random) -> dict[str, Any]:
    """Something that may happen now, as a person enters it."""
    kinds = [action["kind"] for action in view["actions"]]
    dice = [rng.randint(1, 6), rng.randint(1, 6)]
    if "opening_roll" in kinds:
        return {"kind": "opening_roll", "body": {"white": dice[0], "black": dice[1]}}
    if view["plays"]:
        sequences = view["plays"]["sequences"]
        return {"kind": "play", "body": {"moves": rng.choice(sequences) if sequences else []}}
    answers = [kind for kind in ("take", "pass", "beaver", "accept", "refuse") if kind in kinds]
    if answers:
        return {"kind": rng.choice(answers), "body": {}}
    if "double" in kinds and rng.random() < 0.2:
        return {"kind": "double", "body": {}}
    if rng.random() < 0.05:
        return {"kind": "resign", "body": {"by": rng.choice(["white", "black"]), "level": 1}}
    return {"kind": "roll", "body": {"dice": dice}}


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(sized(1, 3)))
def test_a_page_that_applies_the_changes_shows_what_a_page_that_asks_for_everything_shows(seed: int) -> None:
    rng = random.Random(seed)
    match = two_players(7)
    client = signed_in(match)
    view, changed = state(client, match), 0
    for number in range(120):
        entries = [{"key": f"k{number}", **next_entry(view, rng)}]
        answer = post(client, match, {"after": view["seq"], "entries": entries, "holds": view["version"]})
        news = answer.json()
        assert answer.status_code == 200, news
        changed += "follows" in news
        view = after_changes(view, news) if "follows" in news else news
        assert view == state(client, match)
        if view["status"] != "playing":
            break
    assert changed > 20
    assert damage_of(loaded(match).sheet) is None


@pytest.mark.django_db
def test_an_append_takes_four_statements_and_answers_what_changed(django_assert_num_queries: Any) -> None:
    """Session, user, the sheet with all that decides, and what is written."""
    match = play_turns(two_players(63), 20)
    client = signed_in(match)
    view = state(client, match)
    entry = {"key": "k", "kind": "roll", "body": {"dice": [3, 1]}}
    with django_assert_num_queries(4):
        answer = post(client, match, {"after": view["seq"], "entries": [entry], "holds": view["version"]})
    assert "follows" in answer.json()
    assert len(answer.content) < SMALL < len(json.dumps(view))


@pytest.mark.django_db
def test_a_guest_with_a_code_appends_in_four_statements(django_assert_num_queries: Any) -> None:
    """Session, the sheet, the claim, and what is written."""
    match = write(two_players(5), OpeningRolled(3, 1))
    claim, _code = make_claim(match=match, author=author(match, "white"))
    client = Client()
    session = client.session
    session[SESSION_KEY] = {match.ref: claim.ref}
    session.save()
    client.cookies["sessionid"] = session.session_key or ""
    body = {"after": 2, "entries": [{"key": "g", "kind": "play", "body": {"moves": [[8, 5], [6, 5]]}}]}
    with django_assert_num_queries(4):
        answer = post(client, match, body | {"holds": match.version})
    assert (answer.status_code, answer.json()["seq"]) == (200, 3)
    row = SheetEvent.objects.get(sheet=match.sheet, seq=3)
    assert (row.user, row.claim) == (None, Claim.objects.get())


def late(client: Client, match: Match, view: View, **more: Any) -> View:
    """What somebody is answered who has seen this view, when others have written since."""
    entries = [{"key": "late", "kind": "roll", "body": {"dice": [6, 6]}}]
    answer = post(client, match, {"after": view["seq"], "entries": entries, "holds": view["version"], **more})
    conflict: View = answer.json()
    assert (answer.status_code, conflict["code"]) == (409, "behind")
    return conflict


@pytest.mark.django_db
@pytest.mark.parametrize("behind", [1, 2, 3, 29, 30])
def test_a_conflict_brings_the_lines_that_the_page_lacks_and_what_they_change(behind: int) -> None:
    match = write(two_players(63), OpeningRolled(3, 1))
    client = signed_in(match)
    view = state(client, match)
    for _number in range(behind):
        match = write(match, _following(state_of(loaded(match).sheet)))
    conflict = late(client, match, view)
    assert "state" not in conflict
    assert [line["seq"] for line in conflict["theirs"]] == list(range(3, 3 + behind))
    assert after_changes(view, conflict) == state(client, match)


@pytest.mark.django_db
def test_a_conflict_tells_what_else_has_changed_of_the_match() -> None:
    match = write(two_players(63), OpeningRolled(3, 1))
    client = signed_in(match)
    view = state(client, match)
    start_clock(match=match, side="white")
    match = write(match, _following(state_of(loaded(match).sheet)))
    shown = after_changes(view, late(client, match, view))
    told = state(client, match)
    assert shown["clock"]["running"] == "white"
    assert [{**each, "clock": {**each["clock"], "now": ""}} for each in (shown, told)] == [
        {**told, "clock": {**told["clock"], "now": ""}}
    ] * 2


@pytest.mark.long
@pytest.mark.django_db
def test_a_page_that_is_far_behind_is_sent_the_whole_sheet() -> None:
    match = write(two_players(63), OpeningRolled(3, 1))
    client = signed_in(match)
    view = state(client, match)
    for _number in range(31):
        match = write(match, _following(state_of(loaded(match).sheet)))
    conflict = late(client, match, view)
    assert conflict["state"] == state(client, match)
    assert len(conflict["theirs"]) == 30


@pytest.mark.django_db
def test_a_page_that_missed_more_than_plays_is_sent_the_whole_sheet() -> None:
    match = write(two_players(63), OpeningRolled(3, 1))
    client, who = signed_in(match), author(match, "white")
    view = state(client, match)
    match = write(match, _following(state_of(loaded(match).sheet)))
    undo_last(match=loaded(match), author=who, after=3, key="undo")
    assert late(client, match, view)["state"] == state(client, match)
    view = state(client, match)
    match = write(match, win(Side.WHITE), OpeningRolled(5, 1))
    conflict = late(client, match, view)
    assert conflict["state"] == state(client, match)
    assert [game["winner"] for game in conflict["state"]["games"]] == ["white"]


@pytest.mark.django_db
@pytest.mark.parametrize("holds", [0, -1, 10**30, None, "two", True, [2]])
def test_a_conflict_with_a_version_that_cannot_be_brings_the_whole_sheet_or_is_refused(holds: Any) -> None:
    match = write(two_players(63), OpeningRolled(3, 1))
    client = signed_in(match)
    view = state(client, match)
    match = write(match, _following(state_of(loaded(match).sheet)))
    entries = [{"key": "late", "kind": "roll", "body": {"dice": [6, 6]}}]
    answer = post(client, match, {"after": view["seq"], "entries": entries, "holds": holds})
    if type(holds) is int:
        assert (answer.status_code, answer.json()["state"]) == (409, state(client, match))
    else:
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "holds")


@pytest.mark.django_db
def test_a_conflict_takes_four_statements_and_answers_little(django_assert_num_queries: Any) -> None:
    """Session, user, the sheet with all that decides, and the lines that the page lacks."""
    match = play_turns(two_players(63), 20)
    client = signed_in(match)
    view = state(client, match)
    match = write(match, _following(state_of(loaded(match).sheet)))
    with django_assert_num_queries(4):
        conflict = late(client, match, view)
    assert len(json.dumps(conflict)) < SMALL < len(json.dumps(view))


@pytest.mark.django_db
def test_a_page_that_holds_another_version_is_sent_the_whole_sheet() -> None:
    match = write(two_players(5), OpeningRolled(3, 1))
    client = signed_in(match)
    for seq, holds in ((2, {}), (3, {"holds": 1}), (4, {"holds": 10**30})):
        entry = {
            2: {"kind": "play", "body": {"moves": [[8, 5], [6, 5]]}},
            3: {"kind": "roll", "body": {"dice": [4, 2]}},
            4: {"kind": "play", "body": {"moves": [[8, 4], [6, 4]]}},
        }[seq]
        answer = post(client, match, {"after": seq, "entries": [{"key": f"k{seq}", **entry}], **holds})
        assert answer.json() == state(client, match)


@pytest.mark.django_db
@pytest.mark.parametrize("holds", ["two", True, None, 2.5, [2]])
def test_a_version_that_is_no_number_is_refused(holds: Any) -> None:
    match = write(two_players(5), OpeningRolled(3, 1))
    body = {"after": 2, "entries": [{"key": "k", "kind": "roll", "body": {"dice": [3, 1]}}], "holds": holds}
    assert post(signed_in(match), match, body).status_code == 400
    assert loaded(match).sheet.head_seq == 2


@pytest.mark.long
@pytest.mark.django_db
def test_both_ways_write_the_same_rows_and_the_same_state() -> None:
    events: list[Event] = [OpeningRolled(3, 1)]
    pair = [write(two_players(5), *events), write(two_players(5), *events)]
    for match, short in zip(pair, (True, False), strict=True):
        for number in range(30):
            played = state_of(loaded(match).sheet)
            event = _following(played)
            who, after = author(match, "white"), loaded(match).sheet.head_seq
            entries = [Entry(f"e{number}", event)]
            if short:
                opened = open_match_of(match.ref, who.user, ["e"])  # type: ignore[arg-type]
                assert opened is not None
                assert isinstance(append(opened=opened, author=who, after=after, entries=entries), Appended)
            else:
                record(match=match, author=who, after=after, entries=entries)
    columns = ("seq", "kind", "body", "replaces", "side", "notation", "note", "note_digest")
    one, other = (list(match.sheet.events.order_by("seq").values_list(*columns)) for match in pair)
    assert one == other
    sheets = [loaded(match).sheet for match in pair]
    assert (sheets[0].head_hash, sheets[0].state) == (sheets[1].head_hash, sheets[1].state)
    assert [loaded(match).version for match in pair] == [loaded(pair[0]).version] * 2
    assert [damage_of(sheet) for sheet in sheets] == [None, None]


def _following(played: Any) -> Event:
    from_view: dict[str, Event] = {"opening": OpeningRolled(6, 5), "turn": Rolled(Roll(4, 2))}
    if found := from_view.get(played.game.phase.value):
        return found
    return _first_play(played)


def _first_play(played: Any) -> Event:
    plays = legal_plays(played.game.seen_by(played.game.player), played.game.roll)
    return Played(plays[0].moves if plays else ())


@pytest.mark.django_db
def test_what_was_read_before_somebody_else_wrote_is_a_conflict() -> None:
    match = write(two_players(5), OpeningRolled(3, 1))
    who = author(match, "white")
    opened = open_match_of(match.ref, who.user, ["late"])  # type: ignore[arg-type]
    assert opened is not None
    played = _first_play(state_of(match.sheet))
    write(match, played)
    with pytest.raises(SheetOvertakenRefused) as conflict, CaptureQueriesContext(connection) as queries:
        append(opened=opened, author=who, after=2, entries=[Entry("late", played)])
    assert len(queries) == 2  # nothing is locked for somebody who came too late
    assert (conflict.value.seq, conflict.value.after) == (3, 2)
    assert conflict.value.opened.match.sheet.head_seq == 3
    assert opened.match.sheet.head_seq == 2
    assert loaded(match).sheet.head_seq == 3


@pytest.mark.django_db
def test_what_was_read_before_the_same_entry_was_written_is_answered_as_written() -> None:
    match = write(two_players(5), OpeningRolled(3, 1))
    who = author(match, "white")
    opened = open_match_of(match.ref, who.user, ["twice"])  # type: ignore[arg-type]
    assert opened is not None
    entries = [Entry("twice", _first_play(state_of(match.sheet)))]
    record(match=match, author=who, after=2, entries=entries)
    written = append(opened=opened, author=who, after=2, entries=entries)
    assert isinstance(written, Match)
    assert (written.sheet.head_seq, loaded(match).sheet.head_seq) == (3, 3)


@pytest.mark.django_db
def test_a_clock_started_after_the_reading_does_not_stop_an_append() -> None:
    match = write(two_players(5), OpeningRolled(3, 1))
    who = author(match, "white")
    opened = open_match_of(match.ref, who.user)  # type: ignore[arg-type]
    assert opened is not None
    start_clock(match=match, side="white")
    entries = [Entry("k", _first_play(state_of(match.sheet)))]
    written = append(opened=opened, author=who, after=2, entries=entries)
    assert isinstance(written, Match)
    assert (loaded(match).sheet.head_seq, loaded(match).version) == (3, match.version + 2)
    assert damage_of(loaded(match).sheet) is None


@pytest.mark.django_db
def test_a_result_that_became_final_after_the_reading_is_left_alone() -> None:
    match = write(two_players(1), OpeningRolled(3, 1))
    who = author(match, "white")
    opened = open_match_of(match.ref, who.user)  # type: ignore[arg-type]
    assert opened is not None
    Match.objects.filter(pk=match.pk).update(status="void", version=match.version + 1)
    entries = [Entry("k", _first_play(state_of(match.sheet)))]
    with pytest.raises(EntryRefused):
        append(opened=opened, author=who, after=2, entries=entries)
    assert loaded(match).sheet.head_seq == 2


@pytest.mark.django_db
def test_the_end_of_a_game_goes_the_long_way_and_is_told() -> None:
    match = two_players(5)
    heard: list[Match] = []

    def hear(match: Match, **_more: Any) -> None:
        heard.append(match)

    who = author(match, "white")
    opened = open_match_of(match.ref, who.user)  # type: ignore[arg-type]
    assert opened is not None
    score_changed.connect(hear, sender=Match)
    try:
        written = append(opened=opened, author=who, after=1, entries=[Entry("game", win(Side.WHITE))])
    finally:
        score_changed.disconnect(hear, sender=Match)
    assert isinstance(written, Match)
    assert [each.pk for each in heard] == [match.pk]


@pytest.mark.django_db(transaction=True)
def test_of_two_short_ways_at_one_moment_one_is_written_and_the_other_a_conflict() -> None:
    match = write(two_players(63), OpeningRolled(3, 1))
    meet = Barrier(2)
    outcomes: dict[str, list[str]] = {"white": [], "black": []}
    rounds = 60

    def submit(colour: str) -> None:
        who = author(match, colour)
        assert who.user is not None
        try:
            for number in range(rounds):
                key = f"{number}" if number % 2 else f"{number}-{colour}"
                opened = open_match_of(match.ref, who.user, [key])
                assert opened is not None
                entries = [Entry(key, _following(state_of(opened.match.sheet)))]
                meet.wait(300)
                try:
                    append(opened=opened, author=who, after=2 + number, entries=entries)
                    outcomes[colour].append("written")
                except ConflictRefused:
                    outcomes[colour].append("conflict")
                meet.wait(300)
        finally:
            connection.close()

    threads = [Thread(target=submit, args=[colour]) for colour in outcomes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairs = [sorted(pair) for pair in zip(*outcomes.values(), strict=True)]
    assert pairs[0::2] == [["conflict", "written"]] * (rounds // 2)
    assert pairs[1::2] == [["written", "written"]] * (rounds // 2)
    seqs = SheetEvent.objects.filter(sheet=match.sheet).order_by("seq").values_list("seq", flat=True)
    assert list(seqs) == list(range(1, rounds + 3))
    assert damage_of(loaded(match).sheet) is None
