"""Rounds that wait for the director: paired on the director's word, never over an open match."""

import pytest
from django.urls import reverse

from clubs.models import Role
from scoring.codec import to_plain
from scoring.log.services.chains import chain_damage
from scoring.rules.events import ScoreRecorded
from tests.factories import member
from tests.tournaments.desk.test_hostile import report
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tests.tournaments.stages.test_feeding import GROUPS, planned, play, stage_named
from tournaments.core.formats.table import FORMATS
from tournaments.core.proof.check import check_text
from tournaments.core.stages.errors import DrawRefused
from tournaments.events.services.events import copy_event
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import DeskEvent, Event, EventStatus, PairingRow, StageRow
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.cancellations import cancel_event
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import confirm_field
from tournaments.stages.services.rounds import RematchRefused, let_rounds_wait, next_round, pair_round
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def a_swiss(players=4):
    """A drawn Swiss of three rounds that wait, its director, and the matches of the first round."""
    event = an_event(players, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    let_rounds_wait(stage=stage, wait=True, user=director)
    return stage, director, open_pairings(stage)


def now_of(stage):
    return StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)


def waiting_for(stage):
    return next_round(now_of(stage), load(now_of(stage)))


def rounds(stage):
    return max(PairingRow.objects.filter(stage=stage).values_list("round", flat=True))


def test_a_round_waits_until_the_director_publishes_it():
    stage, director, first = a_swiss()
    win(first[0], director)
    with pytest.raises(
        DeskRefused, match=r"Round 2 is waiting for the result of match 2 \(P\d – P\d\)"
    ) as said:
        pair_round(stage=stage, user=director)
    assert said.value.code == "round_open"
    win(first[1], director)
    assert (rounds(stage), len(waiting_for(stage).due)) == (1, 2)
    proposed = {frozenset({each.a.pk, each.b.pk}) for each in waiting_for(stage).due}
    pair_round(stage=stage, user=director)
    assert {frozenset({row.a_id, row.b_id}) for row in open_pairings(stage)} == proposed
    with pytest.raises(DeskRefused, match="Round 3 is waiting for"):
        pair_round(stage=stage, user=director)
    assert chain_damage(now_of(stage)) is None


def test_a_round_on_unconfirmed_results_is_paired_with_open_eyes():
    stage, director, first = a_swiss()
    report(first[0], ScoreRecorded(3, 0))
    win(first[1], director)
    assert [each.number for each in waiting_for(stage).unconfirmed] == [1]
    with pytest.raises(DeskRefused, match=r"The result of match 1 \(P\d – P\d\) is not confirmed") as said:
        pair_round(stage=stage, user=director)
    assert said.value.code == "unconfirmed"
    pair_round(stage=stage, user=director, unconfirmed=True)
    assert rounds(stage) == 2
    entry = DeskEvent.objects.get(kind="round_paired")
    assert (entry.user, entry.body["unconfirmed"], entry.body["by_hand"]) == (director, [1], False)


def test_a_round_is_paired_by_hand_and_proved():
    stage, director, first = a_swiss()
    for row in first:
        win(row, director)
    rematch = [(other_side(row).ref, row.a.ref) for row in first]
    with pytest.raises(
        RematchRefused, match=r"already played each other: P\d – P\d, P\d – P\d\. Allow"
    ) as said:
        pair_round(stage=stage, user=director, pairs=rematch)
    assert (said.value.code, said.value.parameters) == ("rematch", {"rematches": [list(p) for p in rematch]})
    assert rounds(stage) == 1
    pair_round(stage=stage, user=director, pairs=rematch, rematches=True)
    entry = DeskEvent.objects.get(kind="round_paired")
    assert entry.body["rematches"] == [list(pair) for pair in rematch]
    assert [(row.a.ref, other_side(row).ref) for row in open_pairings(stage)] == rematch
    assert check_text(archive_text(now_of(stage))).accepted


def test_new_meetings_by_hand_need_no_word():
    stage, director, first = a_swiss()
    for row in first:
        win(row, director)
    crossed = [(first[0].a.ref, other_side(first[1]).ref), (other_side(first[0]).ref, first[1].a.ref)]
    pair_round(stage=stage, user=director, pairs=crossed)
    assert DeskEvent.objects.get(kind="round_paired").body["rematches"] == []


