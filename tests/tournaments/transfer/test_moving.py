"""An event lives on one machine at a time: there and back, unlocked by force, every other file refused."""

import json
from threading import Event as ThreadEvent
from typing import Any

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from clubs.clubs.services.erasures import erase_guest, erase_user
from clubs.models import Membership, Note, Player, Role, User, WorkStatus
from clubs.people.services.merges import merge_players
from scoring.log.queries.writers import Author
from scoring.log.services.chains import chain_damage
from scoring.log.services.sheets import lock_match
from scoring.models import (
    Claim,
    Confirmation,
    Match,
    Objection,
    ObjectionWindow,
    Result,
    Sheet,
    SheetEvent,
)
from scoring.sheets.services.claims import ClaimRefused, make_claim, open_claim
from scoring.sheets.services.results import close_objection_window, object_to_result
from scoring.signals import ResultRefused
from tests.factories import ClubFactory, member
from tests.races import at_once, in_between, until_somebody_waits
from tests.scoring.sheets.writing import loaded
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, pairing, win
from tests.tournaments.stages.test_feeding import SWISS, planned
from tests.tournaments.transfer.machines import (
    LAPTOP,
    altered,
    at_the_venue,
    away,
    back,
    elsewhere,
    played,
    written,
)
from tournaments.core.prizes.pools import Fees
from tournaments.core.proof.check import check_text
from tournaments.core.stages.stage import seed_hash
from tournaments.desk.queries.event_log import event_log
from tournaments.desk.services.rulings import report_conduct, rule_on
from tournaments.desk.services.undo import undo
from tournaments.entries.services import entries
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import FlightTerms, touch
from tournaments.log.refusals import DeskRefused, MovedAwayRefused
from tournaments.log.services import note
from tournaments.models import DeskEvent, EntrantRow, Event, PaidHow, PairingRow, Prize, StageRow
from tournaments.money.services.prizes import approve_prizes, pay_prize, unpay_prize
from tournaments.stages.services.archives import event_archive_text
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.round_absences import miss_round
from tournaments.stages.services.rounds import pair_round
from tournaments.transfer.services.moves import bring_here, hold_all, move_away, moved_file, unlock

pytestmark = pytest.mark.django_db(transaction=True)


def refused(code: str, club: Any, text: str) -> str:
    """Why a file is refused, by this code; nothing of the event has changed."""
    before = list(Event.objects.values()), list(DeskEvent.objects.values()), list(StageRow.objects.values())
    with pytest.raises(DeskRefused) as error:
        bring_here(club=club, text=text, user=None)
    assert error.value.code == code, error.value
    assert before == (
        list(Event.objects.values()),
        list(DeskEvent.objects.values()),
        list(StageRow.objects.values()),
    )
    return str(error.value)


def text_of(row: DeskEvent | Objection) -> str:
    assert row.note is not None
    return row.note.text


def play_all(event: Event, user: User) -> None:
    stage = StageRow.objects.get(flight__event=event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, user)


def test_a_moved_event_goes_on_in_an_empty_installation():
    event, director = played()
    names = sorted(Player.objects.filter(entries__isnull=False).values_list("person__name", flat=True))
    text = away(event, director)
    club = elsewhere()
    vera = member(club, Role.DIRECTOR)
    found = bring_here(club=club, text=text, user=vera)
    known = Player.objects.filter(entries__isnull=False)
    assert sorted(known.values_list("person__name", flat=True)) == names
    assert (found.moved_at, found.moved_to) == (None, "")
    assert chain_damage(StageRow.objects.get()) is None
    play_all(found, vera)
    assert Event.objects.get().status == "finished"
    kinds = list(DeskEvent.objects.order_by("seq").values_list("kind", flat=True))
    assert kinds.index("moved_in") == kinds.index("moved_out") + 1
    assert check_text(event_archive_text(Event.objects.get())).accepted


