"""What goes wrong at a desk: late changes, races, corrections of corrections, void matches."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from django.db import connection, transaction
from django.urls import reverse

from clubs.accounts.services.tokens import make_token
from clubs.clubs.services.erasures import erase_guest
from clubs.models import Club, Role, Scope
from clubs.people.services.merges import merge_players
from scoring.chouettes.services.damage import damage_of as sheet_damage
from scoring.log.queries.writers import Author
from scoring.log.services.chains import chain_damage
from scoring.log.services.sheets import lock_sheet
from scoring.models import Match, MatchStatus, RatingChange
from scoring.rules.endings import Ending
from scoring.rules.errors import InvalidValue
from scoring.rules.events import ScoreRecorded
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.decisions import DirectedResult, void_match
from scoring.sheets.services.entries import Entry, EntryRefused, record
from scoring.sheets.services.results import confirm_result
from scoring.signals import ResultRefused
from tests.factories import UserFactory, member
from tests.races import at_once
from tests.scoring.files.test_aliases import somebody_waits
from tests.scoring.sheets.writing import loaded
from tests.scoring.sheets.writing import win as game
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
from tournaments.core.prizes.pools import Fees
from tournaments.core.proof.check import check_text
from tournaments.desk.services.departures import leave
from tournaments.desk.services.previews import preview_correction
from tournaments.desk.services.results import correct_result
from tournaments.entries.services.entries import enter, withdraw
from tournaments.events.services.events import FlightTerms
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import (
    EntrantRow,
    Event,
    PaidHow,
    PairingRow,
    PairingState,
    Prize,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import Purse
from tournaments.money.services.prizes import approve_prizes, pay_prize
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def director_of(event):
    return member(event.club, Role.DIRECTOR)


def sides(stage, number):
    row = pairing(stage, number)
    return f"{row.a.title} – {other_side(row).title}"


def match_of(row):
    return loaded(row.boards.get().match)


def player_of(row, colour="white"):
    """The player of a side as somebody who writes on the sheet."""
    player = match_of(row).side(colour).players[0]
    if player.user is None:
        player.user = UserFactory.create()
        player.save(update_fields=["user"])
    return Author(player.user, side=colour)


def report(row, *events, colour="white"):
    """A player writes on the pairing's sheet."""
    match = match_of(row)
    head = match.sheet.head_seq
    entries = [Entry(f"{match.ref}-{head}-{n}", event) for n, event in enumerate(events)]
    record(match=match, author=player_of(row, colour), after=head, entries=entries)


def undo(row):
    match = match_of(row)
    head = match.sheet.head_seq
    undo_last(match=match, author=player_of(row), after=head, key=f"undo-{head}")


def proven(stage):
    """Nothing stored of the stage is damaged, and its archive is accepted."""
    stage = StageRow.objects.get(pk=stage.pk)
    verdict = check_text(archive_text(stage))
    assert verdict.accepted, verdict.faults
    assert chain_damage(stage) is None
    for match in Match.objects.select_related("sheet"):
        assert sheet_damage(match.sheet) is None
    return True


def test_a_result_from_the_sheet_is_confirmed_by_the_other_side():
    stage = drawn(an_event(4))
    report(pairing(stage, 1), ScoreRecorded(3, 1))
    assert pairing(stage, 1).winner == pairing(stage, 1).a
    assert not load(StageRow.objects.get()).outcomes[1].confirmed
    row = pairing(stage, 1)
    confirm_result(match=match_of(row), user=player_of(row, "black").user, as_director=False)
    assert load(StageRow.objects.get()).outcomes[1].confirmed
    assert proven(stage)


@pytest.mark.long
def test_an_undo_on_the_sheet_opens_the_pairing_again():
    stage = drawn(an_event(4))
    for number in (1, 2):
        report(pairing(stage, number), ScoreRecorded(3, 1))
    final = pairing(stage, 3)
    undo(pairing(stage, 1))
    assert pairing(stage, 1).state == PairingState.OPEN
    final.refresh_from_db()
    assert (final.state, match_of(final).status) == (PairingState.REPLACED, MatchStatus.VOID)
    report(pairing(stage, 1), ScoreRecorded(3, 2))
    assert pairing(stage, 3).state == PairingState.OPEN
    assert match_of(pairing(stage, 3)).status == MatchStatus.PLAYING
    assert proven(stage)


