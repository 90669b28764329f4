"""A whole event as a file: into an empty installation, there and back, once, and never over what went on."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from clubs.models import Club, Player, Role, User
from scoring.models import Match
from tests.emptying import empty_tables
from tests.factories import ClubFactory, member
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, pairing, win
from tournaments.core.prizes.pools import Fees
from tournaments.core.stages.stage import seed_hash
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import DeskRefused, FlightTerms
from tournaments.log.services import damage_of as damage_of_log
from tournaments.log.services import note
from tournaments.models import DeskEvent, Event, Pairing, Stage
from tournaments.money.services.prizes import approve_prizes
from tournaments.stages.services.stages import damage_of
from tournaments.transfer.services.event_files import _digest, event_file, read_event_file

pytestmark = pytest.mark.django_db(transaction=True)


def played(results: int = 2) -> tuple[Event, User]:
    """A knockout of four of whose matches some are played."""
    event = an_event(4, format_key="double", terms=FlightTerms(Fees(entry=1000)))
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for number in range(1, results + 1):
        win(pairing(stage, number), director)
    return event, director


def elsewhere() -> Club:
    """Another installation: nothing is there but a club."""
    empty_tables()
    return ClubFactory.create()


def altered(text: str, change) -> str:
    """The file with a change, signed anew."""
    body = json.loads(text)
    change(body)
    body["digest"] = _digest(body)
    return json.dumps(body)


def test_an_event_is_the_same_in_an_empty_installation():
    event, _director = played()
    text = event_file(event)
    names = sorted(Player.objects.filter(entries__isnull=False).values_list("person__name", flat=True))
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    assert event_file(found) == text
    known = Player.objects.filter(entries__isnull=False)
    assert sorted(known.values_list("person__name", flat=True)) == names
    stage = Stage.objects.get()
    assert damage_of(stage) == ""
    director = member(club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    assert Event.objects.get().status == "finished"


def test_it_goes_there_and_back_and_is_applied_once():
    event, _director = played(1)
    home = event_file(event)
    kept = {model: list(model.objects.values_list("pk", "ref")) for model in (Event, Stage, Pairing, Match)}
    stage = Stage.objects.get()
    # The laptop is this installation after two more results; home is what it was before.
    director = member(event.club, Role.DIRECTOR)
    win(pairing(stage, 2), director)
    win(open_pairings(stage)[0], director)
    venue = event_file(event)
    club = elsewhere()
    assert event_file(read_event_file(club=club, text=home)) == home
    before = dict(Match.objects.values_list("ref", "pk"))
    assert event_file(read_event_file(club=club, text=venue)) == venue
    assert event_file(read_event_file(club=club, text=venue)) == venue
    after = dict(Match.objects.values_list("ref", "pk"))
    assert {ref: after[ref] for ref in before} == before
    assert {ref for _pk, ref in kept[Match]} == set(before)
    with pytest.raises(DeskRefused, match="went further here than in the file"):
        read_event_file(club=club, text=home)


def test_what_went_on_on_both_sides_is_not_mixed():
    event, director = played(1)
    before = event_file(event)
    stage = Stage.objects.get()
    win(pairing(stage, 2), director)
    one = event_file(event)
    club = elsewhere()
    read_event_file(club=club, text=before)
    director = member(club, Role.DIRECTOR)
    win(pairing(Stage.objects.get(), 2), director, a=False)
    with pytest.raises(DeskRefused, match="here and there in different ways"):
        read_event_file(club=club, text=one)


@pytest.mark.parametrize(
    "clause",
    ["crawford", {"rule": "crawford"}, {"profile": "", "title": "", "rule": "x", "value": {}}],
)
def test_a_ruling_that_cites_no_clause_is_refused(clause):
    event, director = played()
    with transaction.atomic():
        note(event=event, kind="ruling", user=director, clause=clause)
    text = event_file(event)
    with pytest.raises(DeskRefused, match="no clause of a rules profile"):
        read_event_file(club=elsewhere(), text=text)


def test_prizes_go_along():
    event, director = played(0)
    stage = Stage.objects.get()
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    approve_prizes(flight=flight_of(event))
    text = event_file(event)
    assert event_file(read_event_file(club=elsewhere(), text=text)) == text


DAMAGES: list[Callable[[dict[str, Any]], object]] = [
    lambda body: body["tables"]["result"][0].update(winner="black"),
    lambda body: body["tables"]["stageevent"].pop(),
    lambda body: body["tables"]["stageevent"][0].update(hash="0" * 64),
    lambda body: body["tables"]["sheetevent"].pop(0),
    lambda body: body["tables"]["board"][0].update(match=10_000),
    lambda body: body["tables"]["board"][0].update(match="0"),
    lambda body: body["tables"]["event"][0].update(status="asleep"),
    lambda body: body["tables"]["event"][0].update(starts_at="soon"),
    lambda body: body["tables"]["event"].append(body["tables"]["event"][0]),
    lambda body: body["tables"]["entrantmember"][0].update(player="nobody"),
    lambda body: body["tables"]["flight"][0].pop("capacity"),
    lambda body: body["tables"]["flight"][0].update(extra=1),
    lambda body: body["tables"].pop("seat"),
    lambda body: body["tables"].update(seat={}),
    lambda body: body.update(edition=3),
    lambda body: body["tables"]["stage"][0].update(feeds=[{"kind": "everybody", "into": "x"}]),
    lambda body: body["tables"]["stage"][0].update(starts={"1": "noon"}),
    lambda body: body["tables"]["flight"][0].update(pools=[{"key": "x", "fee": -1}]),
    lambda body: body["tables"]["event"][0].update(zone="Mars/Olympus"),
    lambda body: body["tables"]["event"][0].update(profile={"name": ""}),
    lambda body: body["tables"]["flight"][0].update(shares={"main": 150}),
    lambda body: body["tables"]["flight"][0].update(shares=[70, 30]),
    lambda body: body["tables"]["stage"][0].update(superseded=[{"seed": "x"}]),
    lambda body: body["tables"]["stage"][0].update(superseded=["a draw"]),
    lambda body: body["tables"]["stage"][0].update(drawn_behind=1),
]


def test_a_file_that_does_not_hold_together_is_refused_and_nothing_is_kept():
    event, _director = played()
    text = event_file(event)
    club = elsewhere()
    for number, damage in enumerate(DAMAGES):
        with pytest.raises(DeskRefused, match="no event file"):
            read_event_file(club=club, text=altered(text, damage))
        assert not Event.objects.exists(), number
        assert not Player.objects.filter(entries__isnull=False).exists(), number


@pytest.mark.parametrize("text", ["", "[]", "{}", "no json", "[" * 100_000])
def test_what_is_no_file_is_refused(text):
    with pytest.raises(DeskRefused, match="no event file"):
        read_event_file(club=ClubFactory.create(), text=text)


def test_a_change_by_hand_shows():
    event, _director = played()
    text = event_file(event).replace("Wednesday", "Thursday")
    with pytest.raises(DeskRefused, match="changed after it was written"):
        read_event_file(club=event.club, text=text)


def test_a_file_takes_no_event_from_another_club():
    event, _director = played()
    with pytest.raises(DeskRefused, match="belongs to another club"):
        read_event_file(club=ClubFactory.create(), text=event_file(event))


def test_a_file_brings_nobody_in_whom_the_club_does_not_know():
    event, _director = played()
    text = event_file(event)
    stranger = a_player(ClubFactory.create(), "Stranger")

    def put_in(body):
        old = body["tables"]["entrantmember"][0]["player"]
        for name in ("entrantmember", "seat"):
            for row in body["tables"][name]:
                if row["player"] == old:
                    row["player"] = stranger.ref

    with pytest.raises(DeskRefused, match="is no player of"):
        read_event_file(club=event.club, text=altered(text, put_in))


def test_an_event_that_is_not_drawn_moves_too():
    event = an_event(2)
    text = event_file(event)
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    enter(flight=flight_of(found), players=[a_player(club, "Later")])
    assert drawn(found).drawn_at is not None


def test_nobody_reads_a_seed_in_the_file_before_the_draw():
    event = an_event(4)
    sealed = Stage.objects.get()
    text = event_file(event)
    assert sealed.seed not in text
    assert sealed.dice_seed not in text
    assert sealed.seed_hash in text
    stage = drawn(event, seed="used")
    body = json.loads(event_file(event))
    assert (body["tables"]["stage"][0]["seed"], stage.drawn_at is not None) == ("used", True)


def test_a_seed_that_is_sealed_here_stays_when_the_file_comes_back():
    event = an_event(4)
    before = Stage.objects.values("seed", "dice_seed", "seed_hash").get()
    read_event_file(club=event.club, text=event_file(event))
    read_event_file(club=event.club, text=event_file(event))
    assert Stage.objects.values("seed", "dice_seed", "seed_hash").get() == before
    assert not DeskEvent.objects.filter(kind="sealed_anew").exists()


@pytest.mark.parametrize("seed", ["", "known to all"])
def test_where_an_event_is_new_another_seed_is_sealed_and_the_log_has_both_hashes(seed):
    event = an_event(2)
    first = Stage.objects.get()
    text = altered(event_file(event), lambda body: body["tables"]["stage"][0].update(seed=seed))
    club = elsewhere()
    director = member(club, Role.DIRECTOR)
    found = read_event_file(club=club, text=text, user=director)
    stage = Stage.objects.get()
    assert stage.seed not in {"", seed, first.seed}
    assert stage.dice_seed not in {"", first.dice_seed}
    assert stage.seed_hash == seed_hash(stage.seed)
    entry = DeskEvent.objects.get(event=found, kind="sealed_anew")
    assert entry.user == director
    assert entry.body == {"seeds": [{"stage": first.ref, "before": first.seed_hash, "hash": stage.seed_hash}]}
    assert damage_of_log(Event.objects.get()) == ""


def test_without_seeds_the_same_file_is_read_twice_and_one_that_went_on_once():
    event = an_event(2)
    text = event_file(event)
    enter(flight=flight_of(event), players=[a_player(event.club, "Later")], user=member(event.club))
    later = event_file(Event.objects.get())
    club = elsewhere()
    found = read_event_file(club=club, text=text)
    before = event_file(found)
    assert read_event_file(club=club, text=text) == found
    assert event_file(Event.objects.get()) == before
    assert DeskEvent.objects.filter(kind="sealed_anew").count() == 1
    with pytest.raises(DeskRefused, match="here and there in different ways"):
        read_event_file(club=club, text=later)
