"""A withdrawal, a disqualification and a no-show that were a mistake are taken back; and who has withdrawn is
withdrawn everywhere.
"""

import pytest
from django.urls import reverse

from clubs.models import Role, User
from scoring.log.services.chains import chain_damage
from scoring.models import Match, MatchStatus
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import member
from tests.races import at_once
from tests.tiers import sized
from tests.tournaments.factories import (
    an_event,
    drawn,
    flight_of,
    open_pairings,
    other_side,
    pairing,
    win,
)
from tournaments.core.proof.check import check_text
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.services.departures import leave
from tournaments.desk.services.results import reopen_result, report_result
from tournaments.desk.services.undo import undo
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.late_entries import come_back
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantRow, Event, EventStatus, PairingState, StageRow, StageStatus
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def started(players: int = 4, **options) -> tuple[Event, StageRow, User]:
    """A drawn event with its director."""
    event = an_event(players, **options)
    for entrant in EntrantRow.objects.filter(flight__event=event):
        check_in(entrant=entrant)
    return event, drawn(event), member(event.club, Role.DIRECTOR)


def last_entry(event: Event) -> DeskEvent:
    return DeskEvent.objects.filter(event=event, undoes=None).order_by("seq").last()  # type: ignore[return-value]


@pytest.mark.parametrize("how", Gone)
def test_an_undone_withdrawal_continues_the_match(how):
    event, stage, director = started()
    row = open_pairings(stage)[0]
    leave(entrant=row.a, user=director, how=how)
    row.a.refresh_from_db()
    assert row.a.state == ("present" if how is Gone.LEFT_DRAW else "withdrawn")
    row.refresh_from_db()
    assert row.state == PairingState.DECIDED
    entry = last_entry(event)
    assert (entry.kind, entry.body["state"], entry.body["lost"]) == (how.value, "present", [row.number])
    undo(event=event, seq=entry.seq, user=director)
    row.refresh_from_db()
    row.a.refresh_from_db()
    assert (row.state, row.winner, row.a.state) == (PairingState.OPEN, None, "present")
    assert Match.objects.get(board__pairing=row).status != MatchStatus.FINISHED
    win(row, director, a=True)
    value = load(StageRow.objects.get(pk=stage.pk))
    assert not value.gone
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()
    assert chain_damage(Event.objects.get(pk=event.pk)) is None


@pytest.mark.parametrize(
    "format_key", ["double", "swiss_3", *sized([], ["knockout", "round_robin", "lives"])]
)
def test_a_withdrawal_can_be_undone_in_every_format(format_key):
    event, stage, director = started(6, format_key=format_key)
    row = open_pairings(stage)[0]
    gone = other_side(row)
    leave(entrant=gone, user=director)
    undo(event=event, seq=last_entry(event).seq, user=director)
    stage.refresh_from_db()
    assert check_text(archive_text(stage)).faults == ()
    assert gone.pk in {pk for each in open_pairings(stage) for pk in (each.a_id, each.b_id)}
    director_wins = open_pairings(stage)
    for each in director_wins:
        win(each, director)
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()


def test_a_match_that_was_played_on_the_walkover_keeps_it():
    event, stage, director = started(4)
    first, second = open_pairings(stage)
    gone = first.a
    leave(entrant=gone, user=director)
    entry = last_entry(event)
    win(second, director)
    final = pairing(stage, 3)
    win(final, director)
    sides = f"{final.a.title} – {other_side(final).title}"
    with pytest.raises(DeskRefused, match=rf"later matches depend on it \({sides}\)") as no:
        undo(event=event, seq=entry.seq, user=director)
    assert no.value.code == "place_taken"
    gone.refresh_from_db()
    assert gone.state == "withdrawn"


def test_undoing_a_withdrawal_voids_a_final_not_started():
    event, stage, director = started(4)
    first, second = open_pairings(stage)
    leave(entrant=first.a, user=director)
    entry = last_entry(event)
    win(second, director)
    undo(event=event, seq=entry.seq, user=director)
    first.refresh_from_db()
    assert first.state == PairingState.OPEN
    assert not [row for row in open_pairings(stage) if row.number == 3]
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()


def test_a_swiss_round_paired_after_a_withdrawal_stands():
    event, stage, director = started(4, format_key="swiss_3")
    first, second = open_pairings(stage)
    win(second, director)
    leave(entrant=first.a, user=director)
    with pytest.raises(DeskRefused, match="can be reinstated from the next round"):
        undo(event=event, seq=last_entry(event).seq, user=director)


def test_the_last_match_of_an_event_is_open_again():
    event, stage, director = started(2)
    (row,) = open_pairings(stage)
    leave(entrant=row.a, user=director, how=Gone.DISQUALIFIED)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    undo(event=event, seq=last_entry(event).seq, user=director)
    event.refresh_from_db()
    stage.refresh_from_db()
    assert (event.status, stage.status) == (EventStatus.RUNNING, StageStatus.RUNNING)


def test_who_was_disqualified_after_withdrawing_is_withdrawn_again():
    event, stage, director = started(4)
    row = open_pairings(stage)[0]
    leave(entrant=row.a, user=director)
    leave(entrant=row.a, user=director, how=Gone.DISQUALIFIED)
    first, second = DeskEvent.objects.filter(event=event, kind__in=list(Gone)).order_by("seq")
    with pytest.raises(OvertakenRefused, match="Undo those first"):
        undo(event=event, seq=first.seq, user=director)
    undo(event=event, seq=second.seq, user=director)
    assert list(load(StageRow.objects.get(pk=stage.pk)).gone.values()) == [Gone.WITHDRAWN]
    row.a.refresh_from_db()
    assert row.a.state == "withdrawn"
    undo(event=event, seq=first.seq, user=director)
    assert not load(StageRow.objects.get(pk=stage.pk)).gone


