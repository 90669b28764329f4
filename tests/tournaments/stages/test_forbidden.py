"""The list of forbidden pairs of a division: its page, its API, and what the draws make of it."""

from collections import defaultdict
from functools import partial
from itertools import combinations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.clubs.services.clubs import give_title
from clubs.models import Membership, Role, Scope, Title
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tests.clubs.api.clients import with_token
from tests.factories import member
from tests.races import at_once, in_between
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, other_side, win
from tests.tournaments.stages.test_feeding import GROUPS, planned, stage_named
from tournaments.core.proof.check import check_text
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.stage import KeptApart, Paired
from tournaments.desk.queries.event_log import event_log
from tournaments.desk.services.results import report_result
from tournaments.entries.services.entry_changes import change_entry
from tournaments.entries.services.late_entries import enter_late
from tournaments.events.services.events import OvertakenRefused, open_next_flight
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import EntrantRow, Event, EventStatus, ForbiddenKind, ForbiddenPairs, StageRow
from tournaments.stages.queries.forbidden import list_of, version_of
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.forbidden import allow, forbid
from tournaments.stages.services.labels import as_listed_when_due
from tournaments.stages.services.rounds import let_rounds_wait, next_round, pair_round
from tournaments.stages.services.stages import load
from tournaments.transfer.services.event_files import written

pytestmark = pytest.mark.django_db

NAMES, CLUB, TITLE = ForbiddenKind.NAMES, ForbiddenKind.CLUB, ForbiddenKind.TITLE


def entrants_of(event):
    rows = EntrantRow.objects.filter(flight__event=event).with_players()
    return {row.title: row for row in rows}


def refs_of(event, *names):
    known = entrants_of(event)
    return [known[name].ref for name in names]


def met(stage):
    return {frozenset((row.a.title, other_side(row).title)) for row in open_pairings(stage)}


def kept_apart(event, *names, never=True, user=None):
    return forbid(
        flight=flight_of(event), kind=NAMES, never=never, entrants=refs_of(event, *names), user=user
    )


def playing(stage, director):
    for row in open_pairings(stage):
        win(row, director)
    return StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)


def test_a_family_never_meets_in_a_swiss_and_the_file_proves_it_without_names():
    event = an_event(6, format_key="swiss")
    director = member(event.club, Role.DIRECTOR)
    line = kept_apart(event, "P1", "P2", "P4", user=director)
    stage = drawn(event)
    family = [frozenset(pair) for pair in combinations(("P1", "P2", "P4"), 2)]
    for _round in range(3):
        assert not met(stage) & set(family)
        stage = playing(stage, director)
    text = archive_text(stage)
    assert check_text(text).faults == ()
    assert line.ref in text
    assert "P1" not in text
    assert "pair_forbidden" in {entry.kind for entry in event_log(event)}
    words = next(entry.words for entry in event_log(event) if entry.kind == "pair_forbidden")
    assert words == "P1, P2, P4 · never"


def test_clubs_and_titles_are_kept_apart_where_possible_and_late_entrants_too():
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    EntrantRow.objects.filter(pk__in=[entrants_of(event)[n].pk for n in ("P1", "P2")]).update(
        from_club=" North  End"
    )
    players = [row.players[0].pk for name, row in entrants_of(event).items() if name in {"P1", "P3"}]
    Membership.objects.filter(club=event.club, player__in=players).update(title=Title.M3, title_at=now())
    for kind in (CLUB, TITLE, CLUB):
        forbid(flight=flight_of(event), kind=kind, never=kind == TITLE, user=director)
    assert ForbiddenPairs.objects.count() == 2
    stage = drawn(event)
    assert met(stage) == {frozenset(("P1", "P4")), frozenset(("P2", "P3"))}
    labels = {each.ref: (len(each.never), len(each.avoid)) for each in load(stage).field}
    known = entrants_of(event)
    assert {name: labels[known[name].ref] for name in known} == {
        "P1": (1, 1),
        "P2": (0, 1),
        "P3": (1, 0),
        "P4": (0, 0),
    }
    zoe = a_player(event.club, "Zoe")
    Membership.objects.filter(club=event.club, player=zoe).update(title=Title.M3, title_at=now())
    late = enter_late(stage=stage, players=[zoe], user=director)
    held = {each.ref: each.never for each in load(StageRow.objects.get(pk=stage.pk)).field}
    assert held[late.ref] == held[known["P1"].ref] != frozenset()