def test_a_keizer_season_goes_on_elsewhere_with_its_absences():
    event = an_event(5, format_key="keizer")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for row in open_pairings(stage):
        win(row, director)
    for absent in EntrantRow.objects.order_by("pk")[:2]:
        miss_round(stage=stage, entrant=absent, user=director)
    text = away(event, director)
    club = elsewhere()
    vera = member(club, Role.DIRECTOR)
    bring_here(club=club, text=text, user=vera)
    found = StageRow.objects.select_related("flight__event__club").get()
    last = DeskEvent.objects.filter(kind="round_missed").latest("seq")
    undo(event=found.flight.event, seq=last.seq, user=vera)
    pair_round(stage=found, user=vera)
    assert len(open_pairings(found)) == 2
    assert chain_damage(StageRow.objects.get()) is None
    assert check_text(event_archive_text(Event.objects.get())).accepted


def test_it_comes_home_with_what_was_done_there_and_is_unlocked(tmp_path):
    event, dora = played(1)
    kept = dict(Match.objects.values_list("ref", "pk"))
    authors = dict(DeskEvent.objects.values_list("seq", "user"))
    home = away(event, dora)
    venue = at_the_venue(tmp_path, home, play_all)
    found = back(event, venue, dora)
    assert (found.status, found.moved_at, found.moved_to) == ("finished", None, "")
    assert not Sheet.objects.filter(moved_at__isnull=False).exists()
    after = dict(Match.objects.values_list("ref", "pk"))
    assert {ref: after[ref] for ref in kept} == kept
    # Who wrote what here still has; what came with the file has no login here.
    here = dict(DeskEvent.objects.values_list("seq", "user"))
    assert {seq: here[seq] for seq in authors} == authors
    assert DeskEvent.objects.get(kind="moved_in", user=dora).seq == max(here)
    assert DeskEvent.objects.filter(kind="result", user=None).exists()
    assert chain_damage(StageRow.objects.get()) == chain_damage(Event.objects.get()) is None
    assert check_text(event_archive_text(Event.objects.get())).accepted
    assert Result.objects.exclude(final_at=None).count() == Result.objects.count() == 6


@pytest.mark.long
def test_it_goes_to_and_fro_and_only_the_newest_file_is_read(tmp_path):
    event, director = played(1)
    first = away(event, director)
    second = at_the_venue(
        tmp_path, first, lambda _event, vera: win(open_pairings(StageRow.objects.get())[0], vera)
    )
    back(event, second)
    # Sent twice: the event is here.
    assert "is already on this computer" in refused("here", event.club, second)
    third = away(Event.objects.get(), director)
    for older in (first, second):
        refused("older", event.club, older)
    fourth = at_the_venue(tmp_path, third, play_all)
    assert back(event, fourth).status == "finished"
    for each in (first, second, third, fourth):
        refused("here", event.club, each)


def test_the_file_of_the_move_itself_brings_the_event_back_as_it_was():
    event, director = played(1)
    text = away(event, director)
    back(event, text)
    assert Event.objects.get().moved_at is None
    win(open_pairings(StageRow.objects.get())[0], director)
    assert chain_damage(StageRow.objects.get()) is None


@pytest.mark.long
def test_a_laptop_takes_the_event_again_where_it_had_been_before(tmp_path):
    event, director = played(1)
    home = away(event, director)
    club = elsewhere()
    vera = member(club, Role.DIRECTOR)
    there = bring_here(club=club, text=home, user=vera)
    refused("here", club, home)
    again = away(there, vera)
    assert moved_file(Event.objects.get()) == again
    found = bring_here(club=club, text=again, user=vera)
    win(open_pairings(StageRow.objects.get())[0], vera)
    assert chain_damage(Event.objects.get(pk=found.pk)) is None


