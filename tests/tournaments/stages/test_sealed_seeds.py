"""Seeds of draws to be made travel sealed for one machine: nobody reads them, and the hash shown stays."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.urls import reverse

from clubs.models import Club, Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, flight_of, open_pairings, win
from tests.tournaments.transfer.test_event_files import altered, elsewhere
from tests.tournaments.transfer.test_event_travel import another_machine
from tournaments.core.proof.check import check_text
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import DeskRefused
from tournaments.log.installation_keys import kept
from tournaments.models import DeskEvent, Event, Stage
from tournaments.stages.services import sealed_seeds
from tournaments.stages.services.archives import event_archive_text
from tournaments.stages.services.draws import draw_stage, take_draw_back
from tournaments.stages.services.sealed_seeds import opened, sealed, seeds_key
from tournaments.transfer.services.event_files import event_file, read_event_file

pytestmark = pytest.mark.django_db(transaction=True)


class Machines:
    """Which machine this is: each has its own directory for its key."""

    def __init__(self, root: Path, settings: SimpleNamespace) -> None:
        self._root, self._settings = root, settings

    def be(self, name: str) -> str:
        """Be this machine from now on; its key."""
        (self._root / name).mkdir(exist_ok=True)
        self._settings.VAR = self._root / name
        sealed_seeds._own_key.cache_clear()
        return seeds_key()


@pytest.fixture
def machines(tmp_path, settings) -> Iterator[Machines]:
    found = Machines(tmp_path, settings)
    found.be("home")
    yield found
    sealed_seeds._own_key.cache_clear()


def seeds() -> list[tuple[str, str, str]]:
    return sorted(Stage.objects.values_list("seed", "dice_seed", "seed_hash"))


def to_venue(machines: Machines) -> tuple[Event, str]:
    """An announced event, and its file for the venue."""
    key = machines.be("venue")
    machines.be("home")
    event = an_event(4)
    return event, event_file(event, for_key=key)


def test_the_seed_goes_sealed_and_the_hash_that_was_shown_stays(machines):
    _event, text = to_venue(machines)
    ((seed, dice, shown),) = seeds()
    assert seed not in text
    assert dice not in text
    club = elsewhere()
    machines.be("venue")
    found = read_event_file(club=club, text=text)
    assert seeds() == [(seed, dice, shown)]
    assert not DeskEvent.objects.filter(kind="sealed_anew").exists()
    assert event_file(found) == altered_to_plain(text)
    stage = draw_stage(stage=Stage.objects.get(), user=None)
    assert (stage.seed, stage.seed_hash) == (seed, shown)
    assert check_text(event_archive_text(found)).accepted


def altered_to_plain(text: str) -> str:
    """The file without what was sealed."""
    body = json.loads(altered(text, lambda body: body.update(sealed=None)))
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def test_it_is_read_again_as_often_as_the_event_goes_on_at_home(machines, tmp_path):
    event, text = to_venue(machines)
    director = member(event.club, Role.DIRECTOR)
    enter(flight=flight_of(event), players=[a_player(event.club, "Later")], user=director)
    key = machines.be("venue")
    machines.be("home")
    later = event_file(Event.objects.get(), for_key=key)
    before = seeds()
    with another_machine(tmp_path) as club:
        machines.be("venue")
        for each in (text, text, later, later):
            found = read_event_file(club=club, text=each)
            assert seeds() == before
        draw_stage(stage=Stage.objects.get(), user=None)
        while rows := open_pairings(Stage.objects.get()):
            for row in rows:
                win(row, member(club, Role.DIRECTOR))
        venue = event_file(Event.objects.get(pk=found.pk))
    machines.be("home")
    read_event_file(club=event.club, text=venue)
    assert Event.objects.get().status == "finished"
    assert event_file(Event.objects.get()) == venue
    assert Stage.objects.get().seed_hash == before[0][2]


def test_another_machine_does_not_open_it(machines):
    _event, text = to_venue(machines)
    club = elsewhere()
    machines.be("somewhere else")
    with pytest.raises(DeskRefused, match="sealed for another machine") as refused:
        read_event_file(club=club, text=text)
    assert refused.value.code == "sealed_elsewhere"
    assert not Event.objects.exists()


def test_where_the_seed_is_known_a_file_for_another_machine_is_read(machines):
    event, text = to_venue(machines)
    before = seeds()
    assert read_event_file(club=event.club, text=text) == event
    assert seeds() == before


def test_a_draw_that_was_taken_back_at_the_venue_comes_home_with_its_next_seed(machines, tmp_path):
    event, text = to_venue(machines)
    home = machines.be("home")
    with another_machine(tmp_path) as club:
        machines.be("venue")
        there = read_event_file(club=club, text=text)
        director = member(club, Role.DIRECTOR)
        stage = draw_stage(stage=Stage.objects.get(), user=director)
        take_draw_back(stage=stage, user=director, reason="Late was forgotten")
        again = seeds()
        plain, venue = event_file(Event.objects.get()), event_file(Event.objects.get(), for_key=home)
        assert there.ref == event.ref
    machines.be("home")
    known_to_all = Stage.objects.get().seed
    read_event_file(club=event.club, text=venue)
    assert seeds() == again
    assert seeds()[0][0] != known_to_all
    read_event_file(club=event.club, text=plain)
    assert seeds() == again


def test_a_seed_that_everybody_knows_is_never_kept_for_the_next_draw(machines, tmp_path):
    event, text = to_venue(machines)
    with another_machine(tmp_path) as club:
        machines.be("venue")
        read_event_file(club=club, text=text)
        stage = draw_stage(stage=Stage.objects.get(), user=None)
        take_draw_back(stage=stage, user=None, reason="again")
        plain = event_file(Event.objects.get())
    machines.be("home")
    known_to_all = Stage.objects.get().seed
    read_event_file(club=event.club, text=plain)
    assert Stage.objects.get().seed != known_to_all
    assert DeskEvent.objects.filter(kind="sealed_anew").count() == 1


def test_a_draw_from_another_seed_than_the_one_shown_must_be_told(machines, tmp_path):
    event, text = to_venue(machines)
    with another_machine(tmp_path) as club:
        machines.be("venue")
        read_event_file(club=club, text=text)
        stage = Stage.objects.get()
        stage.seed, stage.seed_hash = "chosen", sealed_seed_hash("chosen")
        stage.save()
        draw_stage(stage=stage, user=None)
        venue = event_file(Event.objects.get())
    machines.be("home")
    with pytest.raises(DeskRefused, match="another seed than the one whose hash was shown"):
        read_event_file(club=event.club, text=venue)
    assert Stage.objects.get().drawn_at is None


def sealed_seed_hash(seed: str) -> str:
    return Stage(seed=seed, dice_seed=seed, duplicate_dice=True).dice_hash


def test_seeds_sealed_at_the_venue_in_place_of_those_shown_are_told_and_come_home(tmp_path):
    event = an_event(4)
    text = event_file(event)
    with another_machine(tmp_path) as club:
        read_event_file(club=club, text=text)
        draw_stage(stage=Stage.objects.get(), user=None)
        venue = event_file(Event.objects.get())
    read_event_file(club=event.club, text=venue)
    assert event_file(Event.objects.get()) == venue


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body["sealed"].update(box="AAAA"),
        lambda body: body["sealed"].update(box="no base 64"),
        lambda body: body["sealed"].pop("box"),
        lambda body: body["sealed"].update({"for": 7}),
        lambda body: body.update(sealed="box"),
        lambda body: body.pop("sealed"),
        lambda body: body["tables"]["stage"][0].update(seed_hash="0" * 64),
        lambda body: body["tables"]["event"][0].update(ref="2222222222"),
        lambda body: body["sealed"].update(
            box=b64encode(b64decode(body["sealed"]["box"])[:-1] + b"\0").decode()
        ),
    ],
)
def test_a_seal_that_was_tampered_with_is_refused(machines, change):
    _event, text = to_venue(machines)
    club: Club = elsewhere()
    machines.be("venue")
    with pytest.raises(DeskRefused):
        read_event_file(club=club, text=altered(text, change))
    assert not Event.objects.exists()


@pytest.mark.parametrize("key", ["x", "A" * 42, "A" * 43, "ñ" * 43, "A" * 60])
def test_what_is_no_key_is_refused_by_name(machines, key, client):
    event, _text = to_venue(machines)
    with pytest.raises(DeskRefused, match="is no key of a machine"):
        event_file(event, for_key=key)
    client.force_login(member(event.club, Role.DIRECTOR))
    answer = client.get(reverse("tournaments:event_file", args=[event.ref]), {"key": key})
    assert (answer.status_code, key in answer.content.decode()) == (409, True)
    assert client.get(reverse("api:event_file", args=[event.ref]), {"key": key}).status_code == 409


def test_a_seal_opens_for_its_event_alone(machines):
    key = machines.be("home")
    box = sealed({"a": ("s", "d")}, event="one", for_key=f" {key}\n")
    assert opened(box, event="one") == {"a": ("s", "d")}
    with pytest.raises(ValueError, match="do not open"):
        opened(box, event="another")


def test_the_key_is_made_once_kept_from_others_and_shown_to_directors(machines, client, tmp_path):
    key = machines.be("venue")
    assert machines.be("home") != key
    assert machines.be("venue") == key
    assert (tmp_path / "venue" / sealed_seeds.KEY).stat().st_mode & 0o077 == 0
    event = an_event()
    client.force_login(member(event.club, Role.DIRECTOR))
    page = client.get(reverse("tournaments:read_file", args=[event.club.slug]))
    assert key in page.content.decode()
    answer = client.get(reverse("api:club_event_file", args=[event.club.slug])).json()
    assert answer == {"key": key}


def test_of_two_who_make_a_key_at_once_one_wins_and_no_file_is_half_a_key(settings, tmp_path):
    settings.VAR = str(tmp_path)

    def meanwhile() -> bytes:
        """Another thread of the same process is faster."""
        kept("key", lambda: b"first")
        return b"second, and longer"

    assert kept("key", meanwhile).read_bytes() == b"first"
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_a_director_saves_the_file_for_another_machine(machines, client):
    event, _text = to_venue(machines)
    key = machines.be("venue")
    machines.be("home")
    client.force_login(member(event.club, Role.DIRECTOR))
    page = client.get(event.get_absolute_url()).content.decode()
    assert 'name="key"' in page
    text = client.get(reverse("tournaments:event_file", args=[event.ref]), {"key": key}).content.decode()
    assert json.loads(text)["sealed"]["for"] == key