def kept_apart_now(stage):
    """Who is kept apart in the draw as it is, by label."""
    found = defaultdict(set)
    for each in load(stage).field:
        for label in each.never | each.avoid:
            found[label].add(each.ref)
    return [refs for refs in found.values() if len(refs) > 1]


def proposed(stage):
    """Who would meet in the next round, as the page shows it."""
    coming = next_round(stage, as_listed_when_due(stage, load(stage)))
    return {frozenset(each.title for each in (pair.a, pair.b) if each) for pair in coming.due}


def titled(event, *names):
    known = entrants_of(event)
    players = [known[name].players[0].pk for name in names]
    Membership.objects.filter(club=event.club, player__in=players).update(title=Title.M3, title_at=now())


def test_a_title_that_is_given_meanwhile_counts_from_the_next_round_and_is_in_the_proof():
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    forbid(flight=flight_of(event), kind=TITLE, never=True, user=director)
    stage = drawn(event)
    winners = [row.a.title for row in open_pairings(stage)]  # they would meet in round 2
    titled(event, *winners)
    assert not kept_apart_now(stage)
    stage = playing(stage, director)
    assert frozenset(winners) not in met(stage)
    assert kept_apart_now(stage) == [set(refs_of(event, *winners))]
    kinds = [type(entry) for entry in load(stage).log]
    assert kinds[-2:] == [KeptApart, Paired]
    assert check_text(archive_text(stage)).faults == ()


def test_a_round_that_waits_is_shown_and_paired_with_the_title_of_now():
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    forbid(flight=flight_of(event), kind=TITLE, never=True, user=director)
    stage = drawn(event)
    let_rounds_wait(stage=stage, wait=True, user=director)
    stage = playing(stage, director)
    pair = min(proposed(stage), key=sorted)
    titled(event, *pair)
    shown = proposed(stage)
    assert pair not in shown
    stage = pair_round(stage=stage, user=director)
    assert met(stage) == shown
    assert check_text(archive_text(stage)).faults == ()


def test_a_corrected_club_reaches_the_draw_at_once_and_a_blocked_round_is_paired():
    event = an_event(2, format_key="lives")
    director = member(event.club, Role.DIRECTOR)
    one, _other = EntrantRow.objects.filter(flight__event=event).order_by("pk")
    EntrantRow.objects.filter(flight__event=event).update(from_club="North End")
    stage = drawn(event)
    forbid(flight=flight_of(event), kind=CLUB, never=True, user=director)
    stage = playing(stage, director)
    assert not open_pairings(stage)
    change_entry(entrant=one, values={"from_club": "South End"}, user=director)
    assert met(stage) == {frozenset(("P1", "P2"))}
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()


def test_a_round_blocked_by_a_wrong_title_is_paired_as_soon_as_the_title_is_corrected():
    event = an_event(2, format_key="lives")
    director = member(event.club, Role.DIRECTOR)
    titled(event, "P1", "P2")
    stage = drawn(event)
    forbid(flight=flight_of(event), kind=TITLE, never=True, user=director)
    stage = playing(stage, director)
    assert not open_pairings(stage)
    wrong = entrants_of(event)["P1"].players[0]
    before = Event.objects.get(pk=event.pk).version
    give_title(club=event.club, player_ref=wrong.ref, title=None, user=director)
    assert met(stage) == {frozenset(("P1", "P2"))}
    assert Event.objects.get(pk=event.pk).version > before
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()


@pytest.mark.parametrize(
    "gone", [{"status": EventStatus.CANCELLED}, {"moved_at": now(), "moved_to": "a laptop"}]
)
def test_a_title_changes_no_draw_of_an_event_that_is_over_or_elsewhere(gone):
    event = an_event(2, format_key="lives")
    director = member(event.club, Role.DIRECTOR)
    titled(event, "P1", "P2")
    stage = drawn(event)
    forbid(flight=flight_of(event), kind=TITLE, never=True, user=director)
    playing(stage, director)
    Event.objects.filter(pk=event.pk).update(**gone)
    wrong = entrants_of(event)["P1"].players[0]
    given = give_title(club=event.club, player_ref=wrong.ref, title=Title.G1, user=director)
    assert given.title == Title.G1
    assert not open_pairings(stage)