@pytest.mark.long
def test_a_file_that_two_laptops_have_read_comes_back_once(tmp_path):
    event, director = played(1)
    home = away(event, director)
    one = at_the_venue(tmp_path, home, play_all)
    other = at_the_venue(
        tmp_path, home, lambda _event, vera: win(open_pairings(StageRow.objects.get())[0], vera, a=False)
    )
    back(event, one)
    refused("here", event.club, other)
    away(Event.objects.get(), director)
    refused("older", event.club, other)


def test_moving_needs_a_name_and_is_done_once():
    event, director = played(1)
    with pytest.raises(DeskRefused, match="Enter the computer"):
        move_away(event=event, to="  ", user=director)
    text = away(event, director)
    assert (Event.objects.get().moved_to, moved_file(event)) == (LAPTOP, text)
    with pytest.raises(MovedAwayRefused, match="was moved to Ana's laptop on"):
        move_away(event=event, to="another", user=director)
    assert DeskEvent.objects.filter(kind="moved_out").count() == 1
    assert moved_file(event) == text


def test_of_two_who_move_it_at_once_one_does():
    event, director = played(1)
    said = at_once(*[lambda: away(Event.objects.get(), director)] * 3)
    assert sorted(type(each).__name__ for each in said) == ["MovedAwayRefused", "MovedAwayRefused", "str"]
    assert moved_file(event) in said


def test_of_two_who_read_the_same_file_at_once_one_does():
    event, director = played(1)
    text = away(event, director)
    club = elsewhere()
    said = at_once(*[lambda: bring_here(club=club, text=text, user=None)] * 3)
    assert sorted(type(each).__name__ for each in said) == ["DeskRefused", "DeskRefused", "Event"]
    assert Player.objects.count() == Membership.objects.filter(club=club).count()


@pytest.mark.parametrize("desk_first", [True, False])
def test_a_result_while_the_event_is_moved_is_in_the_file_or_refused(desk_first):
    event, director = played(0)
    row = open_pairings(StageRow.objects.get())[0]

    def desk():
        return win(row, director)

    def move():
        return away(event, director)

    said = in_between(desk, move) if desk_first else in_between(move, desk)
    text = said[1] if desk_first else said[0]
    results = len(json.loads(text)["tables"]["result"])
    assert results == Result.objects.count() == int(desk_first)
    if not desk_first:
        assert type(said[1]) is ResultRefused
        assert "another computer" in str(said[1])


def test_an_event_that_is_here_has_no_file_and_is_not_unlocked():
    event, director = played(0)
    for act, said in (
        (lambda: moved_file(event), "is on this computer. Move it first"),
        (lambda: unlock(event=event, user=director), "is already on this computer"),
    ):
        with pytest.raises(DeskRefused, match=said) as error:
            act()
        assert error.value.code == "not_moved"


@pytest.mark.long
def test_unlocking_by_force_discards_what_the_other_machine_did(tmp_path):
    event, owner = played(1)
    home = away(event, owner)
    hashes = list(StageRow.objects.values_list("seed_hash", flat=True))
    venue = at_the_venue(tmp_path, home, play_all)
    unlock(event=event, user=owner)
    assert Event.objects.get().moved_at is None
    entry = DeskEvent.objects.get(kind="unlocked")
    assert (entry.user, text_of(entry), set(entry.body)) == (owner, LAPTOP, {"since"})
    line = next(line for line in event_log(Event.objects.get()) if line.kind == "unlocked")
    assert line.words.startswith("changes made elsewhere since ")
    assert line.words.endswith(" discarded")
    refused("here", event.club, venue)
    assert Result.objects.count() == 1
    win(open_pairings(StageRow.objects.get())[0], owner)
    # Not even once the event is away again.
    away(Event.objects.get(), owner)
    refused("older", event.club, venue)
    assert list(StageRow.objects.values_list("seed_hash", flat=True)) == hashes