def test_a_match_that_has_begun_locks_the_one_before():
    event = an_event(4)
    stage = drawn(event)
    for number in (1, 2):
        report(pairing(stage, number), ScoreRecorded(3, 1))
    report(pairing(stage, 3), game(Side.WHITE))
    with pytest.raises(ResultRefused, match=rf"Later matches depend on this result \({sides(stage, 3)}\)"):
        undo(pairing(stage, 1))
    assert pairing(stage, 1).state == PairingState.DECIDED
    shown = preview_correction(pairing=pairing(stage, 1), decision=DirectedResult("black", (0, 3)))
    assert shown.locked == (3,)


@pytest.mark.parametrize("format_key", ["swiss", "monrad", "lives"])
def test_a_round_that_was_paired_locks_the_ones_before(format_key):
    event = an_event(4, format_key=format_key)
    stage, director = drawn(event), director_of(event)
    report(pairing(stage, 1), ScoreRecorded(3, 1))
    assert {row.round for row in PairingRow.objects.current()} == {1}
    report(pairing(stage, 2), ScoreRecorded(3, 1))
    assert {row.round for row in PairingRow.objects.current()} == {1, 2}
    with pytest.raises(ResultRefused, match=rf"\({sides(stage, 3)}, {sides(stage, 4)}\)"):
        undo(pairing(stage, 1))
    win(pairing(stage, 1), director, a=False, reason="protest", decided=True)
    assert pairing(stage, 1).winner == pairing(stage, 1).b
    assert proven(stage)


def test_the_sheet_says_why_a_locked_result_stays(client):
    stage = drawn(an_event(4, format_key="swiss"))
    for number in (1, 2):
        report(pairing(stage, number), ScoreRecorded(3, 1))
    match = match_of(pairing(stage, 1))
    client.force_login(player_of(pairing(stage, 1)).user)
    answer = client.post(
        reverse("api:sheet_undo", args=[match.ref]),
        {"after": match.sheet.head_seq, "key": "take it back"},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "locked")
    assert "Only a director can change it" in answer.json()["detail"]
    assert match_of(pairing(stage, 1)).status == MatchStatus.FINISHED


def test_corrections_to_and_fro_bring_no_voided_result_back():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    win(pairing(stage, 3), director)
    old = pairing(stage, 3)
    row = pairing(stage, 1)
    neither = DirectedResult("", None, Ending.DOUBLE_NO_SHOW)
    seen = StageRow.objects.get().head_seq
    correct_result(pairing=row, decision=neither, seen=seen, user=director, reason="late", decided=True)
    win(pairing(stage, 1), director, reason="they had come", decided=True)
    final = pairing(stage, 3)
    assert final != old
    assert (final.state, match_of(final).status) == (PairingState.OPEN, MatchStatus.PLAYING)
    assert match_of(old).status == MatchStatus.VOID
    assert proven(stage)


def test_a_match_that_was_voided_stays_void():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for number in (1, 2):
        report(pairing(stage, number), ScoreRecorded(3, 1))
    final = pairing(stage, 3)
    undo(pairing(stage, 1))
    final.refresh_from_db()
    with pytest.raises(EntryRefused):
        undo(final)
    match = match_of(final)
    ending = max(match.sheet.events.values_list("seq", flat=True))
    with pytest.raises(ResultRefused, match="no longer has this match"):
        correct(
            match=match,
            author=Author(director, directs=True),
            after=match.sheet.head_seq,
            key="revive",
            seq=ending,
            event=ScoreRecorded(3, 0),
            reason="they played it",
        )
    with pytest.raises(DeskRefused, match="no longer has this match"):
        win(final, director)
    with pytest.raises(DeskRefused, match="no longer has this match"):
        preview_correction(pairing=final, decision=DirectedResult("white", (3, 0)))
    assert match_of(final).status == MatchStatus.VOID


def test_the_desk_decides_a_match_that_a_director_voided():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    void_match(match=match_of(pairing(stage, 1)), user=director, reason="wrong board")
    assert pairing(stage, 1).state == PairingState.OPEN
    win(pairing(stage, 1), director)
    assert match_of(pairing(stage, 1)).status == MatchStatus.FINISHED
    assert proven(stage)


