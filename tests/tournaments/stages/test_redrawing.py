"""A draw made again before play: another seed is sealed first, and the old one stays known."""

import json
from dataclasses import replace

import pytest
from django.urls import reverse

from clubs.models import Player, Role
from scoring.log.services.chains import chain_damage
from scoring.models import Match, MatchStatus
from scoring.rules.endings import Ending
from tests.factories import UserFactory, member
from tests.tournaments.entries.test_entries import a_flight, players
from tests.tournaments.factories import (
    a_player,
    an_event,
    drawn,
    flight_of,
    open_pairings,
    other_side,
    pairing,
    win,
)
from tests.tournaments.leagues.test_leagues import a_tie
from tests.tournaments.stages.test_feeding import (
    GROUPS,
    SWISS,
    in_numbers,
    number_of,
    planned,
    play,
    stage_named,
)
from tournaments.core.play.feeding import Rest, Top
from tournaments.core.proof.check import check_text
from tournaments.core.stages.stage import seed_hash
from tournaments.desk.services.calls import call, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.tables import make_tables
from tournaments.desk.services.undo import undo
from tournaments.entries.services.entries import enter, withdraw
from tournaments.entries.services.late_entries import come_back, enter_late
from tournaments.entries.services.late_entries import replace as replace_entrant
from tournaments.events.services.events import OvertakenRefused, plan_of
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import (
    DeskEvent,
    EarlierEntrant,
    EntrantRow,
    EventStatus,
    PairingRow,
    PairingState,
    StageRow,
    StageStatus,
)
from tournaments.stages.queries.rolls import rolls_of
from tournaments.stages.services.archives import archive_text, event_archive_text
from tournaments.stages.services.draws import draw_stage, present_in, undo_draw
from tournaments.stages.services.feeds import confirm_field, fed_field
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def an_event_drawn_twice(players=4):
    event = an_event(players)
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    old = list(Match.objects.order_by("pk"))
    stage = undo_draw(stage=stage, user=director, reason="Late was forgotten", seen=stage.head_seq)
    return event, stage, director, old


def test_a_draw_is_taken_back_and_made_again_from_another_sealed_seed():
    event, stage, director, old = an_event_drawn_twice()
    event.refresh_from_db()
    assert (stage.status, stage.drawn_at, event.status) == (StageStatus.PLANNED, None, EventStatus.ANNOUNCED)
    assert (stage.superseded[0]["seed"], stage.seed == "a seed") == ("a seed", False)
    assert stage.seed_hash == seed_hash(stage.seed)
    assert {match.status for match in Match.objects.filter(pk__in=[m.pk for m in old])} == {MatchStatus.VOID}
    assert set(PairingRow.objects.values_list("state", flat=True)) == {PairingState.REPLACED}
    # Entries are open again: whoever was forgotten is in the next draw.
    enter(flight=flight_of(event), players=[a_player(event.club, "Late")])
    again = draw_stage(stage=StageRow.objects.get(), user=director)
    assert again.seed == stage.seed
    assert len(load(again).field) == 5
    assert chain_damage(again) is None
    while rows := open_pairings(again):
        for row in rows:
            win(row, director)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED


def test_both_draws_are_proved_by_anybody():
    _event, stage, director, _old = an_event_drawn_twice(8)
    again = draw_stage(stage=stage, user=director)
    for text in (
        archive_text(again),
        archive_text(again, superseded=1),
        event_archive_text(again.flight.event),
    ):
        assert check_text(text).accepted
    assert json.loads(archive_text(again, superseded=1))["seed"] == "a seed"
    with pytest.raises(DeskRefused, match="Draw not found"):
        archive_text(again, superseded=2)


def test_the_log_says_who_took_a_draw_back_and_why(client):
    event, stage, director, _old = an_event_drawn_twice()
    entry = DeskEvent.objects.get(kind="draw_taken_back")
    assert (entry.user, entry.body["seed"], entry.body["next"]) == (director, "a seed", stage.seed_hash)
    assert entry.note is not None
    assert entry.note.text == "Late was forgotten"
    client.force_login(director)
    page = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    assert "Draw undone" in page
    assert "Late was forgotten" in page


