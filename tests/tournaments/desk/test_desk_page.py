"""The desk's pages: what they show, in how many queries, and that every form of theirs does its thing."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from scoring.models import Match, Result
from scoring.profiles.queries.profile_words import clauses
from scoring.rules.profiles import BUILT_IN
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult, overrule
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import a_tie
from tournaments.desk.queries.event_log import event_log
from tournaments.desk.queries.pace import _played_out
from tournaments.desk.services.calls import call, call_ready, feature, start
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.results import report_result
from tournaments.desk.services.rulings import eligible_for, report_conduct, rule_on
from tournaments.desk.services.tables import make_tables
from tournaments.desk.services.undo import undo
from tournaments.entries.services.check_ins import check_in
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantRow, Event, EventTable, PairingRow, StageRow
from tournaments.words.clauses import CLAUSES, cited, cited_words

pytestmark = pytest.mark.django_db

MOST_QUERIES = 9


@pytest.fixture
def run(client):
    """A function: an event of so many players at the desk of a signed-in director."""

    def make(players, tables=4, **options):
        event = an_event(players, **options)
        stage = drawn(event)
        if tables:
            make_tables(event=event, last=tables, user=None)
        director = member(event.club, Role.DIRECTOR)
        client.force_login(director)
        return event, stage, director

    return make


def at(event, name, *args):
    return reverse(f"tournaments:{name}", args=args or [event.ref])


def test_the_desk_groups_matches_by_state(run, client):
    event, stage, director = run(16, tables=6)
    ready, called, late, playing, slow, *_rest = open_pairings(stage)
    for row in (called, late, playing, slow):
        call(pairing=row, user=director)
    for row in (playing, slow):
        start(pairing=row, user=director)
    PairingRow.objects.filter(pk=late.pk).update(called_at=now() - timedelta(minutes=11))
    PairingRow.objects.filter(pk=slow.pk).update(started_at=now() - timedelta(hours=2))
    desk = client.get(at(event, "desk")).context["desk"]
    states = {line.pairing.pk: line.state for line in desk.lines}
    assert [states[row.pk] for row in (ready, called, late, playing, slow)] == [
        "ready",
        "called",
        "late",
        "playing",
        "slow",
    ]
    (line,) = (line for line in desk.lines if line.pairing.pk == late.pk)
    assert (line.minutes, line.penalty) == (11, 2)
    content = client.get(at(event, "desk")).content.decode()
    assert "2 penalty points due" in content
    assert "late, 11 min" in content
    assert "table 3" in content


def test_penalty_points_stand_beside_the_match_and_on_its_page(run, client):
    event, stage, director = run(4)
    row = open_pairings(stage)[0]
    entry = penalise(pairing=row, to=Side.BLACK, points=1, user=director)
    said = f"1 penalty point to {other_side(row).title}"
    assert said in client.get(at(event, "desk")).text
    assert "1 penalty point</span>" in client.get(at(event, "pairing", row.ref)).text
    undo(event=event, seq=entry.seq, user=director)
    assert said not in client.get(at(event, "desk")).text.partition('class="beside"')[0]


def test_a_round_that_may_not_begin_yet_is_not_called_by_itself(run, client):
    event, stage, director = run(4)
    later = now() + timedelta(hours=3)
    StageRow.objects.filter(pk=stage.pk).update(starts={"1": later.isoformat()})
    assert call_ready(event=event, user=director) == []
    states = {line.state for line in client.get(at(event, "desk")).context["desk"].lines}
    assert states == {"early"}


def test_without_a_free_table_the_desk_calls_no_match_and_says_why(run, client):
    event, _stage, director = run(8, tables=1)
    assert "No table is free." not in client.get(at(event, "desk")).text
    call_ready(event=event, user=director)
    page = client.get(at(event, "desk")).text
    assert 'data-key="c" disabled aria-describedby="full"' in page
    assert "No table is free." in page
    assert 'data-key="t" class="secondary">' not in page


def test_with_only_featured_tables_free_other_matches_are_not_called(run, client):
    event, stage, director = run(8, tables=3)
    EventTable.objects.filter(event=event, number=3).update(featured=True)
    page = client.get(at(event, "desk")).text
    assert "Call 2 of 4</button>" in page
    assert "tables are free" not in page
    assert len(call_ready(event=event, user=director)) == 2
    page = client.get(at(event, "desk")).text
    assert 'data-key="c" disabled aria-describedby="full"' in page
    assert "Only featured tables are free." in page
    assert 'data-key="t" class="secondary">' not in page
    waiting = open_pairings(stage)[-1]
    with pytest.raises(DeskRefused, match="Only featured tables are free"):
        call(pairing=waiting, user=director)
    assert call(pairing=waiting, user=director, table=3).table == 3


def test_a_featured_match_waits_for_a_featured_table_and_the_desk_says_so(run, client):
    event, stage, director = run(4, tables=3)
    EventTable.objects.filter(event=event, number=3).update(featured=True)
    first, second = open_pairings(stage)
    call(pairing=first, user=director, table=3)
    feature(pairing=second, featured=True, user=director)
    page = client.get(at(event, "desk")).text
    assert "No featured table is free." in page
    assert "Call 1 ready match" in page
    with pytest.raises(DeskRefused, match="No featured table is free"):
        call(pairing=second, user=director)


def test_a_player_who_is_ready_in_two_matches_is_called_to_one(run, client):
    event, _stage, director = run(4, tables=6, format_key="round_robin")
    page = client.get(at(event, "desk"))
    ready = len(page.context["desk"].ready)
    called = page.context["desk"].to_call
    assert called == len(call_ready(event=event, user=director)) <= ready


@pytest.mark.parametrize(("status", "money"), [("finished", True), ("cancelled", False)])
def test_the_desk_of_an_event_that_is_over_says_so_and_leads_on(client, status, money):
    event = an_event(4)
    client.force_login(member(event.club, Role.DIRECTOR))
    event.status = status
    event.save()
    page = client.get(at(event, "desk")).text
    assert status.capitalize() in page
    assert (at(event, "money") in page, "in progress" in page) == (money, False)
    assert "Add tables" not in page


def test_a_cancelled_event_has_no_check_in_and_no_draw(client):
    event = an_event(4)
    client.force_login(member(event.club, Role.DIRECTOR))
    entrant = EntrantRow.objects.order_by("pk")[0]
    address = reverse("tournaments:check_in", args=[entrant.ref])
    before = client.get(at(event, "desk")).text
    assert address in before
    assert "Make the draw" in before
    Event.objects.update(status="cancelled")
    after = client.get(at(event, "desk")).text
    assert address not in after
    assert "Make the draw" not in after
    with pytest.raises(DeskRefused, match="This event is cancelled"):
        check_in(entrant=entrant)
    assert EntrantRow.objects.get(pk=entrant.pk).state == "registered"


@pytest.mark.parametrize(("format_key", "is_open"), [("knockout", True), ("ladder", False)])
def test_tables_are_asked_for_where_the_desk_calls_to_them(client, format_key, is_open):
    event = an_event(4, format_key=format_key)
    client.force_login(member(event.club, Role.DIRECTOR))
    page = client.get(at(event, "desk")).text
    assert ('<details class="make-tables" open>' in page) is is_open
    assert "Add tables" in page


@pytest.mark.parametrize("entered", [0, 4])
def test_the_desk_before_the_draw_says_when_it_starts_and_where_entries_are_made(client, entered):
    event = an_event(entered)
    client.force_login(member(event.club, Role.DIRECTOR))
    page = client.get(at(event, "desk")).text
    assert "Starts " in page
    assert "minutes a point" not in page
    assert "No match is ready" not in page
    assert (f'href="{at(event, "entries")}">Enter players' in page) == (entered == 0)


def test_the_desk_costs_the_same_number_of_queries_for_any_field(run, client):
    counts = set()
    for players in (2, 6, 32):
        event, stage, director = run(players, tables=8)
        call(pairing=open_pairings(stage)[0], user=director)
        _played_out.cache_clear()
        counts.add(queries_of(client, at(event, "desk")))
    assert len(counts) == 1, counts
    assert counts <= set(range(MOST_QUERIES + 1)), counts


def queries_of(client, url):
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url).status_code == 200
    return len(asked)


def test_the_desk_accepts_the_result_that_it_showed_and_no_other(run, client):
    event, stage, director = run(4)
    row = open_pairings(stage)[0]
    report_result(pairing=row, decision=DirectedResult("white", (3, 1)), user=director)
    waiting = Result.objects.filter(match__board__pairing=row)
    waiting.update(final_at=None, revision=2)
    page = client.get(at(event, "desk"))
    assert '<input type="hidden" name="revision" value="2">' in page.text
    accept = reverse("scoring:confirm", args=[waiting.get().match.ref])
    client.post(accept, {"revision": "1"})
    assert waiting.get().final_at is None
    client.post(accept, {"revision": "2"})
    assert waiting.get().final_at is not None


def test_every_form_of_the_desk_does_its_thing(run, client):
    event, stage, _director = run(8, tables=0)
    first, second, *_rest = open_pairings(stage)
    client.post(at(event, "make_tables"), {"last": "3"})
    assert EventTable.objects.filter(event=event).count() == 3
    client.post(at(event, "change_table", event.ref, 3), {"closed": "True"})
    assert EventTable.objects.get(event=event, number=3).closed
    client.post(at(event, "pairing_action", first.ref), {"action": "call", "table": "2", "seen": "0"})
    client.post(at(event, "pairing_action", second.ref), {"action": "feature"})
    said = client.post(at(event, "call_all"), follow=True)
    assert "1 match called" in said.content.decode()
    first.refresh_from_db()
    client.post(at(event, "pairing_action", first.ref), {"action": "start", "seen": str(first.desk_seq)})
    first.refresh_from_db()
    assert (first.table, first.started_at is not None) == (2, True)
    said = client.post(at(event, "penalty", first.ref), {"to": "black", "points": "1"}, follow=True)
    penalty = DeskEvent.objects.get(event=event, kind="penalty")
    way_back = at(event, "undo", event.ref, penalty.seq)
    *_seen, toast = said.text.split('<div class="toast"')
    assert f'action="{way_back}"' in toast.partition("</div>")[0]
    assert 'name="csrfmiddlewaretoken"' in toast.partition("</div>")[0]
    said = client.post(way_back, follow=True)
    assert '<div class="toast"' not in said.text
    assert DeskEvent.objects.filter(event=event, undoes=penalty.seq).exists()
    client.post(at(event, "disqualify", other_side(first).ref))
    first.refresh_from_db()
    assert (first.state, first.ended) == ("decided", "disqualified")


def test_a_mistyped_form_is_answered_in_words(run, client):
    event, stage, _director = run(2)
    (row,) = open_pairings(stage)
    for name, args, body in (
        ("make_tables", [event.ref], {"last": "0"}),
        ("pairing_action", [row.ref], {"action": "dance"}),
        ("penalty", [row.ref], {"to": "white", "points": "99"}),
    ):
        answer = client.post(at(event, name, *args), body, follow=True)
        assert "message error" in answer.content.decode(), name
    answer = client.post(at(event, "pairing_action", row.ref), {"action": "call", "seen": "99"}, follow=True)
    assert "Someone else changed this match" in answer.content.decode()


def test_the_log_merges_the_desk_and_the_draw_and_is_searched(run, client):
    event, stage, director = run(4)
    first, _second = open_pairings(stage)
    call(pairing=first, user=director)
    report_result(pairing=first, decision=DirectedResult("white", (3, 1)), user=director)
    rule_on(
        event=event,
        user=director,
        happened="The dice were cocked.",
        decision="Roll again.",
        rule="WBF 3.5",
        pairing=first,
    )
    content = client.get(at(event, "log")).content.decode()
    names = f"{first.a.title} – {other_side(first).title}"
    assert f"{names} · table 1" in content
    assert f"{names} · 3–1" in content
    assert "beats" not in content.partition("<main")[2]
    assert "pairings published" in content
    assert "§ WBF 3.5" in content
    assert director.player.name in content
    found = client.get(at(event, "log"), {"q": "cocked"}).context["lines"]
    assert [line.kind for line in found] == ["ruling"]
    named = client.get(at(event, "log"), {"q": first.a.title.lower()}).context["lines"]
    assert {line.pairing for line in named} == {first.ref, ""}
    assert {"called", "result", "ruling"} <= {line.kind for line in named}
    desk = client.get(at(event, "desk"))
    assert {line.kind for line in desk.context["latest_results"]} == {"result"}
    assert "result" not in {line.kind for line in desk.context["latest"]}
    assert [line.kind for line in client.get(at(event, "log"), {"kind": "called"}).context["lines"]] == [
        "called"
    ]


def test_a_result_of_the_desk_is_told_once_and_one_of_the_players_beside_it(run):
    event, stage, director = run(4)
    first, second = open_pairings(stage)
    report_result(pairing=first, decision=DirectedResult("white", (3, 1)), user=director)
    win(first, director, a=False, reason="The slip was read wrongly.")
    match = Match.objects.get(board__pairing=second)
    overrule(match=match, decision=DirectedResult("white", (3, 0)), user=director, reason="")
    told = [line for line in event_log(event, size=1000) if line.kind == "result" or "beats" in line.words]
    assert [line.kind for line in told] == ["", "result", "result"]


def test_no_entry_falls_between_two_pages_of_the_log(run):
    event, stage, director = run(4)
    for pairing in open_pairings(stage):
        call(pairing=pairing, user=director)
        report_result(pairing=pairing, decision=DirectedResult("white", (3, 1)), user=director)
    walked, before = [], None
    while page := event_log(event, before=before, size=2):
        walked += page
        before = page[-1].at
    assert walked == event_log(event, size=1000)
    assert len(walked) > 6


def test_a_ruling_cites_a_clause_of_the_profile_as_it_was_then(run, client):
    event, _stage, director = run(4)
    page = at(event, "new_ruling")
    offered = client.get(page).content.decode()
    assert '<option value="die_on_checker">Die on a checker</option>' in offered
    assert reverse("scoring:profiles", args=[event.club.slug]) in offered
    form = {"happened": "It lay on a checker.", "decision": "It counts."}
    assert client.post(page, form | {"clause": "holland"}).status_code == 200, "this profile has no such rule"
    client.post(page, form | {"clause": "die_on_checker", "rule": "house rule 7"})
    ruling = DeskEvent.objects.get(event=event, kind="ruling")
    assert ruling.body["clause"] == {
        "profile": "wbf",
        "title": "World Backgammon Federation",
        "rule": "die_on_checker",
        "value": {"die_on_checker": "valid"},
    }
    # A ruling of before, without a clause, stays readable beside it.
    rule_on(event=event, user=director, happened="Noise.", decision="Silence.", rule="WBF 1.2")
    # What becomes of the profile later does not change what the ruling cites.
    event.profile = event.profile | {"options": event.profile["options"] | {"die_on_checker": "cocked"}}
    event.save()
    told = "World Backgammon Federation: A die that lies flat on a checker is valid."
    assert told in client.get(at(event, "ruling", event.ref, ruling.seq)).content.decode()
    log = client.get(at(event, "log")).content.decode()
    assert told in log
    assert "§ WBF 1.2" in log

    def found(**asked):
        return [line.seq for line in client.get(at(event, "log"), asked).context["lines"]]

    assert found(clause="die_on_checker") == [ruling.seq]
    assert found(clause="clock") == []
    assert found(q="LIES FLAT") == [ruling.seq]
    assert found(q="house rule") == [ruling.seq]
    assert found(q="silence", clause="die_on_checker") == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_cited_clause_is_readable_from_the_ruling(name):
    profile = replace(BUILT_IN[name], options=replace(BUILT_IN[name].options, max_cube=8, holland=True))
    for clause, words in clauses(profile).items():
        kept = cited(profile, clause)
        assert kept is not None
        assert cited_words(json.loads(json.dumps(kept))) == f"{profile.title}: {words}"
    for clause in CLAUSES.keys() - clauses(profile).keys():
        assert cited(profile, clause) is None
    without = replace(profile, options=replace(profile.options, cube=False))
    assert cited_words(cited(without, "cube") or {}) == f"{profile.title}: No doubling cube."
    unknown = {"profile": "wbf", "title": "WBF", "rule": "baffle_box", "value": {"baffle_box": True}}
    assert cited_words(unknown) == "WBF: baffle_box"


def test_the_log_costs_the_same_number_of_queries_for_any_length(run, client):
    counts = set()
    for entries in (1, 3):
        event, _stage, director = run(8)
        for number in range(entries):
            rule_on(event=event, user=director, happened=f"Something {number}.", decision="Nothing.")
        counts.add(queries_of(client, at(event, "log")))
    assert len(counts) == 1, counts
    assert counts <= set(range(MOST_QUERIES + 1)), counts


def test_a_ruling_is_appealed_to_people_without_interest(run, client):
    event, stage, director = run(8)
    first, *others = open_pairings(stage)
    client.post(
        at(event, "new_ruling"),
        {"pairing": first.ref, "happened": "Cocked dice.", "decision": "Roll again.", "rule": "3.5"},
    )
    ruling = DeskEvent.objects.get(event=event, kind="ruling")
    page = at(event, "ruling", event.ref, ruling.seq)
    eligible = {player.pk for player in eligible_for(event, ruling)}
    playing = {entrant.members.get().player_id for entrant in (first.a, other_side(first))}
    assert not eligible & playing
    assert director.player.pk not in eligible
    meets_next = [
        row
        for row in others
        if not {row.a.members.get().player_id, other_side(row).members.get().player_id} & eligible
    ]
    assert len(meets_next) == 1, "the winner's next opponents may not sit either"
    chosen = [row.a.members.get().player.ref for row in others if row not in meets_next]
    assert client.post(page, seats(chosen[:2])).status_code == 200
    assert not DeskEvent.objects.filter(event=event, kind="appeal").exists()
    chosen.append(next(other_side(row).members.get().player.ref for row in others if row not in meets_next))
    assert client.post(page, seats(chosen) | {"reason": "It had settled."}).status_code == 302
    assert client.post(page, {"upheld": "no", "decision": "The roll stands."}).status_code == 302
    content = client.get(page).content.decode()
    assert "ruling overturned" in content
    assert "The roll stands." in content


def seats(committee: list[str]) -> dict[str, str]:
    return {f"member_{number}": ref for number, ref in enumerate(committee, 1)}


def test_a_director_who_was_signed_out_is_led_from_the_desk_to_signing_in_and_back(run, client):
    event, _stage, _director = run(2)
    desk = at(event, "desk")
    signing_in = f"{reverse('account_login')}?next={desk}"
    client.force_login(member(event.club, Role.MEMBER))
    assert signing_in not in client.get(desk).content.decode()
    client.logout()
    refused = client.get(desk)
    assert refused.status_code == 403
    assert f'<a class="button" href="{signing_in}">' in refused.content.decode()


def test_conduct_reports_are_read_by_directors_alone_and_are_in_no_log(run, client):
    event, stage, _director = run(4)
    player = open_pairings(stage)[0].a.members.get().player
    assert client.post(at(event, "conduct"), {"about_name": "Nobody", "text": "Left."}).status_code == 200
    client.post(at(event, "conduct"), {"about_name": player.name, "text": "Threw the dice."})
    content = client.get(at(event, "conduct")).content.decode()
    assert "Threw the dice." in content
    assert player.name in content
    for name in ("log", "desk"):
        assert "Threw the dice." not in client.get(at(event, name)).content.decode()
    assert client.get(at(event, "log"), {"q": "Threw"}).context["lines"] == []
    assert client.get(at(event, "log"), {"kind": "conduct"}).context["lines"] != []
    client.force_login(member(event.club, Role.MEMBER))
    assert client.get(at(event, "conduct")).status_code == 403


def test_a_result_is_undone_on_a_page_with_its_effects(run, client):
    event, stage, director = run(4)
    first, second = open_pairings(stage)
    for row in (first, second):
        report_result(pairing=row, decision=DirectedResult("white", (3, 0)), user=director)
    page = at(event, "reopen", first.ref)
    shown = client.get(page)
    assert "locked" not in shown.content.decode() or "decided" in shown.content.decode()
    seen = shown.context["preview"].seen
    assert client.post(page, {"reason": "typo", "seen": "1"}).status_code == 409
    client.post(page, {"reason": "typo", "seen": str(seen), "decided": "on"})
    first.refresh_from_db()
    assert first.state == "open"
    assert client.get(page).status_code == 302


def test_reports_go_with_the_person_they_are_about(run):
    event, stage, director = run(4)
    player = open_pairings(stage)[0].a.members.get().player
    entry = report_conduct(event=event, about=[player], text="Threw the dice.", user=director)
    assert entry.body == {"about": [player.ref]}


def test_the_desk_shows_every_board_of_a_tie_and_accepts_each(client):
    row, director = a_tie()
    event = row.stage.flight.event
    client.force_login(director)
    first, second, third = (board.match for board in row.boards.order_by("number"))
    report_result(pairing=row, decision=DirectedResult("black", (1, 3)), user=director, board=1)
    report_result(pairing=row, decision=DirectedResult("white", (3, 2)), user=director, board=2)
    waiting = Result.objects.filter(match=second)
    waiting.update(final_at=None)
    shown = client.get(at(event, "desk"))
    (line,) = shown.context["desk"].lines
    assert (line.state, [board.state for board in line.boards]) == ("playing", ["over", "waiting", "ready"])
    page = shown.text
    for match in (first, second, third):
        seated = Match.objects.with_players().get(pk=match.pk)
        assert f"{seated.white.name} – {seated.black.name}" in page
    assert "3–2, unconfirmed" in page
    address = at(event, "result", row.ref)
    assert f'href="{address}?board=3" data-key="r"' in page
    assert 'data-board="3"' in page
    accept = reverse("scoring:confirm", args=[second.ref])
    assert f'action="{accept}"' in page
    client.post(accept, {"revision": str(waiting.get().revision)})
    (line,) = client.get(at(event, "desk")).context["desk"].lines
    assert [board.state for board in line.boards] == ["over", "over", "ready"]


def test_the_page_of_a_board_refuses_an_outdated_result_with_a_new_preview(client):
    row, director = a_tie()
    client.force_login(director)
    address = at(row.stage.flight.event, "result", row.ref) + "?board=2"
    form = {"ended": "played", "a_points": "3", "b_points": "0"}
    shown = client.post(address, form)
    assert "Board 2" in shown.text
    preview = shown.context["preview"]
    report_result(pairing=row, decision=DirectedResult("black", (1, 3)), user=director, board=2)
    sent = form | {"commit": "", "seen": str(preview.seen), "sheet": str(preview.sheet), "reason": "so"}
    late = client.post(address, sent)
    assert (late.status_code, "has already finished 1–3" in late.text) == (409, True)
    assert late.context["preview"].sheet > preview.sheet
    back = at(row.stage.flight.event, "reopen", row.ref) + "?board=2"
    taken = client.get(back).context["preview"]
    assert client.post(back, {"reason": "typo", "seen": str(taken.seen), "sheet": "1"}).status_code == 409
    client.post(back, {"reason": "typo", "seen": str(taken.seen), "sheet": str(taken.sheet)})
    assert row.boards.get(number=2).match.status == "playing"


def test_a_desk_of_ties_costs_the_same_number_of_queries_for_any_number_of_boards(client):
    counts = set()
    for boards in (2, 5):
        row, director = a_tie(boards=boards, size=boards)
        client.force_login(director)
        report_result(pairing=row, decision=DirectedResult("black", (1, 3)), user=director, board=1)
        _played_out.cache_clear()
        counts.add(queries_of(client, at(row.stage.flight.event, "desk")))
    assert len(counts) == 1, counts


def test_penalty_points_go_to_the_named_board_and_can_be_undone(client):
    row, director = a_tie()
    event = row.stage.flight.event
    client.force_login(director)
    assert '<option value="3">' in client.get(at(event, "desk")).text
    client.post(at(event, "penalty", row.ref), {"to": "black", "points": "1", "board": "3"})
    sheets = [board.match.sheet for board in row.boards.order_by("number")]
    assert [sheet.events.filter(kind="penalty").count() for sheet in sheets] == [0, 0, 1]
    entry = DeskEvent.objects.get(event=event, kind="penalty")
    client.post(at(event, "undo", event.ref, entry.seq))
    assert [each.kind for each in sheets[2].events.order_by("seq")] == ["match_start", "penalty", "voided"]


def test_a_first_result_is_recorded_at_once_and_a_second_one_is_shown_first(client, run):
    event, stage, _director = run(4)
    row = open_pairings(stage)[0]
    page = at(event, "result", row.ref)
    form = client.get(page)
    assert ("Record result" in form.text, "Preview" in form.text) == (True, True)
    sent = {"ended": "played", "a_points": "3", "b_points": "1", "commit": "", "desk": str(row.desk_seq)}
    assert client.post(page, sent).status_code == 302
    row.refresh_from_db()
    assert (row.state, row.winner) == ("decided", row.a)
    # Another director's page from before: what stands and what it would change is shown, nothing is done.
    late = client.post(page, sent | {"a_points": "0", "b_points": "3"})
    assert (late.status_code, "What this changes" in late.text) == (409, True)
    row.refresh_from_db()
    assert row.winner == row.a
    again = client.get(page).text
    assert ("Correct result" in again, "Record result" in again) == (True, False)
    assert ("recorded: 3–1" in again, 'value="3"' in again, 'value="1"' in again) == (True, True, True)


@pytest.mark.parametrize(("ended", "asked"), [("no_show", "Who did not show up?"), ("time", "Who won?")])
def test_each_ending_asks_for_its_own(client, run, ended, asked):
    event, stage, _director = run(4)
    row = open_pairings(stage)[0]
    page = at(event, "result", row.ref) + f"?ended={ended}&from=desk"
    shown = client.get(page)
    assert asked in shown.text
    assert 'name="a_points"' not in shown.text
    assert "ended=retired&amp;from=desk" in shown.text
    first = next(iter(shown.context["form"].fields["winner"].choices))
    assert first == ("black" if ended == "no_show" else "white", row.a.title)
    answer = client.post(page, {"ended": ended, "commit": "", "desk": str(row.desk_seq)})
    assert "Choose a player." in answer.text
    client.post(page, {"ended": ended, "winner": "black", "commit": "", "desk": str(row.desk_seq)})
    row.refresh_from_db()
    assert row.winner == row.b


def test_the_effects_of_undoing_a_result_are_grouped_by_subject(client, run):
    event, stage, director = run(4)
    first, _second = rows = open_pairings(stage)
    for row in rows:
        report_result(pairing=row, decision=DirectedResult("white", (3, 0)), user=director)
    shown = client.get(at(event, "reopen", first.ref))
    preview = shown.context["preview"]
    assert [line.number for line in preview.following] == [3]
    page = " ".join(shown.text.split())
    heads = [page.index(head) for head in ('name="reason"', "This match", "Other matches", "Places")]
    assert heads == sorted(heads)
