"""What the demo club has to show, and that it is the same for the same seed however it was made."""

from collections.abc import Callable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from clubs.clubs.services.clubs import create_club
from clubs.models import Club, DemoProgress, Membership, Person, Role, User, WorkStatus
from clubs.people.services.names import player_of
from deploy.demo.chouette import AT_FIRST, GAMES
from deploy.demo.clearing import clear_demo
from deploy.demo.club import EMAILS, demo_password, fill_demo, games_left, keep_passwords
from deploy.demo.event import GAMES as GAMES_LIVE
from deploy.demo.farm import play
from deploy.demo.learning import record_learning
from deploy.demo.making import make_demo
from deploy.demo.plan import UNCONFIRMED, Size
from scoring.analysis.queries.engines import of_club
from scoring.chouettes.services.chouettes import table_state
from scoring.chouettes.services.damage import damage_of
from scoring.files.queries.names import claims_in
from scoring.learning.queries.cards import counts_of
from scoring.learning.queries.shared import current_position
from scoring.log.queries.chouettes import seen_table
from scoring.log.services.chains import chain_damage
from scoring.matches.queries.matches import unconfirmed_in
from scoring.models import (
    Analysis,
    Chouette,
    Helper,
    LinkShows,
    Match,
    MatchNote,
    MatchStatus,
    Rating,
    SavedPosition,
    ShareLink,
    SheetEvent,
    Upload,
)
from scoring.rules.events import GameRecorded
from tests.deploy.demo.small import (
    PLAN,
    SIZE,
    everything,
    founded,
    ignore,
    made,
    outside_events,
    played,
    ratings,
)
from tests.factories import ClubFactory
from tests.scoring.factories import finish_match, open_match
from tests.scoring.learning.analysed import analysed_match
from tests.tiers import sized
from tournaments.models import EntrantRow, Event, EventStatus, PairingRow, PairingState, StageRow


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: Any) -> Iterator[Club]:
    """The demo club, made once: each test runs within this transaction and is rolled back by itself."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield made()
        transaction.set_rollback(True)


@pytest.fixture
def club(demo: Club, db: None) -> Club:
    return Club.objects.get(pk=demo.pk)


def test_every_sheet_of_the_demo_verifies(club: Club):
    assert outside_events(club).count() == SIZE.matches + 3
    matches = Match.objects.in_club(club).select_related("sheet")
    assert len(matches) > SIZE.matches + 3
    assert [damage_of(match.sheet) for match in matches] == [None] * len(matches)


def test_the_chouette_of_the_demo_is_lively_and_verifies(club: Club):
    table = Chouette.objects.in_club(club).with_sheet().get()
    assert damage_of(table.sheet) is None
    state = table_state(table.sheet)
    assert len(state.games) == GAMES
    assert len(state.seats) == AT_FIRST + 1
    assert state.game is not None
    assert len(state.game.offered) == 1
    assert table.sheet.events.filter(replaces__isnull=False).count() == 1
    assert sum(minor for _points, minor in state.balances.values()) == 0
    assert any(result.agreed is not None for game in state.games for result in game.results)
    member = User.objects.get(email=EMAILS[1])
    assert seen_table(member, table.ref) is not None


def test_an_event_is_on_and_one_takes_entries(club: Club, client: Client):
    running, coming = Event.objects.filter(club=club).order_by("starts_at")
    assert (running.status, coming.status) == (EventStatus.RUNNING, EventStatus.ANNOUNCED)
    stage = StageRow.objects.get(flight__event=running)
    assert (chain_damage(stage), chain_damage(running)) == (None, None)
    open_ones = PairingRow.objects.filter(stage=stage, state=PairingState.OPEN)
    assert open_ones.exclude(started_at=None).exists()
    games = SheetEvent.objects.filter(sheet__match__board__pairing__in=open_ones, kind=GameRecorded.kind)
    assert games.count() == len(GAMES_LIVE)
    assert EntrantRow.objects.filter(flight__event=coming).exists()
    assert f"{coming.starts_at.astimezone(ZoneInfo(club.tz)):%A %H:%M}" == "Wednesday 19:00"
    client.force_login(User.objects.get(email=EMAILS[0]))
    for name in ("event", "desk", "wall", "money"):
        assert client.get(reverse(f"tournaments:{name}", args=[running.ref])).status_code == 200


def test_every_page_has_something_to_show(club: Club):
    director, someone = (User.objects.get(email=email) for email in EMAILS)
    this_club = Club.objects.filter(pk=club.pk)
    assert club.is_demo
    assert Membership.objects.get(club=club, player__user=director).role == Role.OWNER
    assert Membership.objects.get(club=club, player__user=someone).role == Role.MEMBER
    assert outside_events(club).filter(status=MatchStatus.UNFINISHED).count() == 1
    live = outside_events(club).get(status=MatchStatus.PLAYING)
    assert {seat.player.user for seat in live.seats.all()} == {director, someone}
    assert unconfirmed_in(this_club).count() == UNCONFIRMED
    assert claims_in(club) == 1
    assert Analysis.objects.filter(match__club=club).count() == SIZE.left_to_workers
    assert Rating.objects.filter(list__club=club).count() >= SIZE.members


def test_the_uploaded_files_are_a_flagged_one_and_a_broken_off_one(club: Club):
    slip, broken_off = Upload.objects.filter(club=club).order_by("pk")
    assert slip.report is not None
    assert slip.report["error"] is None
    assert any("illegal" in flag["code"] for flag in slip.report["flags"])
    assert broken_off.report is not None
    assert (broken_off.report["error"], broken_off.report["finished"]) == (None, False)


@pytest.mark.long
def test_the_accounts_share_keep_and_compare_what_was_analysed(club: Club):
    accounts = [player_of(user=User.objects.get(email=email)) for email in EMAILS]
    match = analysed_match(club, User.objects.get(email=EMAILS[1]), losses=[0.3, 0.2, 0.1])
    match.analyses.exclude(status=WorkStatus.DONE).delete()
    usual = of_club(club)
    match.analyses.update(engine=usual.engine, preset=usual.preset)
    for _run in range(2):
        record_learning(club, accounts)
        assert current_position(club) is not None
        assert MatchNote.objects.filter(match=match).count() == 1
        assert ShareLink.objects.get(match=match).shows == LinkShows.DECISION
        assert sorted(Helper.objects.values_list("status", flat=True)) == ["allowed", "waiting"]
        assert [SavedPosition.objects.filter(user=each.user).count() for each in accounts] == [1, 3]
        second = match.analyses.get(status=WorkStatus.QUEUED)
        assert (second.engine, second.preset) != (usual.engine, usual.preset)
    assert counts_of(accounts[1]).due == 3
    clear_demo()
    assert not SavedPosition.objects.exists()
    assert not ShareLink.objects.exists()


@pytest.mark.long
def test_two_runs_from_one_seed_give_the_same_ratings(club: Club):
    once = ratings(club)
    clear_demo()
    again = ratings(made(dict(play(PLAN.games, processes=1))))
    assert once == again
    assert len(set(once.values())) > 3


@pytest.mark.long
@pytest.mark.parametrize("steps", [7, *sized([], [0, SIZE.matches])])
def test_an_interrupted_recording_is_gone_on_with_and_nothing_is_doubled(club: Club, steps: int):
    whole = ratings(club)
    clear_demo()
    progress = founded()

    def some() -> Iterator[tuple[int, list[Any]]]:
        for number, events in sorted(played().items()):
            if number == steps:
                raise KeyboardInterrupt
            yield number, events

    with pytest.raises(KeyboardInterrupt):
        fill_demo(progress, PLAN, some())
    found = DemoProgress.objects.select_related("club").get()
    assert (found.done, Match.objects.in_club(found.club).count()) == (steps, steps)
    left = games_left(found, PLAN)
    fill_demo(found, PLAN, [(number, played()[number]) for number in sorted(left)])
    assert outside_events(found.club).count() == SIZE.matches + 3
    assert ratings(found.club) == whole
    assert games_left(DemoProgress.objects.get(), PLAN) == {}


@pytest.mark.long
def test_a_second_run_adds_nothing_but_missing_analyses(club: Club, settings):
    settings.ANALYSIS_PRESET = "fast"
    before = everything()
    told: list[str] = []
    progress: Callable[[str], Any] = lambda words: ignore  # noqa: E731
    report = make_demo(seed=3, size=SIZE, say=told.append, progress=progress, hands=1)
    assert (report.made_now, report.club, report.spearman) == (False, club, None)
    assert everything() == before
    assert told == [f"The demo club already exists: {club.name}"]
    one = Size(SIZE.members, SIZE.matches, analysed=1)
    assert make_demo(seed=3, size=one, say=told.append, progress=progress, hands=1).analysed == 1
    assert make_demo(seed=3, size=one, say=told.append, progress=progress, hands=1).analysed == 1
    assert Club.objects.filter(is_demo=True).count() == 1


@pytest.mark.long
def test_whoever_played_elsewhere_stays_when_the_demo_is_cleared(club: Club):
    guest = Membership.objects.filter(club=club, player__user=None).first()
    assert guest is not None
    director = User.objects.get(email=EMAILS[0])
    real = create_club(user=director, name="A real one", tz="UTC", currency="EUR")
    match = finish_match(open_match(real, player_of(user=director), guest.player), "white")
    clear_demo()
    assert {player.pk for side in match.sides.all() for player in side.players} == set(
        Person.objects.values_list("player", flat=True)
    )
    assert list(User.objects.values_list("email", flat=True)) == [EMAILS[0]]
    assert Membership.objects.get(club=real).role == Role.OWNER
    assert outside_events(made()).count() == SIZE.matches + 3


def test_both_logins_work_even_with_another_secret_key(club: Club, client: Client, settings):
    for key in (settings.SECRET_KEY, "another key of this installation"):
        settings.SECRET_KEY = key
        keep_passwords()
        for email in EMAILS:
            assert client.login(email=email, password=demo_password(email))
        assert client.get("/").status_code == 200


@pytest.mark.long
def test_the_demos_pages_say_that_they_are_one(club: Club, client: Client):
    said = "invented"
    match = Match.objects.in_club(club).newest_first()[0]
    pages = [
        "/",
        club.get_absolute_url(),
        match.get_absolute_url(),
        reverse("scoring:rating_list", args=[club.slug]),
        reverse("scoring:club_matches", args=[club.slug]),
    ]
    for page in pages:
        assert said in client.get(page).content.decode(), page
    clear_demo()
    ClubFactory.create(slug="real")
    for page in ("/", "/clubs/real/"):
        assert said not in client.get(page).content.decode(), page