def test_a_club_that_never_had_the_event_gets_it_and_another_of_the_installation_does_not():
    event, director = played(1)
    text = away(event, director)
    assert "another club" in refused("another_club", ClubFactory.create(), text)
    club = elsewhere()
    found = bring_here(club=club, text=text, user=None)
    assert found.club == club
    assert set(Membership.objects.filter(club=club).values_list("role", flat=True)) == {Role.GUEST}


def test_a_file_brings_nobody_in_whom_the_club_does_not_know():
    event, director = played(1)
    text = away(event, director)
    stranger = a_player(ClubFactory.create(), "Stranger")

    def put_in(body):
        old = body["tables"]["entrantmember"][0]["player"]
        for name in ("entrantmember", "seat"):
            for row in body["tables"][name]:
                if row["player"] == old:
                    row["player"] = stranger.ref

    refused("stranger", event.club, altered(text, put_in))


@pytest.mark.long
def test_players_who_enter_at_the_venue_come_home_as_guests(tmp_path):
    event = an_event(2)
    home = away(event)

    def enter(there: Event, vera: User) -> None:
        entries.enter(flight=flight_of(there), players=[a_player(there.club, "Later")], user=vera)
        draw_stage(stage=StageRow.objects.get(), user=vera)

    back(event, at_the_venue(tmp_path, home, enter))
    later = Player.objects.get(person__name="Later")
    assert Membership.objects.get(player=later).role == Role.GUEST
    assert StageRow.objects.get().drawn_at is not None


@pytest.mark.long
def test_a_member_who_stood_in_for_a_guest_meanwhile_is_no_stranger(tmp_path):
    event, _dora = written()
    venue = at_the_venue(
        tmp_path, away(event), lambda there, vera: rule_on(event=there, user=vera, happened="M", decision="S")
    )
    guest = Player.objects.get(person__name="P1")
    merge_players(guest=guest, into=member(event.club, name="Paul").player)
    back(event, venue)
    names = Player.objects.filter(entries__isnull=False).values_list("person__name", flat=True)
    assert {"Paul", "P2"} <= set(names)


def test_the_machine_that_draws_seals_its_own_seed_and_shows_its_hash(tmp_path):
    event = an_event(4)
    sealed = StageRow.objects.get()
    home = away(event)
    assert sealed.seed not in home
    assert sealed.dice_seed not in home
    assert sealed.seed_hash in home
    shown = []

    def draw(_event: Event, vera: User) -> None:
        stage = StageRow.objects.get()
        shown.append(stage.seed_hash)
        entry = DeskEvent.objects.get(kind="moved_in")
        seeds = {"stage": sealed.ref, "before": sealed.seed_hash, "hash": stage.seed_hash}
        assert (entry.body, entry.user) == ({"seeds": [seeds]}, vera)
        assert stage.seed_hash == seed_hash(stage.seed) != sealed.seed_hash
        draw_stage(stage=stage, user=vera)

    back(event, at_the_venue(tmp_path, home, draw))
    stage = StageRow.objects.get()
    assert (seed_hash(stage.seed), stage.seed_hash) == (shown[0], shown[0])
    assert check_text(event_archive_text(Event.objects.get())).accepted
    lines = [line.words for line in event_log(Event.objects.get()) if line.kind == "moved_in"]
    assert f"{shown[0][:12]}… replaces {sealed.seed_hash[:12]}…" in lines


@pytest.mark.long
def test_a_draw_that_was_taken_back_at_the_venue_and_made_again_comes_home(tmp_path):
    event = an_event(4)
    stage = drawn(event)
    home = away(event)

    def again(_event: Event, vera: User) -> None:
        undo_draw(stage=StageRow.objects.get(), user=vera, reason="Ana was forgotten")
        draw_stage(stage=StageRow.objects.get(), user=vera)

    back(event, at_the_venue(tmp_path, home, again))
    stage.refresh_from_db()
    assert [old["seed"] for old in stage.superseded] == ["a seed"]
    assert check_text(event_archive_text(Event.objects.get())).accepted