def test_an_entrant_leaves_a_knockout_after_the_draw():
    event = an_event(5)
    stage, director = drawn(event), director_of(event)
    row = open_pairings(stage)[0]
    with pytest.raises(DeskRefused, match="Ask the director"):
        withdraw(entrant=row.a)
    report(row, game(Side.WHITE))
    leave(entrant=row.a, user=director)
    row.refresh_from_db()
    assert (row.winner, row.ended) == (row.b, "retired")
    assert match_of(row).status == MatchStatus.FINISHED
    while rows := open_pairings(stage):
        for each in rows:
            win(each, director)
    assert StageRow.objects.get().status == StageStatus.FINISHED
    assert proven(stage)


@pytest.mark.parametrize("format_key", ["swiss", "round_robin", "ready", "double", "lives", "ladder"])
def test_a_withdrawn_entrant_is_not_paired_again(format_key):
    event = an_event(5, format_key=format_key, length=1)
    stage, director = drawn(event), director_of(event)
    gone = open_pairings(stage)[0].a
    leave(entrant=gone, user=director)
    while rows := open_pairings(stage):
        assert gone not in [side for row in rows for side in (row.a, row.b)]
        for row in rows:
            win(row, director)
    assert StageRow.objects.get().status == StageStatus.FINISHED
    assert proven(stage)


def test_an_entrant_leaves_once(client):
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    entrant = pairing(stage, 1).a
    client.force_login(director)
    address = reverse("tournaments:leave", args=[entrant.ref])
    assert "P" in client.post(address, follow=True).content.decode()
    assert "has already withdrawn" in client.post(address, follow=True).content.decode()
    assert pairing(stage, 1).winner == pairing(stage, 1).b
    assert proven(stage)


def test_a_player_cannot_leave_after_the_draw(client):
    event = an_event(4)
    stage = drawn(event)
    client.force_login(player_of(pairing(stage, 1)).user)
    page = client.post(reverse("tournaments:leave", args=[pairing(stage, 1).a.ref]), follow=True)
    assert "The draw has been made. Ask the director." in page.content.decode()
    assert pairing(stage, 1).state == PairingState.OPEN


@pytest.mark.django_db(transaction=True)
def test_two_results_of_one_round_at_once_both_count():
    event = an_event(4, format_key="swiss", length=1)
    stage, director = drawn(event), director_of(event)
    first, second = open_pairings(stage)
    for row in (first, second):
        player_of(row)
    found = at_once(lambda: report(first, ScoreRecorded(1, 0)), lambda: _desk(second, director))
    if isinstance(found[1], StaleRefused):  # the desk's page was overtaken: once more, having looked again
        found[1] = _desk(second, director)
    assert not [each for each in found if isinstance(each, Exception)]
    assert {row.round for row in PairingRow.objects.current()} == {1, 2}
    assert proven(stage)


def _desk(row, director):
    win(pairing(row.stage, row.number), director)


@pytest.mark.django_db(transaction=True)
def test_a_correction_and_a_later_result_at_once_do_not_lock_each_other():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    final = pairing(stage, 3)
    player_of(final)
    found = at_once(
        lambda: report(final, ScoreRecorded(3, 0)),
        lambda: win(pairing(stage, 1), director, a=False, reason="protest", decided=True),
    )
    assert not [each for each in found if "deadlock" in str(each)]
    assert proven(stage)
    held = PairingRow.objects.current().filter(state=PairingState.DECIDED)
    assert {match_of(row).status for row in held} == {MatchStatus.FINISHED}