@pytest.mark.long
def test_who_met_on_the_way_to_a_draw_meets_again_only_on_purpose():
    flight, director = planned(GROUPS, 8)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    for name in "AB":
        play(stage_named(flight, f"Group {name}"), director)
    cup = stage_named(flight, "Cup")
    swiss = to_plain(FORMATS["swiss"].options(rounds=2))
    StageRow.objects.filter(pk=cup.pk).update(format="swiss", options=swiss, rounds_wait=True)
    stage = draw_stage(stage=confirm_field(user=None, stage=stage_named(flight, "Cup")), user=director)
    for row in open_pairings(stage):
        win(row, director)
    field = {each.ref: each for each in load(now_of(stage)).field}
    here = {frozenset({row.a.ref, other_side(row).ref}) for row in PairingRow.objects.filter(stage=stage)}
    one, two = next((a, b) for a in field for b in field[a].met & field.keys() if {a, b} not in here)
    rest = [ref for ref in field if ref not in {one, two}]
    with pytest.raises(RematchRefused) as said:
        pair_round(stage=stage, user=director, pairs=[(one, two), (rest[0], rest[1])])
    assert [one, two] in said.value.parameters["rematches"]


def test_pairings_by_hand_hold_everybody_once():
    stage, director, first = a_swiss(5)
    for row in first:
        win(row, director)
    coming = waiting_for(stage)
    one, two, three, four, five = (each.ref for each in coming.present)
    for pairs, words in (
        ([(one, two), (three, four)], "would not play"),
        ([(one, two), (three, "nobody")], "There is no entrant nobody"),
    ):
        with pytest.raises(DeskRefused, match=words):
            pair_round(stage=stage, user=director, pairs=pairs)
    for pairs in ([(one, two), (three, two), (four, five)], [(one, one), (two, three), (four, five)]):
        with pytest.raises(DrawRefused):
            pair_round(stage=stage, user=director, pairs=pairs)
    with pytest.raises(StaleRefused):
        pair_round(stage=stage, user=director, seen=1)
    assert rounds(stage) == 1
    whole = [(one, two), (three, four), (five, "")]
    pair_round(stage=stage, user=director, pairs=whole, rematches=True)
    assert PairingRow.objects.get(stage=stage, round=2, b=None).a.ref == five


def test_rounds_that_no_longer_wait_are_published_at_once_and_end_as_ever():
    stage, director, first = a_swiss()
    with pytest.raises(DeskRefused, match="Round 2 is waiting"):
        pair_round(stage=stage, user=director)
    for row in first:
        win(row, director)
    let_rounds_wait(stage=stage, wait=False, user=director)
    assert rounds(stage) == 2
    with pytest.raises(DeskRefused, match="paired automatically"):
        pair_round(stage=stage, user=director)
    let_rounds_wait(stage=stage, wait=True, user=director)
    for _round in range(2):
        for row in open_pairings(stage):
            win(row, director)
        if rounds(stage) < 3:
            pair_round(stage=stage, user=director)
    assert Event.objects.get().status == EventStatus.FINISHED
    with pytest.raises(DeskRefused, match="there is no round to pair"):
        pair_round(stage=stage, user=director)


def test_a_bracket_has_no_rounds_to_pair():
    stage = drawn(an_event(4))
    with pytest.raises(DeskRefused, match="not paired round by round"):
        let_rounds_wait(stage=stage, wait=True, user=None)


def test_the_page_names_what_is_open_and_publishes_by_hand(client):
    stage, director, first = a_swiss()
    client.force_login(director)
    address = reverse("tournaments:round", args=[stage.ref])
    page = client.get(address).content.decode()
    assert "Matches in progress" in page
    assert f'href="{reverse("tournaments:result", args=[open_pairings(stage)[0].ref])}"' in page
    refused = client.post(address, {"pair": "due"})
    assert (refused.status_code, "is waiting for the result of match 1" in refused.content.decode()) == (
        409,
        True,
    )
    report(first[0], ScoreRecorded(3, 0))
    win(first[1], director)
    page = client.get(address).content.decode()
    assert "Awaiting confirmation" in page
    assert (
        reverse("tournaments:round", args=[stage.ref])
        in client.get(stage.get_absolute_url()).content.decode()
    )
    desk = client.get(reverse("tournaments:desk", args=[stage.flight.event.ref])).content.decode()
    assert "Next round: Main" in desk
    pairs = {
        "a": [row.a.ref for row in first],
        "b": [other_side(row).ref for row in first],
        "pair": "by hand",
    }
    assert client.post(address, pairs).status_code == 409
    seen = str(now_of(stage).head_seq)
    warned = client.post(address, pairs | {"unconfirmed": "yes", "seen": seen})
    assert warned.status_code == 409
    page = warned.content.decode()
    assert "These have already played each other" in page
    assert 'name="rematches"' in page
    assert 'name="unconfirmed" value="yes" required checked' in page
    assert rounds(stage) == 1
    ticked = pairs | {"unconfirmed": "yes", "rematches": "yes", "seen": seen}
    assert client.post(address, ticked).status_code == 302
    assert rounds(stage) == 2
    log = client.get(reverse("tournaments:log", args=[stage.flight.event.ref])).content.decode()
    assert "by hand" in log
    assert "unconfirmed results: match 1" in log
    assert "2 rematches" in log
    client.post(address, {"wait": "no"})
    assert now_of(stage).rounds_wait is False