def test_a_draw_from_a_seed_whose_hash_was_not_shown_is_refused(tmp_path):
    event = an_event(4)
    home = away(event)

    def choose(_event: Event, vera: User) -> None:
        StageRow.objects.update(seed="chosen", seed_hash=seed_hash("chosen"))
        draw_stage(stage=StageRow.objects.get(), user=vera)

    venue = at_the_venue(tmp_path, home, choose)
    assert "was never shown" in refused("file", event.club, venue)


@pytest.mark.long
def test_terms_texts_and_prizes_come_home(tmp_path):
    event, dora = written()
    home = away(event, dora)

    def act(there: Event, vera: User) -> None:
        change_event(event=there, changes={"name": "Late Wednesday", "members_only": True}, user=vera)
        change_flight(flight=there.flights.get(), changes={"added": 2500}, user=vera)
        rule_on(event=there, user=vera, happened="A cocked die.", decision="Again.", rule="4.3")
        assert ("conduct", "Threw the cube.") in {
            (e.kind, text_of(e)) for e in DeskEvent.objects.exclude(note=None)
        }
        play_all(there, vera)
        approve_prizes(flight=there.flights.get())

    back(event, at_the_venue(tmp_path, home, act))
    event.refresh_from_db()
    assert (event.name, event.members_only, event.flights.get().added) == ("Late Wednesday", True, 2500)
    said = {(line.kind, line.who, line.text) for line in event_log(event, private=True)}
    assert ("ruling", "Dora", "A die fell.\n→ Roll again.\n§ 4.2") in said
    assert ("ruling", "", "A cocked die.\n→ Again.\n§ 4.3") in said
    assert Prize.objects.exists()
    assert chain_damage(event) is None


@pytest.mark.long
def test_a_login_that_signed_something_here_has_signed_it_still(tmp_path):
    event = an_event(2, terms=FlightTerms(Fees(entry=1000)))
    admin = User.objects.create_superuser("admin@example.org")
    drawn(event)
    Sheet.objects.update(opened_by=admin)
    win(open_pairings(StageRow.objects.get())[0], admin)
    approve_prizes(flight=flight_of(event))
    prize = pay_prize(prize=Prize.objects.get(), how=PaidHow.CASH, user=admin)
    venue = at_the_venue(tmp_path, away(event), lambda _event, _vera: None)
    back(event, venue)
    again = Prize.objects.get()
    assert (again.paid_at, again.paid_by, Sheet.objects.get().opened_by) == (prize.paid_at, admin, admin)

    def pay_anew(_event: Event, vera: User) -> None:
        unpay_prize(prize=Prize.objects.get(), user=vera)
        pay_prize(prize=Prize.objects.get(), how=PaidHow.CASH, user=vera)

    back(event, at_the_venue(tmp_path, away(Event.objects.get()), pay_anew))
    assert Prize.objects.get().paid_by is None


@pytest.mark.long
def test_what_was_erased_here_does_not_come_back(tmp_path):
    event, dora = written()

    def report(there: Event, vera: User) -> None:
        for name in ("P1", "P2"):
            about = [Player.objects.get(person__name=name)]
            report_conduct(event=there, about=about, text=f"Written about {name}.", user=vera)

    venue = at_the_venue(tmp_path, away(event, dora), report)
    late = Player.objects.get(person__name="P1")
    erase_guest(club=event.club, player_ref=late.ref)
    member(event.club, Role.OWNER)
    erase_user(user=dora)
    assert "Dora" not in moved_file(event)
    back(event, venue)
    assert not Player.objects.filter(person__name__in=["P1", "Dora"]).exists()
    notes = Note.objects.filter(pk__in=DeskEvent.objects.exclude(note=None).values("note"))
    # The name of the machine, which Dora had typed, is gone with her other words; Vera typed it, too.
    assert set(notes.values_list("text", flat=True)) == {"", LAPTOP, "Written about P2."}
    assert chain_damage(Event.objects.get()) is None