def test_a_draw_is_not_made_again_once_a_match_has_begun():
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    first, second = open_pairings(stage)
    sides = [f"{row.a.title} – {other_side(row).title}" for row in (first, second)]
    start(pairing=first, user=director)
    with pytest.raises(DeskRefused, match=rf"play has begun \({sides[0]}\)"):
        undo_draw(stage=stage, user=director, reason="again")
    win(second, director)
    with pytest.raises(DeskRefused, match=rf"play has begun \({sides[0]}, {sides[1]}\)"):
        undo_draw(stage=stage, user=director, reason="again")
    assert StageRow.objects.get().superseded == []


def test_a_walkover_is_no_begun_play_and_keeps_a_draw_from_being_made_again():
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    first, second = open_pairings(stage)
    sides = f"{first.a.title} – {other_side(first).title}"
    win(first, director, ended=Ending.NO_SHOW)
    with pytest.raises(DeskRefused, match=rf"it has a walkover or disqualification \({sides}\)") as refused:
        undo_draw(stage=stage, user=director, reason="again")
    assert refused.value.code == "walkover"
    win(second, director)
    with pytest.raises(DeskRefused, match="play has begun"):
        undo_draw(stage=stage, user=director, reason="again")


def test_a_draw_is_not_made_again_without_a_reason_nor_twice_nor_when_somebody_has_left():
    event = an_event(5)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    with pytest.raises(DeskRefused, match="Enter a reason"):
        undo_draw(stage=stage, user=director, reason=" ")
    with pytest.raises(StaleRefused):
        undo_draw(stage=stage, user=director, reason="again", seen=stage.head_seq + 1)
    lucky = load(stage)
    resting = next(n for n in lucky.present if not any(n in (p.a, p.b) for p in lucky.open_pairings()))
    leave(entrant=stage.numbers.get(number=resting).entrant, user=director)
    with pytest.raises(DeskRefused, match="An entrant has withdrawn"):
        undo_draw(stage=stage, user=director, reason="again")
    other = an_event(2)
    with pytest.raises(DeskRefused, match="has not been drawn"):
        undo_draw(stage=StageRow.objects.get(flight__event=other), user=None, reason="again")


@pytest.mark.long
def test_groups_are_taken_back_together_and_a_fed_draw_by_itself():
    flight, director = planned(GROUPS, 8)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    undo_draw(stage=stage_named(flight, "Group B"), user=director, reason="unfair")
    assert not StageRow.objects.exclude(drawn_at=None).exists()
    draw_stage(stage=stage_named(flight, "Group B"), user=director)
    for name in "AB":
        play(stage_named(flight, f"Group {name}"), director)
    cup = stage_named(flight, "Cup")
    StageRow.objects.filter(pk=cup.pk).update(confirmed_at=cup.created_at)
    draw_stage(stage=cup, user=director)
    undo_draw(stage=cup, user=director, reason="unfair")
    flight.event.refresh_from_db()
    assert flight.event.status == EventStatus.RUNNING
    play(draw_stage(stage=stage_named(flight, "Cup"), user=director), director)
    assert not any(chain_damage(each) for each in flight.stages.all())


def test_a_copy_of_the_event_has_the_lengths_that_were_typed():
    event, _stage, _director, _old = an_event_drawn_twice()
    assert plan_of(event).flights[0].stages[0].options.lengths == ()