def test_who_publishes_a_round_is_led_back_to_where_he_came_from(client):
    stage, director, first = a_swiss()
    client.force_login(director)
    desk = reverse("tournaments:desk", args=[stage.flight.event.ref])
    address = reverse("tournaments:round", args=[stage.ref])
    assert f'href="{address}?from=desk"' in client.get(desk).content.decode()
    for row in first:
        win(row, director)
    # Refused or not published, the page still knows where he came from.
    toggled = client.post(f"{address}?from=desk", {"wait": "yes", "seen": str(now_of(stage).head_seq)})
    assert (toggled.status_code, toggled.url) == (302, f"{address}?from=desk")
    refused = client.post(f"{address}?from=desk", {"pair": "due", "seen": "0"})
    assert (refused.status_code, f'<a href="{desk}">' in refused.content.decode()) == (409, True)
    seen = str(now_of(stage).head_seq)
    assert client.post(f"{address}?from=desk", {"pair": "due", "seen": seen}).url == desk
    assert rounds(stage) == 2
    for row in open_pairings(stage):
        win(row, director)
    seen = str(now_of(stage).head_seq)
    assert client.post(address, {"pair": "due", "seen": seen}).url == stage.get_absolute_url()


def test_the_api_pairs_a_round(client):
    stage, director, first = a_swiss()
    client.force_login(director)
    address = f"/api/v1/stages/{stage.ref}/round/"
    body = client.get(address).json()
    assert (body["manual"], body["number"], len(body["open"]), body["due"]) == (True, 2, 2, [])
    assert client.post(address, {}, "application/json").status_code == 409
    for row in first:
        win(row, director)
    again = {"pairs": [{"a": row.a.ref, "b": other_side(row).ref} for row in first]}
    warned = client.post(address, again, "application/json")
    assert (warned.status_code, warned.json()["code"]) == (409, "rematch")
    assert warned.json()["parameters"]["rematches"] == [[row.a.ref, other_side(row).ref] for row in first]
    due = client.get(address).json()["due"]
    pairs = [{"a": each["a"], "b": each["b"]} for each in due]
    after = client.post(address, {"pairs": pairs}, "application/json").json()
    assert (after["number"], len(after["open"])) == (3, 2)
    assert client.put(address, {"manual": False}, "application/json").json()["manual"] is False


def test_no_round_of_a_cancelled_event_is_published():
    stage, director, first = a_swiss()
    for row in first:
        win(row, director)
    cancel_event(event=stage.flight.event, user=director)
    with pytest.raises(DeskRefused, match="This event is cancelled"):
        let_rounds_wait(stage=stage, wait=False, user=director)
    assert rounds(stage) == 1


def test_a_bye_for_nobody_is_refused(client):
    stage, director, first = a_swiss(5)
    for row in first:
        win(row, director)
    one, two, three, four, five = (each.ref for each in waiting_for(stage).present)
    client.force_login(director)
    forged = {"a": [one, three, ""], "b": [two, four, five], "pair": "by hand"}
    answer = client.post(reverse("tournaments:round", args=[stage.ref]), forged)
    assert (answer.status_code, rounds(stage)) == (409, 1)


def test_rounds_wait_in_a_copy_of_the_event_too():
    stage, _director, _first = a_swiss()
    copy = copy_event(event=stage.flight.event)
    assert StageRow.objects.get(flight__event=copy).rounds_wait