def test_who_was_erased_stays_nameless_elsewhere():
    event, _dora = written()
    erase_guest(club=event.club, player_ref=Player.objects.get(person__name="P1").ref)
    text = away(event)
    bring_here(club=elsewhere(), text=text, user=None)
    assert Player.objects.filter(erased_at__isnull=False).count() == 1


def test_claims_travel_without_their_codes_and_objections_with_their_texts():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    match = Match.objects.get(board__pairing__stage=stage)
    claim, code = make_claim(match=loaded(match), author=Author(user=director, directs=True), side="white")
    win(pairing(stage, 1), director)
    SheetEvent.objects.filter(kind="final_score").update(user=None, claim=claim)
    Result.objects.update(final_at=None, final_by="")
    Confirmation.objects.all().delete()
    player = Match.objects.with_players().get().black.players[0]
    player.user = User.objects.create_user("b@example.org")
    player.save()
    object_to_result(match=loaded(Match.objects.get()), side="black", user=player.user, reason="It was 2-3.")
    text = away(Event.objects.get())
    bring_here(club=elsewhere(), text=text, user=None)
    assert SheetEvent.objects.get(kind="final_score").claim == Claim.objects.get(side="white")
    assert text_of(Objection.objects.get()) == "It was 2-3."
    with pytest.raises(ClaimRefused):
        open_claim(code=code, session=SessionBase())


def test_an_objection_window_that_ran_out_meanwhile_is_opened_again():
    event, director = played(1)
    match = Result.objects.get().match
    Result.objects.update(final_at=None, final_by="", objection_until=event.starts_at)
    window = ObjectionWindow.objects.create(match=match, revision=1, available_at=event.starts_at)
    away(event, director)
    ObjectionWindow.objects.update(status=WorkStatus.RUNNING, lease_until=event.starts_at, attempt=1)
    close_objection_window(ObjectionWindow.objects.get())
    window.refresh_from_db()
    assert (window.status, Result.objects.get().final_at) == (WorkStatus.FAILED, None)
    unlock(event=event, user=director)
    assert ObjectionWindow.objects.get().status == WorkStatus.QUEUED


def test_whatever_ends_in_the_log_or_tells_the_pages_is_refused_while_the_event_is_away():
    event, director = played(1)
    stale = Event.objects.get()
    away(event, director)
    for act in (lambda: note(event=stale, kind="announced", user=director), lambda: touch(stale)):
        with pytest.raises(MovedAwayRefused, match="Make changes there"), transaction.atomic():
            act()
    with pytest.raises(ResultRefused, match="Record it there"), transaction.atomic():
        lock_match(Match.objects.all()[0])
    assert PairingRow.objects.filter(state="decided").count() == 1


def test_who_moves_an_event_takes_its_stages_in_the_order_of_the_desk_whatever_their_keys():
    flight, _director = planned(SWISS, 0)
    event = flight.event
    stages = list(StageRow.objects.filter(flight__event=event).order_by("pk"))
    turned = {stage.pk: len(stages) - 1 - stage.position for stage in stages}
    for offset in (len(stages), 0):  # no two at the same position meanwhile
        for pk, position in turned.items():
            StageRow.objects.filter(pk=pk).update(position=position + offset)
    first, *behind = sorted(stages, key=lambda stage: turned[stage.pk])
    begun, over = ThreadEvent(), ThreadEvent()

    def at_the_desk() -> None:
        with transaction.atomic():
            list(StageRow.objects.filter(pk=first.pk).select_for_update(no_key=True))
            begun.set()
            until_somebody_waits(over)
            list(StageRow.objects.filter(pk__in=[each.pk for each in behind]).select_for_update(no_key=True))

    def holding() -> None:
        begun.wait(10)
        with transaction.atomic():
            hold_all(event.ref)
        over.set()

    assert at_once(at_the_desk, holding) == [None, None]