@pytest.mark.django_db(transaction=True)
def test_a_correction_waits_for_a_later_sheet_before_it_holds_the_stage():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    final = pairing(stage, 3)

    def correction():
        try:
            win(pairing(stage, 1), director, a=False, reason="protest", decided=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_sheet(match_of(final).sheet_id)
            correcting = pool.submit(correction)
            end = monotonic() + 60
            while not correcting.done() and not somebody_waits() and monotonic() < end:
                sleep(0.02)
            # Whoever writes the final's result wants the stage next, and gets it.
            free = StageRow.objects.select_for_update(nowait=True, no_key=True)
            assert free.get(pk=stage.pk) == stage
        correcting.result(60)
    final.refresh_from_db()
    assert (final.state, pairing(stage, 3).a) == (PairingState.REPLACED, pairing(stage, 1).b)
    assert proven(stage)


@pytest.mark.django_db(transaction=True)
def test_an_entry_during_the_draw_is_drawn_or_refused():
    event = an_event(4)
    stage = StageRow.objects.get(flight__event=event)
    late = a_player(event.club, "Late")
    found = at_once(
        lambda: draw_stage(stage=stage, user=None),
        lambda: enter(flight=flight_of(event), players=[late]),
    )
    told = isinstance(found[1], DeskRefused)
    assert len(load(StageRow.objects.get()).field) == (4 if told else 5)
    assert EntrantRow.objects.count() == (4 if told else 5)


def test_points_that_decide_nothing_are_not_previewed():
    row = pairing(drawn(an_event(4)), 1)
    with pytest.raises(DeskRefused, match="not a valid score"):
        preview_correction(pairing=row, decision=DirectedResult("white", (2, 1)))
    with pytest.raises(InvalidValue):
        correct_result(
            pairing=row,
            decision=DirectedResult("white", (2, 1)),
            seen=row.stage.head_seq,
            user=UserFactory.create(),
            reason="",
        )


def test_doubles_are_played_to_the_end_and_do_not_rate():
    event = an_event(length=1, terms=FlightTerms(Fees(entry=1000)))
    for number in range(3):
        players = [a_player(event.club, f"P{number}{half}") for half in "ab"]
        enter(flight=flight_of(event), players=players)
    stage, director = drawn(event), director_of(event)
    while rows := open_pairings(stage):
        for row in rows:
            preview_correction(pairing=row, decision=DirectedResult("white", (1, 0)))
            win(row, director)
    assert StageRow.objects.get().status == StageStatus.FINISHED
    assert not RatingChange.objects.exists()
    assert proven(stage)


def test_a_double_no_show_finishes_a_draw_of_two():
    event = an_event(2, terms=FlightTerms(Fees(entry=1000)))
    stage, director = drawn(event), director_of(event)
    decision = DirectedResult("", None, Ending.DOUBLE_NO_SHOW)
    preview_correction(pairing=pairing(stage, 1), decision=decision)
    seen = StageRow.objects.get().head_seq
    correct_result(pairing=pairing(stage, 1), decision=decision, seen=seen, user=director, reason="")
    assert StageRow.objects.get().status == StageStatus.FINISHED
    assert proven(stage)


def test_a_page_that_the_draw_has_overtaken_says_so(client):
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for number in (1, 2):
        report(pairing(stage, number), ScoreRecorded(3, 1))
    final = pairing(stage, 3)
    undo(pairing(stage, 1))
    client.force_login(director)
    address = reverse("tournaments:result", args=[final.ref])
    form = {"ended": "played", "a_points": "3", "b_points": "1"}
    assert client.post(address, form).status_code == 409
    assert client.post(address, form | {"commit": "", "seen": "9" * 5000}).status_code == 400
    answer = client.post(address, form | {"commit": "", "seen": "9"})
    assert answer.status_code == 409
    assert "no longer has this match" in answer.content.decode()


@pytest.mark.parametrize("players", [4, 16])
def test_queries_of_a_preview(django_assert_num_queries, players):
    event = an_event(players, length=1, terms=FlightTerms(Fees(entry=1000)))
    stage, director = drawn(event), director_of(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    row = pairing(stage, 1)
    with django_assert_num_queries(16):
        shown = preview_correction(pairing=row, decision=DirectedResult("black", (0, 1)))
        assert [line.before for line in shown.lines]
        assert [line.entrant.title for line in shown.places]


def test_an_amount_of_money_has_the_currencys_digits(client):
    event = an_event(2)
    club = event.club
    club.currency = "JPY"
    club.save(update_fields=["currency"])
    client.force_login(director_of(event))
    form = {
        "name": "Cup",
        "starts_at": "2026-12-02T19:30",
        "format_key": "swiss_3",
        "length": "5",
        "returned": "90",
        "entry_fee": "1500.50",
    }
    page = client.post(reverse("tournaments:new_event", args=[club.slug]), form)
    assert page.status_code == 200
    assert "decimal places" in page.content.decode()
    assert Event.objects.count() == 1
    assert not Prize.objects.exists()


def test_prizes_are_removed_when_places_change():
    event = an_event(2, length=1, terms=FlightTerms(Fees(entry=1000)))
    stage, director = drawn(event), director_of(event)
    win(pairing(stage, 1), director)
    approve_prizes(flight=flight_of(event))
    win(pairing(stage, 1), director, a=False, reason="protest")
    assert not Prize.objects.exists()
    approve_prizes(flight=flight_of(event))
    prize = Prize.objects.get(entrant=pairing(stage, 1).b)
    pay_prize(prize=prize, how=PaidHow.CASH, user=None)
    win(pairing(stage, 1), director, reason="and back")
    assert Prize.objects.filter(pk=prize.pk).exists()


def test_a_confirmation_leaves_the_prizes():
    event = an_event(2, length=1, terms=FlightTerms(Fees(entry=1000)))
    stage = drawn(event)
    report(pairing(stage, 1), ScoreRecorded(1, 0))
    approve_prizes(flight=flight_of(event))
    row = pairing(stage, 1)
    confirm_result(match=match_of(row), user=player_of(row, "black").user, as_director=False)
    assert Prize.objects.exists()


@pytest.mark.parametrize("currency", ["JPY", "EUR"])
def test_more_prizes_than_players_make_the_pool(currency):
    event = an_event(
        3, length=1, terms=FlightTerms(Fees(entry=333, returned=99), percentages=[40, 30, 20, 10])
    )
    Club.objects.update(currency=currency)
    stage, director = drawn(event), director_of(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    prizes = approve_prizes(flight=flight_of(event))
    assert sum(prize.amount for prize in prizes) == Purse.of(flight_of(event)).takings.pool > 0


def test_the_waiting_list_is_for_the_club(client):
    event = an_event(2, terms=FlightTerms(capacity=2))
    late = enter(flight=flight_of(event), players=[a_player(event.club, "Zebulon")])
    page, listed = event.get_absolute_url(), reverse("api:event_entrants", args=[event.ref])
    one = reverse("api:entrant", args=[late.ref])
    assert "Zebulon" not in client.get(page).content.decode()
    assert "1 entrant on the waiting list." in client.get(page).content.decode()
    assert {each["payment"] for each in client.get(listed).json()["items"]} == {None}
    assert "Zebulon" not in client.get(listed).content.decode()
    assert client.get(one).status_code == 404
    client.force_login(member(event.club))
    assert "Zebulon" in client.get(page).content.decode()
    assert client.get(one).json()["payment"] is None
    client.force_login(director_of(event))
    assert client.get(one).json()["payment"] == "open"


def test_a_token_for_records_cannot_withdraw_from_a_draw(client):
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    address = reverse("api:entrant", args=[pairing(stage, 1).a.ref])

    def ask(*scopes):
        token = make_token(user=director, label="desk", scopes=scopes, expires_at=None)[1]
        return client.delete(address, headers={"Authorization": f"Bearer {token}"}).status_code

    assert ask(Scope.RECORD) == 403
    assert pairing(stage, 1).state == PairingState.OPEN
    assert ask(Scope.RECORD, Scope.DIRECT) == 204
    assert pairing(stage, 1).state == PairingState.DECIDED


def test_merged_and_erased_players_leave_draw_and_proof_as_they_were(client):
    event = an_event(3)
    guest, ana = a_player(event.club, "ana77"), a_player(event.club, "Ana")
    enter(flight=flight_of(event), players=[guest])
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    before = archive_text(StageRow.objects.get())
    merge_players(guest=guest, into=ana)
    erased = next(
        player for each in EntrantRow.objects.with_players() for player in each.players if player != ana
    )
    name = erased.name
    erase_guest(club=event.club, player_ref=erased.ref)
    assert archive_text(StageRow.objects.get()) == before
    assert proven(stage)
    page = client.get(stage.get_absolute_url()).content.decode()
    assert "ana77" not in page
    assert f">{name}<" not in page
    assert "Ana" in page


def test_a_pool_of_small_money_may_be_large():
    event = an_event(2, length=1, terms=FlightTerms(Fees(entry=2_000_000_000)))
    stage = drawn(event)
    win(pairing(stage, 1), director_of(event))
    assert sum(prize.amount for prize in approve_prizes(flight=flight_of(event))) == 4_000_000_000
    assert sum(Prize.objects.values_list("amount", flat=True)) == 4_000_000_000