def test_titles_that_an_event_was_drawn_with_stay_where_it_has_been_moved():
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    titled(event, "P1", "P2")
    line = forbid(flight=flight_of(event), kind=TITLE, never=True, user=director)
    stage = drawn(event)
    note(event=event, kind="moved_in", user=director)
    Membership.objects.filter(club=event.club).update(title=None, title_at=None)
    stage = playing(stage, director)
    assert kept_apart_now(stage) == [set(refs_of(event, "P1", "P2"))]
    forbid(flight=flight_of(event), kind=TITLE, never=False, user=director)
    assert {len(each.avoid) - len(each.never) for each in load(stage).field} == {0, 1}
    allow(flight=flight_of(event), line=line.ref, user=director)
    assert not kept_apart_now(stage)


def test_a_copy_has_the_rules_and_says_which_names_it_does_not_have(client):
    event = an_event(3, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    forbid(flight=flight_of(event), kind=TITLE, never=True, user=director)
    forbid(flight=flight_of(event), kind=CLUB, never=False, user=director)
    kept_apart(event, "P1", "P2", user=director)
    client.force_login(director)
    answer = client.post(reverse("tournaments:copy", args=[event.ref]), follow=True)
    made = Event.objects.exclude(pk=event.pk).get()
    lines = ForbiddenPairs.objects.filter(flight__event=made).order_by("pk")
    assert [(line.kind, line.never) for line in lines] == [(TITLE, True), (CLUB, False)]
    assert "Forbidden pairs of named entrants are not copied: P1, P2." in answer.content.decode()
    full = open_next_flight(flight_of(event))
    assert {line.kind for line in full.forbidden.all()} == {TITLE, CLUB}


def test_a_round_that_cannot_be_paired_waits_for_the_list_and_not_for_a_result(client):
    event = an_event(2, format_key="lives")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    line = kept_apart(event, "P1", "P2", user=director)
    stage = playing(stage, director)  # the result is taken though no round can follow
    assert not open_pairings(stage)
    client.force_login(director)
    desk = client.get(reverse("tournaments:desk", args=[event.ref])).content.decode()
    assert "Change forbidden pairs: Main" in desk
    page = client.get(reverse("tournaments:round", args=[stage.ref])).content.decode()
    assert "This round cannot be paired without a forbidden pair." in page
    token = with_token(director, Scope.READ, Scope.DIRECT)
    address = reverse("api:stage_round", args=[stage.ref])
    assert token.get(address).json()["blocked"]
    assert token.post(address, {}, format="json").json()["code"] == "forbidden_pair"
    let_rounds_wait(stage=stage, wait=True, user=director)
    assert next_round(stage, load(stage)).blocked
    with pytest.raises(
        DrawRefused, match=r"P\d and P\d would meet in round 2, and they are a forbidden pair"
    ):
        pair_round(stage=stage, user=director)
    let_rounds_wait(stage=stage, wait=False, user=director)
    allow(flight=stage.flight, line=line.ref, user=director)
    assert met(stage) == {frozenset(("P1", "P2"))}
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()


def test_a_refused_draw_links_to_the_list_of_forbidden_pairs_wherever_it_is_shown(client):
    event = an_event(2, format_key="lives")
    director, flight = member(event.club, Role.DIRECTOR), flight_of(event)
    kept_apart(event, "P1", "P2", user=director)
    stage = flight.stages.get()
    client.force_login(director)
    for sender in ("desk", ""):
        address = reverse("tournaments:desk", args=[event.ref]) if sender else ""
        page = client.post(reverse("tournaments:draw_one", args=[stage.ref]), {"next": address})
        listed = reverse("tournaments:forbidden", args=[flight.ref])
        assert page.status_code == 409
        assert f'<a href="{listed}">Change forbidden pairs</a>' in page.content.decode()
    token = with_token(director, Scope.READ, Scope.DIRECT)
    refused = token.post(reverse("api:stage_draw", args=[stage.ref]), {}, format="json").json()
    assert refused["remedy"] == {
        "title": "Change forbidden pairs",
        "url": reverse("api:forbidden_pairs", args=[flight.ref]),
    }


def test_a_draw_of_too_few_links_to_the_entries(client):
    event = an_event(1)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:draw_one", args=[flight_of(event).stages.get().ref])
    page = client.post(address, {"next": reverse("tournaments:desk", args=[event.ref])})
    entries = reverse("tournaments:entries", args=[event.ref])
    assert f'<a href="{entries}">Enter players</a>' in page.content.decode()


def test_a_redraw_follows_the_list_and_the_undone_draw_stays_provable():
    event = an_event(4, format_key="swiss")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    pair = sorted(min(met(stage), key=sorted))
    kept_apart(event, *pair, user=director)
    stage = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    undo_draw(stage=stage, user=director, reason="brothers")
    stage = draw_stage(stage=StageRow.objects.get(pk=stage.pk), user=director)
    assert frozenset(pair) not in met(stage)
    assert check_text(archive_text(stage)).faults == ()
    assert check_text(archive_text(stage, superseded=1)).faults == ()
    assert '"forbiddenpairs"' in written(event)


def test_groups_part_a_pair_and_refuse_one_that_must_meet():
    flight, director = planned(GROUPS, 8)
    known = {row.title: row.ref for row in EntrantRow.objects.filter(flight=flight).with_players()}
    everyone = list(known.values())
    line = forbid(flight=flight, kind=NAMES, never=True, entrants=everyone, user=director)
    with pytest.raises(DrawRefused, match=r"^Group A cannot be paired: P\d and P\d would meet"):
        draw_stage(stage=stage_named(flight, "Group A"), user=director)
    allow(flight=flight, line=line.ref, user=director)
    for first, second in (("P1", "P4"), ("P2", "P3"), ("P5", "P8")):
        forbid(flight=flight, kind=NAMES, never=True, entrants=[known[first], known[second]], user=director)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    groups = [{each.ref for each in load(stage_named(flight, f"Group {name}")).field} for name in "AB"]
    assert not any({known["P1"], known["P4"]} <= group for group in groups)
    assert not any({known["P2"], known["P3"]} <= group for group in groups)


def test_brothers_in_a_knockout_meet_in_the_final_only():
    event = an_event(8)
    director = member(event.club, Role.DIRECTOR)
    kept_apart(event, "P1", "P8", never=False, user=director)
    stage = drawn(event)
    value, numbers = load(stage), {each.ref: n for n, each in enumerate(load(stage).field, 1)}
    halves = [value.order.index(numbers[ref]) // 4 for ref in refs_of(event, "P1", "P8")]
    assert sorted(halves) == [0, 1]
    text = archive_text(stage)
    assert '"forbidden": "parts"' in text
    assert check_text(text).findings == ()
    undo_draw(stage=stage, user=director, reason="again")
    again = draw_stage(stage=StageRow.objects.get(pk=stage.pk), user=director)
    assert check_text(archive_text(again)).findings == ()


def test_the_list_refuses_what_it_cannot_hold_and_repeats_change_nothing():
    event, other = an_event(3), an_event(2)
    refs = refs_of(event, "P1", "P2")

    def code(act):
        with pytest.raises((DeskRefused, OvertakenRefused)) as refused:
            act()
        return getattr(refused.value, "code", None)

    assert code(lambda: kept_apart(event, "P1")) == "entrants"
    strangers = [refs[0], refs_of(other, "P1")[0]]
    flight = flight_of(event)
    assert code(lambda: forbid(flight=flight, kind=NAMES, never=True, entrants=strangers, user=None)) == (
        "no_entrant"
    )
    one = kept_apart(event, "P1", "P2")
    assert kept_apart(event, "P2", "P1") == one
    assert not kept_apart(event, "P1", "P2", never=False).never
    assert ForbiddenPairs.objects.count() == 1
    allow(flight=flight, line=one.ref, user=None)
    with pytest.raises(OvertakenRefused):
        allow(flight=flight, line=one.ref, user=None)


def version(event):
    return version_of(list_of(flight_of(event)))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_make_a_line_stricter_and_softer_at_once_one_is_told():
    event = an_event(4, format_key="swiss")
    flight, shown = flight_of(event), version(event)
    answers = at_once(
        *(
            partial(forbid, flight=flight, kind=CLUB, never=strict, user=None, seen=shown)
            for strict in (False, True)
        )
    )
    assert sorted(type(each).__name__ for each in answers) == ["ForbiddenPairs", "OvertakenRefused"]
    (line,) = ForbiddenPairs.objects.all()
    shown = version(event)
    done, refused = in_between(
        partial(forbid, flight=flight, kind=CLUB, never=not line.never, user=None, seen=shown),
        partial(allow, flight=flight, line=line.ref, user=None, seen=shown),
    )
    assert (done, type(refused)) == (line, OvertakenRefused)
    assert done.never != line.never
    same = partial(forbid, flight=flight, kind=CLUB, never=done.never, user=None, seen="stale")
    assert at_once(same, same) == [done, done]  # two clicks change nothing


@pytest.mark.django_db(transaction=True)
def test_two_changes_of_the_list_and_the_last_result_of_a_round_at_once_are_all_in_the_draw():
    event = an_event(8, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    *others, last = open_pairings(stage)
    for row in others:
        win(row, director)
    flight, families = flight_of(event), [refs_of(event, "P1", "P2"), refs_of(event, "P3", "P4", "P5")]
    add = [
        partial(forbid, flight=flight, kind=NAMES, never=True, entrants=family, user=director)
        for family in families
    ]
    result = DirectedResult("white", (last.length, 0), Ending.PLAYED)
    answers = at_once(*add, partial(report_result, pairing=last, decision=result, user=director))
    assert not [each for each in answers if isinstance(each, Exception)]
    stage = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    assert sorted(map(sorted, kept_apart_now(stage))) == sorted(map(sorted, families))
    assert len(open_pairings(stage)) == 4
    assert check_text(archive_text(stage)).faults == ()


def test_a_page_that_is_out_of_date_says_so_and_keeps_what_was_ticked(client):
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    page = reverse("tournaments:forbidden", args=[flight_of(event).ref])
    shown = version(event)
    assert f'name="seen" value="{shown}"' in client.get(page).text
    kept_apart(event, "P1", "P2")
    form = {"add": "names", "entrants": refs_of(event, "P3", "P4"), "strict": "never"}
    stale = client.post(page, form | {"seen": shown})
    assert stale.status_code == 409
    assert "Someone else changed this" in stale.text
    assert stale.text.count("checked") == 4  # two names, and how strictly in each form
    assert f'name="seen" value="{version(event)}"' in stale.text
    assert client.post(page, form | {"seen": version(event)}).status_code == 302
    token = with_token(director, Scope.READ, Scope.DIRECT)
    address = reverse("api:forbidden_pairs", args=[flight_of(event).ref])
    told = token.get(address).json()["version"]
    assert told == version(event)
    assert token.post(address, {"kind": "club", "seen": shown}, format="json").json()["code"] == "overtaken"
    assert token.post(address, {"kind": "club", "seen": told}, format="json").status_code == 200


def test_the_page_and_the_api_change_the_same_list(client):
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    page = reverse("tournaments:forbidden", args=[flight_of(event).ref])
    address = reverse("api:forbidden_pairs", args=[flight_of(event).ref])
    assert page in client.get(reverse("tournaments:desk", args=[event.ref])).content.decode()
    assert "The list is empty." in client.get(page).content.decode()
    first = refs_of(event, "P1", "P2")
    assert client.post(page, {"add": "names", "entrants": first, "strict": "never"}).status_code == 302
    assert client.post(page, {"add": "rule", "rule": "club", "strict": "avoid"}).status_code == 302
    text = client.get(page).content.decode()
    assert "P1, P2" in text
    assert "Same club" in text
    token = with_token(director, Scope.READ, Scope.DIRECT)
    lines = token.get(address).json()["lines"]
    assert [(each["kind"], each["never"]) for each in lines] == [("names", True), ("club", False)]
    assert lines[0]["entrants"] == first
    sent = {"entrants": refs_of(event, "P2", "P3", "P4"), "never": True}
    assert len(token.post(address, sent, format="json").json()["lines"]) == 3
    wrong = token.post(address, {"entrants": first[:1]}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "entrants")
    mixed = token.post(address, {"kind": "club", "entrants": first}, format="json")
    assert (mixed.status_code, mixed.json()["errors"][0]["code"]) == (400, "rule_with_entrants")
    assert [each["kind"] for each in token.get(address).json()["lines"]] == ["names", "club", "names"]
    assert client.post(page, {"add": "names", "strict": "never"}).status_code == 200
    assert client.post(page, {"remove": lines[0]["ref"]}).status_code == 302
    again = client.post(page, {"remove": lines[0]["ref"]})
    assert (again.status_code, "Someone else changed this" in again.content.decode()) == (409, True)
    line = reverse("api:forbidden_line", args=[flight_of(event).ref, lines[1]["ref"]])
    stale = token.delete(f"{line}?seen=stale")
    assert (stale.status_code, stale.json()["code"]) == (409, "overtaken")
    told = token.get(address).json()["version"]
    assert len(token.delete(f"{line}?seen={told}").json()["lines"]) == 1
    player = member(event.club, Role.MEMBER)
    client.force_login(player)
    assert client.get(page).status_code == 403