def test_the_withdrawal_of_a_reinstated_entrant_cannot_be_undone():
    event, stage, director = started(6, format_key="swiss_3")
    gone = open_pairings(stage)[0].a
    leave(entrant=gone, user=director)
    entry = last_entry(event)
    come_back(entrant=gone, user=director)
    gone.refresh_from_db()
    assert gone.state == "present"
    with pytest.raises(OvertakenRefused):
        undo(event=event, seq=entry.seq, user=director)


def test_a_no_show_is_undone_on_the_page_of_its_result():
    event, stage, director = started(4)
    row = open_pairings(stage)[0]
    report_result(pairing=row, decision=DirectedResult("white", None, Ending.NO_SHOW), user=director)
    with pytest.raises(DeskRefused, match="Undo a result on its own page"):
        undo(event=event, seq=last_entry(event).seq, user=director)
    stage.refresh_from_db()
    row.refresh_from_db()
    reopen_result(pairing=row, seen=stage.head_seq, user=director, reason="he was at the bar")
    row.refresh_from_db()
    assert row.state == PairingState.OPEN


@pytest.mark.django_db(transaction=True)
def test_two_directors_take_it_back_once():
    event, stage, director = started(4)
    other = member(event.club, Role.DIRECTOR)
    row = open_pairings(stage)[0]
    leave(entrant=row.a, user=director)
    seq = last_entry(event).seq
    done = at_once(
        lambda: undo(event=event, seq=seq, user=director), lambda: undo(event=event, seq=seq, user=other)
    )
    assert sorted(isinstance(each, OvertakenRefused) for each in done) == [False, True]
    row.refresh_from_db()
    assert row.state == PairingState.OPEN


def test_a_withdrawn_entrant_is_withdrawn_everywhere(client):
    event, stage, director = started(4)
    gone = open_pairings(stage)[0].a
    leave(entrant=gone, user=director)
    # Visitors still follow the draw that somebody has left.
    assert client.get(reverse("api:entrant", args=[gone.ref])).json()["state"] == "withdrawn"
    assert client.get(reverse("tournaments:path", args=[stage.ref, gone.ref])).status_code == 200
    client.force_login(director)
    page = " ".join(client.get(event.get_absolute_url(), {"tab": "players"}).content.decode().split())
    assert "<h3>Withdrawn</h3>" in page
    entry = reverse("tournaments:edit_entry", args=[gone.ref])
    assert entry in page
    assert reverse("tournaments:back", args=[gone.ref]) in client.get(entry).text
    desk = " ".join(client.get(reverse("tournaments:desk", args=[event.ref])).content.decode().split())
    assert "Withdrawn" in desk
    assert "1 open match forfeited" in desk
    undone = reverse("api:undo_entry", args=[event.ref, last_entry(event).seq])
    assert client.post(undone, content_type="application/json").status_code == 200
    assert client.post(undone, content_type="application/json").status_code == 409
    assert client.get(reverse("api:entrant", args=[gone.ref])).json()["state"] == "present"


def test_visitors_do_not_see_entries_withdrawn_before_the_draw(client):
    event = an_event(2)
    entrant = flight_of(event).entrants.order_by("pk")[0]
    client.force_login(member(event.club, Role.DIRECTOR))
    client.post(reverse("tournaments:leave", args=[entrant.ref]))
    client.logout()
    assert client.get(reverse("api:entrant", args=[entrant.ref])).status_code == 404


def test_an_older_withdrawal_is_not_undone_instead_of_a_newer_one():
    event, stage, director = started(4, format_key="swiss_3")
    entrant = pairing(stage, 1).a
    leave(entrant=entrant, user=director)
    older = last_entry(event)
    come_back(entrant=entrant, user=director)
    win(pairing(stage, 2), director)
    leave(entrant=entrant, user=director)
    newer = last_entry(event)
    with pytest.raises(OvertakenRefused, match="There are later changes here"):
        undo(event=event, seq=older.seq, user=director)
    assert pairing(stage, 1).state == PairingState.DECIDED
    undo(event=event, seq=newer.seq, user=director)
    assert not load(StageRow.objects.get()).gone


@pytest.mark.parametrize("key", ["double", "knockout"])
@pytest.mark.parametrize("back", [False, True], ids=["out of the match", "out of it and back"])
def test_a_withdrawal_is_undone_after_its_lost_match_has_other_entrants(key, back):
    event, stage, director = started(format_key=key)
    for number in (1, 2):
        win(pairing(stage, number), director)
    final = pairing(stage, 3)
    leave(entrant=final.a, user=director)
    entry = last_entry(event)
    win(pairing(stage, 1), director, a=False, reason="misread", decided=True)
    if back:
        win(pairing(stage, 1), director, reason="misread", decided=True)
    undo(event=event, seq=entry.seq, user=director)
    stage = StageRow.objects.get(pk=stage.pk)
    assert not load(stage).gone
    now = pairing(stage, 3)
    assert (now.state, final.a in {now.a, now.b}, now.pk != final.pk) == (PairingState.OPEN, back, True)
    assert not check_text(archive_text(stage)).faults
    assert chain_damage(event) is None
