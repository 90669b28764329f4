"""What people wrote travels with an event: texts, authors and claims, home again and without doubling."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.core.management import call_command
from django.urls import reverse

from clubs.clubs.services.erasing import erase_guest, erase_user
from clubs.models import Club, Membership, Note, Player, Role, User
from clubs.people.services.merging import merge_players
from scoring.log.queries.writers import Author
from scoring.models import Claim, Confirmation, Match, Objection, Sheet, SheetEvent
from scoring.sheets.services.claims import ClaimRefused, make_claim, open_claim
from scoring.sheets.services.results import object_to_result
from tests.emptying import empty_tables
from tests.factories import PlayerFactory, member
from tests.scoring.sheets.writing import loaded
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, pairing, win
from tests.tournaments.transfer.test_event_files import altered, elsewhere
from tournaments.core.prizes.pools import Fees
from tournaments.desk.queries.event_log import event_log
from tournaments.desk.services.rulings import appeal, decide_appeal, eligible_for, report_conduct, rule_on
from tournaments.entries.services.entries import enter
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import DeskRefused, FlightTerms
from tournaments.log.services import damage_of
from tournaments.models import DeskEvent, Entrant, Event, Flight, PaidHow, Prize, Stage, WrittenElsewhere
from tournaments.money.services.prizes import approve_prizes, pay_prize, unpay_prize
from tournaments.transfer.services.event_files import event_file, read_event_file

pytestmark = pytest.mark.django_db(transaction=True)


def written() -> tuple[Event, User]:
    """An event with a ruling, its appeal, a conduct report, and results with reasons."""
    event = an_event(4, format_key="double")
    dora = member(event.club, Role.DIRECTOR, name="Dora")
    stage = drawn(event)
    win(pairing(stage, 1), dora, reason="said at the desk")
    ruling = rule_on(event=event, user=dora, happened="A die fell.", decision="Roll again.", rule="4.2")
    committee = [member(event.club, name=f"Judge {number}").player for number in range(3)]
    appeal(event=event, ruling=ruling.seq, committee=committee, user=dora, reason="It was flat.")
    decide_appeal(event=event, ruling=ruling.seq, upheld=True, decision="It was not.", user=dora)
    report_conduct(event=event, about=committee[:1], text="Threw the cube.", user=dora)
    return Event.objects.get(), dora


@contextmanager
def another_machine(tmp_path: Path) -> Iterator[Club]:
    """An empty installation for a while; then this one is here again as it was."""
    kept = tmp_path / "home.xml"
    # JSON would cut the times to milliseconds.
    call_command("dumpdata", "clubs", "scoring", "tournaments", format="xml", output=str(kept), verbosity=0)
    yield elsewhere()
    empty_tables()
    call_command("loaddata", str(kept), verbosity=0)


def dora_rules_at_the_venue(tmp_path: Path, home: str) -> str:
    """The file that comes back from a machine where Dora, there a guest with a login, has ruled."""
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        back = Player.objects.get(person__name="Dora")
        back.user = User.objects.create_user("dora@venue.example")
        back.save()
        rule_on(event=there, user=back.user, happened="At the venue.", decision="So.")
        return event_file(Event.objects.get())


def authors(event: Event) -> list[tuple[str, str, str]]:
    return sorted((line.kind, line.who, line.text) for line in event_log(event, private=True))


def test_texts_and_authors_are_the_same_in_an_empty_installation():
    event, _dora = written()
    text, said = event_file(event, private=True), authors(event)
    found = read_event_file(club=elsewhere(), text=text)
    assert event_file(found, private=True) == text
    assert authors(found) == said
    assert ("conduct", "Dora", "Threw the cube.") in said
    assert not User.objects.filter(player__isnull=False).exists()
    assert damage_of(found) == ""
    assert read_event_file(club=found.club, text=text) == found
    assert event_file(found, private=True) == text


def test_an_event_comes_home_with_what_was_written_at_the_venue_and_nothing_twice(tmp_path):
    event, dora = written()
    home = event_file(event, private=True)
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        vera = member(club, Role.DIRECTOR, name="Vera")
        rule_on(event=there, user=vera, happened="A cocked die.", decision="Again.", rule="4.3")
        win(open_pairings(Stage.objects.get())[0], vera, reason="two witnesses")
        venue = event_file(Event.objects.get(), private=True)
        notes = Note.objects.count()
    read_event_file(club=event.club, text=venue, user=dora)
    assert Note.objects.count() == notes
    assert event_file(Event.objects.get(), private=True) == venue
    said = authors(Event.objects.get())
    assert ("ruling", "Vera", "A cocked die.\n→ Again.\n§ 4.3") in said
    assert DeskEvent.objects.filter(kind="ruling", user=dora).count() == 1
    vera_here = Player.objects.get(person__name="Vera")
    assert (vera_here.user, Membership.objects.get(player=vera_here).role) == (None, Role.GUEST)
    read_event_file(club=event.club, text=venue, user=dora)
    assert event_file(Event.objects.get(), private=True) == venue
    assert Player.objects.filter(person__name="Vera").count() == 1
    assert Note.objects.count() == notes
    with pytest.raises(DeskRefused, match="went further here than in the file"):
        read_event_file(club=event.club, text=home)


def test_terms_that_are_changed_at_the_venue_come_home(tmp_path):
    event, _dora = written()
    home = event_file(event)
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        vera = member(club, Role.DIRECTOR, name="Vera")
        change_event(event=there, changes={"name": "Late Wednesday", "members_only": True}, user=vera)
        change_flight(flight=there.flights.get(), changes={"added": 2500}, user=vera)
        venue = event_file(Event.objects.get())
    read_event_file(club=event.club, text=venue)
    event.refresh_from_db()
    assert (event.name, event.members_only, event.flights.get().added) == ("Late Wednesday", True, 2500)
    said = [line.words for line in event_log(event) if line.who == "Vera"]
    assert said[0] == "Added money: 25.00 EUR instead of 0.00 EUR"
    assert damage_of(event) == ""


def test_a_member_who_wrote_at_the_venue_as_a_guest_is_the_member_again_at_home(tmp_path):
    event, dora = written()
    venue = dora_rules_at_the_venue(tmp_path, event_file(event))
    read_event_file(club=event.club, text=venue)
    assert set(DeskEvent.objects.filter(kind="ruling").values_list("user", flat=True)) == {dora.pk}
    assert not WrittenElsewhere.objects.exists()


def test_conduct_reports_travel_only_for_whom_they_are_shown_to(tmp_path):
    event, _dora = written()
    text = event_file(event)
    assert "Threw the cube" not in text
    with another_machine(tmp_path) as club:
        found = read_event_file(club=club, text=text)
        assert event_file(found) == text
        assert DeskEvent.objects.get(kind="conduct").note is None
        assert damage_of(found) == ""
        vera = member(club, Role.DIRECTOR)
        rule_on(event=found, user=vera, happened="More.", decision="So.")
        venue = event_file(Event.objects.get(), private=True)
    read_event_file(club=event.club, text=venue)
    assert (
        Note.objects.get(pk__in=DeskEvent.objects.filter(kind="conduct").values("note")).text
        == "Threw the cube."
    )


def test_what_was_missing_is_filled_in_by_a_file_that_has_it():
    event, _dora = written()
    less, more = event_file(event), event_file(event, private=True)
    club = elsewhere()
    read_event_file(club=club, text=less)
    found = read_event_file(club=club, text=more)
    assert event_file(found, private=True) == more


def test_a_text_that_was_erased_here_does_not_come_back():
    event, dora = written()
    text = event_file(event, private=True)
    erase_user(user=dora)
    read_event_file(club=event.club, text=text)
    notes = Note.objects.filter(pk__in=DeskEvent.objects.exclude(note=None).values("note"))
    assert set(notes.values_list("text", flat=True)) == {""}


def test_who_was_erased_stays_nameless_elsewhere():
    event, dora = written()
    erase_guest(club=event.club, player_ref=Player.objects.get(person__name="P1").ref)
    erase_user(user=dora)
    text = event_file(event, private=True)
    found = read_event_file(club=elsewhere(), text=text)
    assert event_file(found, private=True) == text
    assert Player.objects.filter(erased_at__isnull=False).count() == 1


def test_who_was_erased_at_home_does_not_come_back_by_name_from_the_venue(tmp_path):
    event, dora = written()
    venue = dora_rules_at_the_venue(tmp_path, event_file(event))
    erased = dora.player
    member(event.club, Role.OWNER)
    erase_user(user=dora)
    read_event_file(club=event.club, text=venue)
    assert not Player.objects.filter(person__name="Dora").exists()
    assert WrittenElsewhere.objects.get(table="deskevent").player == erased
    assert "Dora" not in event_file(Event.objects.get())


def test_what_an_erased_person_wrote_at_the_venue_meanwhile_is_erased_and_others_words_stay(tmp_path):
    event, dora = written()
    home = event_file(event)
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        vera = member(club, Role.DIRECTOR, name="Vera")
        back = Player.objects.get(person__name="Dora")
        back.user = User.objects.create_user("dora@venue.example")
        back.save()
        rule_on(event=there, user=back.user, happened="Written by Dora.", decision="So.")
        rule_on(event=there, user=vera, happened="Written by Vera.", decision="So.")
        report_conduct(event=there, about=[back], text="Written about Dora.", user=vera)
        other = Player.objects.get(person__name="P1")
        report_conduct(event=there, about=[other], text="Written about another.", user=vera)
        venue = event_file(Event.objects.get(), private=True)
    member(event.club, Role.OWNER)
    erase_user(user=dora)
    for _time in range(2):
        read_event_file(club=event.club, text=venue)
        said = {text.split("\n")[0] for _kind, _who, text in authors(Event.objects.get()) if text}
        # What Dora wrote before she was erased at home is gone there, too.
        assert said == {"Written by Vera.", "Written about another."}
        assert damage_of(Event.objects.get()) == ""
        saved = event_file(Event.objects.get(), private=True)
        assert "Dora" not in saved
        assert json.loads(saved)["tables"]["deskevent"][-1]["note"]["text"] == "Written about another."


def test_an_event_comes_home_with_an_entrant_who_was_erased_there_meanwhile(tmp_path):
    event = an_event(3)
    late = a_player(event.club, name="Lena")
    home = event_file(event)
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        lena = PlayerFactory.create(name="Lena", ref=late.ref)
        Membership.objects.create(club=club, player=lena, role=Role.GUEST)
        enter(flight=there.flights.get(), players=[lena])
        venue = event_file(Event.objects.get())
    erase_guest(club=event.club, player_ref=late.ref)
    found = read_event_file(club=event.club, text=venue)
    assert Entrant.objects.filter(flight__event=found).count() == 4
    assert "Lena" not in event_file(found)
    assert not Player.objects.filter(person__name="Lena").exists()


def test_an_author_elsewhere_is_forgotten_and_merged_like_anybody():
    event, _dora = written()
    text = event_file(event, private=True)
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    guest = Player.objects.get(person__name="Dora")
    into = member(club, name="Dora Díaz").player
    merge_players(guest=guest, into=into)
    assert ("ruling", "Dora Díaz") in {(kind, who) for kind, who, _text in authors(found)}
    read_event_file(club=club, text=text)
    assert Player.objects.filter(person__name__startswith="Dora").count() == 1
    erase_user(user=User.objects.get(player=into))
    assert not DeskEvent.objects.filter(note__erased_at=None, note__isnull=False).exists()
    assert {who for kind, who, _text in authors(found) if kind == "ruling"} == {"Erased player"}


def test_who_ruled_elsewhere_sits_in_no_committee_over_it():
    event, _dora = written()
    text = event_file(event)
    found = read_event_file(club=elsewhere(), text=text)
    dora = Player.objects.get(person__name="Dora")
    ruling = DeskEvent.objects.get(kind="ruling")
    assert dora not in eligible_for(found, ruling)


def test_an_author_whom_another_club_knows_becomes_a_guest_of_the_name():
    event, dora = written()
    text = event_file(event)
    ref = dora.player.ref
    club = elsewhere()
    stranger = PlayerFactory.create(name="Somebody else", ref=ref)
    found = read_event_file(club=club, text=text)
    row = DeskEvent.objects.get(kind="ruling")
    assert row.user is None
    assert WrittenElsewhere.objects.get(table="deskevent", row=row.pk).player.name == "Dora"
    assert Membership.objects.filter(player=stranger).count() == 0
    assert event_file(found) == text
    read_event_file(club=club, text=text)
    assert Player.objects.filter(person__name="Dora").count() == 1


def test_what_players_wrote_on_sheets_and_objected_travels():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    match = Match.objects.get(board__pairing__stage=stage)
    claim, code = make_claim(match=loaded(match), author=Author(user=director, directs=True), side="white")
    win(pairing(stage, 1), director)
    SheetEvent.objects.filter(kind="final_score").update(user=None, claim=claim)
    Match.objects.get().result.__class__.objects.update(final_at=None, final_by="")
    Confirmation.objects.all().delete()
    player = Match.objects.with_players().get().black.players[0]
    player.user = User.objects.create_user("b@example.org")
    player.save()
    object_to_result(match=loaded(Match.objects.get()), side="black", user=player.user, reason="It was 2-3.")
    text = event_file(Event.objects.get())
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    assert event_file(found) == text
    assert SheetEvent.objects.get(kind="final_score").claim == Claim.objects.get(side="white")
    objection = Objection.objects.get()
    assert (Note.objects.get(pk__in=Objection.objects.values("note")).text, objection.side) == (
        "It was 2-3.",
        "black",
    )
    assert Claim.objects.get().code_hash not in text
    with pytest.raises(ClaimRefused):
        open_claim(code=code, session=SessionBase())
    read_event_file(club=club, text=text)
    assert event_file(found) == text


def file_of_a_paid_prize() -> str:
    """Of an event whose prize the director Dora has paid."""
    event = an_event(2, terms=FlightTerms(Fees(entry=1000)))
    director = member(event.club, Role.DIRECTOR, name="Dora")
    win(pairing(drawn(event), 1), director)
    approve_prizes(flight=event.flights.get())
    pay_prize(prize=Prize.objects.order_by("pk")[0], how=PaidHow.CASH, user=director)
    return event_file(Event.objects.get())


def test_who_paid_a_prize_travels():
    text = file_of_a_paid_prize()
    found = read_event_file(club=elsewhere(), text=text)
    assert event_file(found) == text
    row = WrittenElsewhere.objects.get(table="prize")
    assert (row.field, row.player.name) == ("paid_by", "Dora")


def test_a_prize_that_was_not_paid_after_all_forgets_who_paid_it_elsewhere():
    text = file_of_a_paid_prize()
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    vera = member(club, Role.DIRECTOR, name="Vera")
    (prize,) = Prize.objects.exclude(paid_at=None)
    unpay_prize(prize=prize, user=vera)
    assert not WrittenElsewhere.objects.filter(table="prize").exists()
    saved = json.loads(event_file(Event.objects.get(pk=found.pk)))
    assert {row["paid_by"] for row in saved["tables"]["prize"]} == {None}


def test_who_has_a_login_and_no_player_stays_the_author_at_home_when_the_row_goes_on(tmp_path):
    event = an_event(2, terms=FlightTerms(Fees(entry=1000)))
    admin = User.objects.create_superuser("admin@example.org")
    stage = drawn(event)
    Sheet.objects.update(opened_by=admin)
    home = event_file(Event.objects.get())
    with another_machine(tmp_path) as club:
        read_event_file(club=club, text=home)
        vera = member(club, Role.DIRECTOR, name="Vera")
        win(pairing(Stage.objects.get(), 1), vera)
        approve_prizes(flight=Flight.objects.get())
        venue = event_file(Event.objects.get())
    read_event_file(club=event.club, text=venue)
    sheet = Sheet.objects.get(match__board__pairing__stage=stage)
    assert (sheet.head_seq > 0, sheet.opened_by) == (True, admin)
    # The same of a payment, as long as it is this one.
    (prize,) = Prize.objects.all()
    pay_prize(prize=prize, how=PaidHow.CASH, user=admin)
    paid = event_file(Event.objects.get())
    with another_machine(tmp_path) as club:
        read_event_file(club=club, text=paid)
        Prize.objects.update(amount=1999)
        other_amount = event_file(Event.objects.get())
        unpay_prize(prize=Prize.objects.get(), user=None)
        unpaid = event_file(Event.objects.get())
    read_event_file(club=event.club, text=other_amount)
    again = Prize.objects.get()
    assert (again.amount, again.paid_by) == (1999, admin)
    read_event_file(club=event.club, text=unpaid)
    again.refresh_from_db()
    assert (again.paid_at, again.paid_by) == (None, None)


def note_of(body, kind="ruling"):
    return next(row for row in body["tables"]["deskevent"] if row["kind"] == kind)["note"]


@pytest.mark.parametrize(
    "change",
    [
        lambda body: note_of(body).update(text="Something else."),
        lambda body: note_of(body).update(salt="00" * 16),
        lambda body: note_of(body).update(salt="x"),
        lambda body: note_of(body).update(text=""),
        lambda body: note_of(body).update(ref="no ref"),
        lambda body: note_of(body).pop("ref"),
        lambda body: next(r for r in body["tables"]["deskevent"] if r["note"]).update(note="text"),
        lambda body: next(r for r in body["tables"]["deskevent"] if r["user"]).update(user="nobody"),
        lambda body: next(r for r in body["tables"]["deskevent"] if r["user"]).update(user=7),
        lambda body: next(r for r in body["tables"]["deskevent"] if r["user"]).pop("user"),
        lambda body: body["tables"].pop("objection"),
    ],
)
def test_a_text_or_an_author_that_does_not_fit_the_log_is_refused(change):
    event, _dora = written()
    text = event_file(event, private=True)
    club = elsewhere()
    with pytest.raises(DeskRefused, match="no event file"):
        read_event_file(club=club, text=altered(text, change))
    assert not Event.objects.exists()
    assert not Note.objects.exists()


def test_no_file_reads_a_note_that_is_somebody_elses():
    event, _dora = written()
    text = event_file(event, private=True)
    ref = note_of(json.loads(text))["ref"]
    club = elsewhere()
    Note.objects.create(ref=ref, text="A secret.")
    with pytest.raises(DeskRefused, match="has another text here") as refused:
        read_event_file(club=club, text=text)
    assert refused.value.code == "note"
    assert not Event.objects.exists()


def first_edition(body):
    """The file as it was written before authors and texts travelled."""
    body["edition"] = 1
    body.pop("sealed", None)
    for name in ("claim", "objection"):
        body["tables"].pop(name)
    for rows in body["tables"].values():
        for row in rows:
            for column in ("user", "claim", "note", "opened_by", "paid_by", "breaks", "breaks_seq"):
                row.pop(column, None)
    for row in body["tables"]["pairing"]:
        row["unlocked_seq"] = None


def test_a_file_of_the_first_edition_is_read_and_takes_nothing_away():
    event, dora = written()
    text = event_file(event, private=True)
    read_event_file(club=event.club, text=altered(text, first_edition))
    assert event_file(Event.objects.get(), private=True) == text
    assert DeskEvent.objects.get(kind="ruling").user == dora
    found = read_event_file(club=elsewhere(), text=altered(text, first_edition))
    assert DeskEvent.objects.get(kind="ruling").note is None
    read_event_file(club=found.club, text=text)
    assert event_file(found, private=True) == text


def test_a_file_of_a_later_edition_is_refused_by_its_number():
    event, _dora = written()
    text = altered(event_file(event), lambda body: body.update(edition=3))
    with pytest.raises(DeskRefused, match="its edition is 3, and those known here are up to 2"):
        read_event_file(club=event.club, text=text)


def test_the_log_shows_of_what_came_in_with_a_file_who_read_it(client, tmp_path):
    event, dora = written()
    home = event_file(event, private=True)
    before = {line.seq for line in event_log(event, private=True)}
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        assert all(line.came.startswith("says a file that was read on ") for line in event_log(there))
        vera = member(club, Role.DIRECTOR, name="Vera")
        rule_on(event=there, user=vera, happened="At the venue.", decision="So.")
        venue = event_file(Event.objects.get(), private=True)
    # The file says that Dora wrote it, who has a login here.
    ref = dora.player.ref

    def in_doras_name(body):
        body["tables"]["deskevent"][-1]["user"] = ref

    eva = member(event.club, Role.DIRECTOR, name="Eva")
    for _time in range(2):
        read_event_file(club=event.club, text=altered(venue, in_doras_name), user=eva)
        lines = {line.seq: line for line in event_log(Event.objects.get(), private=True)}
        forged = lines.pop(max(seq for seq in lines if seq is not None))
        assert (forged.kind, forged.who) == ("ruling", "Dora")
        assert forged.came.startswith("says a file that Eva read on ")
        assert {line.came for line in lines.values()} == {""}
        assert lines.keys() == before
    client.force_login(dora)
    ruling = reverse("tournaments:ruling", args=[event.ref, forged.seq])
    for page in (reverse("tournaments:log", args=[event.ref]), ruling):
        assert client.get(page).content.decode().count("says a file that Eva read on ") == 1
    entries = client.get(reverse("api:event_log", args=[event.ref])).json()["items"]
    assert [each["seq"] for each in entries if each["came_at"]] == [forged.seq]
    importing = client.get(reverse("tournaments:read_file", args=[event.club.slug]))
    assert "nothing proves it" in importing.content.decode()


def test_what_is_written_here_after_a_file_is_no_files_word(tmp_path):
    event, _dora = written()
    text = event_file(event)
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    vera = member(club, Role.DIRECTOR, name="Vera")
    rule_on(event=found, user=vera, happened="Here.", decision="So.")
    win(open_pairings(Stage.objects.get())[0], vera)
    said = {line.who: bool(line.came) for line in event_log(Event.objects.get())}
    assert (said["Vera"], said["Dora"]) == (False, True)


def test_a_director_saves_the_conduct_reports_along(client):
    event, dora = written()
    client.force_login(dora)
    page = client.get(reverse("tournaments:event_file", args=[event.ref])).content.decode()
    assert "Threw the cube." in page
    answer = client.get(reverse("api:event_file", args=[event.ref])).json()
    assert answer["file"] == page


def test_a_guest_who_became_a_member_meanwhile_is_no_stranger(tmp_path):
    event, _dora = written()
    home = event_file(event)
    with another_machine(tmp_path) as club:
        there = read_event_file(club=club, text=home)
        vera = member(club, Role.DIRECTOR)
        rule_on(event=there, user=vera, happened="More.", decision="So.")
        venue = event_file(Event.objects.get())
    guest = Player.objects.get(person__name="P1")
    merge_players(guest=guest, into=member(event.club, name="Paul").player)
    read_event_file(club=event.club, text=venue)
    assert {"Paul", "P2"} <= set(
        Player.objects.filter(entries__isnull=False).values_list("person__name", flat=True)
    )