def test_the_page_shows_the_old_seed_and_the_hash_of_the_new_one(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    client.force_login(director)
    drawing = stage.get_absolute_url()
    assert "P1" in client.get(drawing).content.decode()
    tab = f"{event.get_absolute_url()}?tab=info"
    page = client.get(tab).content.decode()
    assert reverse("tournaments:redraw", args=[stage.ref]) in page
    address = reverse("tournaments:redraw", args=[stage.ref])
    stale = client.post(address, {"reason": "forgotten", "seen": stage.head_seq + 1}, follow=True)
    assert "Someone else changed this draw" in stale.content.decode()
    sent = {"Referer": f"http://testserver{tab}"}
    again = {"reason": "forgotten", "seen": stage.head_seq}
    page = client.post(address, again, follow=True, headers=sent).content.decode()
    stage = StageRow.objects.get()
    assert stage.seed_hash in page
    assert stage.seed not in page
    assert "Draw 1 was redrawn before the first match" in page
    assert "a seed" in page
    assert "Make the draw" in client.get(drawing).content.decode()
    enter(flight=flight_of(event), players=[a_player(event.club, "Newcomer")])
    client.post(reverse("tournaments:draw_one", args=[stage.ref]))
    assert "Newcomer" in client.get(drawing).content.decode()
    proof = client.get(reverse("tournaments:archive", args=[stage.ref]), {"superseded": "1"})
    assert check_text(proof.content.decode()).accepted


def test_the_api_takes_a_draw_back(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    client.force_login(director)
    address = f"/api/v1/stages/{stage.ref}/redraw/"
    refused = client.post(address, {"reason": "late", "seen": 99}, "application/json")
    assert refused.status_code == 409
    body = client.post(address, {"reason": "late", "seen": stage.head_seq}, "application/json").json()
    assert (body["status"], body["seed"]) == ("planned", None)
    assert [old["seed"] for old in body["superseded"]] == ["a seed"]
    assert client.post(address, {"reason": "late"}, "application/json").status_code == 409


def test_pairings_of_the_old_draw_count_for_nothing():
    _event, stage, director, _old = an_event_drawn_twice()
    again = draw_stage(stage=stage, user=director)
    gone = PairingRow.objects.filter(state=PairingState.REPLACED).order_by("pk")[0]
    with pytest.raises(DeskRefused, match="no longer has this match"):
        win(gone, director)
    win(pairing(again, 1), director)


@pytest.mark.long
def test_a_fed_draw_that_is_taken_back_has_the_field_of_the_results_as_they_are_now():
    flight, director = planned(GROUPS, 8)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    for name in "AB":
        play(stage_named(flight, f"Group {name}"), director)
    draw_stage(stage=confirm_field(user=None, stage=stage_named(flight, "Cup")), user=director)
    rows = PairingRow.objects.filter(stage=stage_named(flight, "Group A"))
    rows = rows.select_related("stage__flight__event__club", "a", "b")
    row = next(each for each in rows if {number_of(each.a), number_of(each.b)} == {4, 5})
    win(row, director, a=number_of(row.a) == 5, reason="wrong", decided=True)
    cup = undo_draw(stage=stage_named(flight, "Cup"), user=director, reason="another field")
    assert in_numbers(flight, fed_field(cup)) == [1, 2, 5, 3]
    with pytest.raises(DeskRefused, match="Confirm the field"):
        draw_stage(stage=cup, user=director)
    draw_stage(stage=confirm_field(user=None, stage=cup), user=director)


def test_a_jackpot_that_is_taken_back_is_drawn_by_the_director_and_opens_no_further_one():
    flight = a_flight("knockout_lot", capacity=2, starts_when_full=True)
    ana, ben, cleo = players(flight, "Ana", "Ben", "Cleo")
    for player in (ana, ben):
        enter(flight=flight, players=[player])
    stage = undo_draw(stage=flight.stages.get(), user=None, reason="a wrong Ben")
    enter(flight=flight, players=[cleo])
    assert flight.stages.get().drawn_at is None
    assert flight.event.flights.count() == 2
    draw_stage(stage=stage, user=None)
    assert len(load(flight.stages.get()).field) == 2


def test_nobody_never_left_a_draw_that_was_taken_back():
    event = an_event(5)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    value = load(stage)
    resting = next(n for n in value.present if not any(n in (p.a, p.b) for p in value.open_pairings()))
    entrant = stage.numbers.get(number=resting).entrant
    leave(entrant=entrant, user=director)
    left = DeskEvent.objects.get(kind="withdrawn")
    come_back(entrant=entrant, user=director)
    undo_draw(stage=StageRow.objects.get(), user=director, reason="again")
    with pytest.raises(OvertakenRefused, match="There are later changes here"):
        undo(event=event, seq=left.seq, user=director)


def test_who_came_late_is_not_the_only_one_in_the_next_draw():
    event = an_event(5)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    enter_late(stage=stage, players=[a_player(event.club, "Late")], user=director)
    undo_draw(stage=StageRow.objects.get(), user=director, reason="Late is to be seeded")
    assert len(present_in(flight_of(event))) == 6


def test_the_log_names_who_left_the_old_draw(client):
    event = an_event(5)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    value = load(stage)
    resting = next(n for n in value.present if not any(n in (p.a, p.b) for p in value.open_pairings()))
    entrant = stage.numbers.get(number=resting).entrant
    leave(entrant=entrant, user=director)
    come_back(entrant=entrant, user=director)
    undo_draw(stage=StageRow.objects.get(), user=director, reason="again")
    client.force_login(director)
    page = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    name = EntrantRow.objects.with_players().get(pk=entrant.pk).title
    assert f"{name} left the draw" in page
    assert f"{name} returned" in page


def a_cup(plan=SWISS, players=6):
    """A drawn cup of four (or two) that a Swiss has filled, and its director."""
    flight, director = planned(plan, players)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    cup = draw_stage(stage=confirm_field(user=None, stage=stage_named(flight, "Cup")), user=director)
    return flight, director, cup


def a_wide_cup():
    """As :func:`a_cup`, with three in a bracket of four: one has a bye."""
    first, *others = SWISS.stages
    return a_cup(replace(SWISS, stages=(replace(first, feeds=(Top(3, "Cup"), Rest("Consolation"))), *others)))


def refs_in(stage):
    return [each.ref for each in load(stage).field]


def test_dice_that_a_director_has_looked_at_are_not_those_of_the_next_draw(client):
    row, director = a_tie(size=3, duplicate_dice=True)
    stage = StageRow.objects.get()
    before, seed, hashed = rolls_of(row), stage.dice_seed, stage.dice_hash
    stage = undo_draw(stage=stage, user=director, reason="again")
    assert (stage.superseded[0]["dice_seed"], stage.superseded[0]["dice_hash"]) == (seed, hashed)
    assert seed_hash(seed) == hashed
    assert (stage.dice_seed == seed, stage.dice_hash == seed_hash(stage.dice_seed)) == (False, True)
    page = client.get(stage.flight.event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert seed in page
    assert hashed in page
    assert stage.dice_seed not in page
    old = client.get(f"/api/v1/stages/{stage.ref}/").json()["superseded"][0]
    assert (old["dice_hash"], old["dice_seed"]) == (hashed, seed)
    stage = draw_stage(stage=stage, user=director)
    assert rolls_of(open_pairings(stage)[0]) != before
    page = client.get(stage.flight.event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert stage.dice_hash in page
    assert stage.dice_seed not in page


def test_a_draw_without_duplicate_dice_has_none_to_show(client):
    event, stage, _director, _old = an_event_drawn_twice()
    assert stage.superseded[0]["dice_seed"] == ""
    assert "Dice seed" not in client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    old = client.get(f"/api/v1/stages/{stage.ref}/").json()["superseded"][0]
    assert (old["dice_hash"], old["dice_seed"]) == ("", "")


@pytest.mark.long
def test_who_came_late_into_a_fed_draw_is_in_the_next_one_too(client):
    flight, director, cup = a_wide_cup()
    late = enter_late(stage=cup, players=[a_player(flight.event.club, "P9")], user=director)
    assert refs_in(StageRow.objects.get(pk=cup.pk))[3:] == [late.ref]
    for _twice in range(2):
        cup = undo_draw(stage=StageRow.objects.get(pk=cup.pk), user=director, reason="again")
        page = client.get(flight.event.get_absolute_url()).content.decode()
        assert "Also re-entered from the previous draw: P9" in " ".join(page.split())
        cup = draw_stage(stage=cup, user=director)
        assert refs_in(cup) == [*fed_field(cup), late.ref]
        assert (len(open_pairings(cup)), chain_damage(cup)) == (2, None)
    assert check_text(event_archive_text(flight.event)).accepted
    play(cup, director)


@pytest.mark.long
def test_who_took_over_a_place_in_a_fed_draw_has_it_in_the_next_one_too():
    flight, director, cup = a_cup()
    first = EntrantRow.objects.get(ref=fed_field(cup)[0])
    newcomer = replace_entrant(entrant=first, players=[a_player(flight.event.club, "Instead")], user=director)
    cup = undo_draw(stage=StageRow.objects.get(pk=cup.pk), user=director, reason="again")
    assert cup.beside_the_field == ({first.ref: newcomer.ref}, [])
    cup = draw_stage(stage=cup, user=director)
    assert refs_in(cup) == [newcomer.ref, *fed_field(cup)[1:]]
    assert {row.a for row in open_pairings(cup)} | {row.b for row in open_pairings(cup)} >= {newcomer}
    assert chain_damage(cup) is None
    assert check_text(event_archive_text(flight.event)).accepted


@pytest.mark.long
def test_who_came_late_and_was_withdrawn_does_not_come_in_again(client):
    flight, director, cup = a_wide_cup()
    late = enter_late(stage=cup, players=[a_player(flight.event.club, "Late")], user=director)
    cup = undo_draw(stage=StageRow.objects.get(pk=cup.pk), user=director, reason="again")
    withdraw(entrant=late, user=director)
    page = client.get(flight.event.get_absolute_url()).content.decode()
    assert "Also re-entered" not in page
    assert refs_in(draw_stage(stage=cup, user=director)) == fed_field(cup)


@pytest.mark.long
def test_a_draw_that_has_no_place_for_who_had_come_late_says_so():
    flight, director, cup = a_wide_cup()
    late = enter_late(stage=cup, players=[a_player(flight.event.club, "Late")], user=director)
    cup = undo_draw(stage=StageRow.objects.get(pk=cup.pk), user=director, reason="again")
    other = EntrantRow.objects.filter(flight=flight).exclude(ref__in=[*fed_field(cup), late.ref])[0]
    EarlierEntrant.objects.create(flight=flight, draw=cup.earlier.get(), number=99, entrant=other)
    with pytest.raises(DeskRefused, match="has no place in this one") as said:
        draw_stage(stage=StageRow.objects.get(pk=cup.pk), user=director)
    assert said.value.code == "no_place"
    assert StageRow.objects.get(pk=cup.pk).drawn_at is None


@pytest.mark.long
def test_who_had_come_late_and_is_sent_by_now_is_in_the_next_draw_once():
    flight, director, cup = a_wide_cup()
    cup = undo_draw(stage=cup, user=director, reason="again")
    field = fed_field(cup)
    first, second, third = [EntrantRow.objects.get(ref=ref) for ref in field[:3]]
    draw = cup.earlier.get()
    draw.numbers.all().delete()
    EarlierEntrant.objects.create(flight=flight, draw=draw, number=1, entrant=first)
    EarlierEntrant.objects.create(flight=flight, draw=draw, number=2, entrant=third, drawn=second, seat=1)
    cup = draw_stage(stage=StageRow.objects.get(pk=cup.pk), user=director)
    assert (refs_in(cup), chain_damage(cup)) == (field, None)


def test_who_was_called_is_told_on_their_pages_that_the_call_lapsed(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    make_tables(event=event, last=2, user=director)
    row = call(pairing=open_pairings(stage)[0], user=director)
    user = UserFactory.create()
    Player.objects.filter(entries__entrant=row.a).update(user=user)
    client.force_login(user)
    pages = (event.get_absolute_url(), "/")
    for page in pages:
        shown = client.get(page).content.decode()
        assert "Table 1 against" in shown
        assert "Open scoresheet" in shown
    stage = undo_draw(stage=StageRow.objects.get(), user=director, reason="again")
    assert DeskEvent.objects.get(kind="draw_taken_back").body["called"] == [row.ref]
    for page in pages:
        shown = client.get(page).content.decode()
        assert "The draw of Main was undone, so your match against" in shown
        assert "Table 1 against" not in shown
        assert "Open scoresheet" not in shown
    draw_stage(stage=stage, user=director)
    for page in pages:
        shown = client.get(page).content.decode()
        assert "was undone, so your match" not in shown
        assert "you will be called" in shown
        assert "Open scoresheet" not in shown
