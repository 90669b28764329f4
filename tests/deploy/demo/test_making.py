"""The demo club: made once, whole or not at all, the same for the same seed, and removed without a trace."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from clubs.models import Club, DemoProgress, Membership, Person, Role, User
from clubs.services.clubs import create_club
from clubs.services.people import player_of
from deploy.demo.chouette import AT_FIRST, GAMES
from deploy.demo.clearing import clear_demo
from deploy.demo.club import EMAILS, demo_password, fill_demo, found_demo, games_left
from deploy.demo.event import GAMES as GAMES_LIVE
from deploy.demo.farm import play_all
from deploy.demo.making import make_demo
from deploy.demo.plan import UNCONFIRMED, Size, demo_plan
from scoring.models import Analysis, Chouette, Match, MatchStatus, Rating, SheetEvent, Upload
from scoring.queries.chouette_access import seen_table
from scoring.queries.matches import unconfirmed_in
from scoring.queries.names import claims_in
from scoring.rules.events import GameRecorded
from scoring.services.chouettes import table_state
from scoring.services.imports import import_file
from scoring.services.sheets import damage_of
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.records import short_match
from tournaments.models import Entrant, Event, EventStatus, Pairing, PairingState, Stage
from tournaments.services import desk_log, stages

pytestmark = pytest.mark.django_db

SIZE = Size(members=6, matches=10, analysed=0)
DAY = date(2026, 11, 21)
PLAN = demo_plan(3, DAY, SIZE)


@cache
def played() -> dict[int, list[Any]]:
    return play_all(PLAN.games)


def ignore(done: int, total: int) -> None:
    """Progress that nobody watches."""


def founded() -> DemoProgress:
    return found_demo(PLAN, seed=3, day=DAY, size=SIZE)


def made(matches: Mapping[int, list[Any]] | None = None) -> Club:
    progress = founded()
    fill_demo(progress, PLAN, sorted((matches or played()).items()))
    return progress.club


def run(**options: Any) -> str:
    out = StringIO()
    call_command("demo", stdout=out, **options)
    return out.getvalue()


def ratings(club: Club) -> dict[str, float]:
    rows = Rating.objects.filter(list__club=club).select_related("player__person")
    return {row.player.name: row.value for row in rows}


def everything() -> dict[str, list[Any]]:
    """Every row of every table, by primary key."""
    return {
        model._meta.label: sorted(map(str, model._base_manager.values_list("pk", flat=True)))
        for model in apps.get_models()
        if model._meta.managed
    }


def outside_events(club: Club) -> QuerySet[Match]:
    return Match.objects.in_club(club).filter(board=None)


def test_every_sheet_of_the_demo_verifies():
    club = made()
    assert outside_events(club).count() == SIZE.matches + 3
    matches = Match.objects.in_club(club).select_related("sheet")
    assert len(matches) > SIZE.matches + 3
    assert [damage_of(match.sheet) for match in matches] == [None] * len(matches)


def test_the_chouette_of_the_demo_is_lively_and_verifies():
    club = made()
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


def test_an_event_is_on_and_one_takes_entries(client: Client):
    club = made()
    running, coming = Event.objects.filter(club=club).order_by("starts_at")
    assert (running.status, coming.status) == (EventStatus.RUNNING, EventStatus.ANNOUNCED)
    stage = Stage.objects.get(flight__event=running)
    assert (stages.damage_of(stage), desk_log.damage_of(running)) == ("", "")
    open_ones = Pairing.objects.filter(stage=stage, state=PairingState.OPEN)
    assert open_ones.exclude(started_at=None).exists()
    games = SheetEvent.objects.filter(sheet__match__board__pairing__in=open_ones, kind=GameRecorded.kind)
    assert games.count() == len(GAMES_LIVE)
    assert Entrant.objects.filter(flight__event=coming).exists()
    client.force_login(User.objects.get(email=EMAILS[0]))
    for name in ("event", "desk", "wall", "money"):
        assert client.get(reverse(f"tournaments:{name}", args=[running.ref])).status_code == 200


def test_every_page_has_something_to_show():
    club = made()
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


def test_the_full_plan_leaves_the_member_a_result_to_confirm():
    plan = demo_plan(1, date(2026, 11, 21))
    waiting = plan.fixtures[-UNCONFIRMED:]
    assert any(1 in (fixture.white, fixture.black) for fixture in waiting)


def test_the_uploaded_files_are_a_flagged_one_and_a_broken_off_one():
    club = made()
    slip, broken_off = Upload.objects.filter(club=club).order_by("pk")
    assert slip.report is not None
    assert slip.report["error"] is None
    assert any("illegal" in flag["code"] for flag in slip.report["flags"])
    assert broken_off.report is not None
    assert (broken_off.report["error"], broken_off.report["finished"]) == (None, False)


def test_two_runs_from_one_seed_give_the_same_ratings():
    once = ratings(made())
    clear_demo()
    again = ratings(made(play_all(PLAN.games, processes=1)))
    assert once == again
    assert len(set(once.values())) > 3


@pytest.mark.parametrize("steps", [0, 7, SIZE.matches])
def test_an_interrupted_recording_is_gone_on_with_and_nothing_is_doubled(steps: int):
    whole = ratings(made())
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


def test_a_step_that_another_process_has_done_is_not_done_again():
    progress = founded()
    fill_demo(progress, PLAN, [(0, played()[0])])
    stale = DemoProgress(
        pk=progress.pk, club=progress.club, players=progress.players, done=0, total=progress.total
    )
    with pytest.raises(RuntimeError, match="step 0 of the demo was to be next, but 1 are done"):
        fill_demo(stale, PLAN, [(0, played()[0])])
    assert Match.objects.in_club(progress.club).count() == 1


def test_the_note_says_how_far_the_club_is_filled_and_ends_by_itself(client: Client):
    assert "hx-" not in client.get(reverse("clubs:demo")).content.decode()
    progress = founded()
    fill_demo(progress, PLAN, [(number, played()[number]) for number in range(4)])
    first = client.get(reverse("clubs:demo")).content.decode()
    assert "The demo club is being filled: 36%" in first
    assert 'hx-trigger="every 3s"' in first
    assert reverse("clubs:demo") in client.get("/").content.decode()
    assert reverse("clubs:demo") in client.get(progress.club.get_absolute_url()).content.decode()
    report = make_demo(seed=9, size=Size(), say=lambda _words: None, progress=lambda _words: ignore)
    assert (report.made_now, report.matches) == (False, Match.objects.in_club(progress.club).count())
    assert outside_events(progress.club).count() == SIZE.matches + 3
    assert "hx-" not in client.get(reverse("clubs:demo")).content.decode()


def test_a_second_run_adds_nothing_but_missing_analyses(settings):
    settings.ANALYSIS_PRESET = "very_quick"
    club = made()
    before = everything()
    told: list[str] = []
    progress: Callable[[str], Any] = lambda words: ignore  # noqa: E731
    report = make_demo(seed=3, size=SIZE, say=told.append, progress=progress, hands=1)
    assert (report.made_now, report.club, report.spearman) == (False, club, None)
    assert everything() == before
    assert told == [f"The demo club is there already: {club.name}"]
    one = Size(SIZE.members, SIZE.matches, analysed=1)
    assert make_demo(seed=3, size=one, say=told.append, progress=progress, hands=1).analysed == 1
    assert make_demo(seed=3, size=one, say=told.append, progress=progress, hands=1).analysed == 1
    assert Club.objects.filter(is_demo=True).count() == 1


def test_clearing_removes_the_demo_and_nothing_else():
    club = ClubFactory.create()
    owner = member(club, Role.OWNER, name="Ana")
    finish_match(open_match(club, player_of(user=owner), PlayerFactory.create(name="Ben")), "white")
    import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"), final=True)
    before = everything()
    demo = made()
    Membership.objects.create(club=demo, player=player_of(user=owner), role=Role.MEMBER)
    import_file(club=demo, filename="b.mat", content=short_match("Visitor", "Guest"), final=True)
    matches = Match.objects.in_club(demo).count()
    gone = clear_demo()
    assert everything() == before
    assert gone["matchs"] == matches
    assert clear_demo() == {}


def test_whoever_played_elsewhere_stays_when_the_demo_is_cleared():
    demo = made()
    guest = Membership.objects.filter(club=demo, player__user=None).first()
    assert guest is not None
    director = User.objects.get(email=EMAILS[0])
    club = create_club(user=director, name="A real one", tz="UTC", currency="EUR")
    match = finish_match(open_match(club, player_of(user=director), guest.player), "white")
    clear_demo()
    assert {player.pk for side in match.sides.all() for player in side.players} == set(
        Person.objects.values_list("player", flat=True)
    )
    assert list(User.objects.values_list("email", flat=True)) == [EMAILS[0]]
    assert Membership.objects.get(club=club).role == Role.OWNER
    assert outside_events(made()).count() == SIZE.matches + 3


def test_both_logins_work(client: Client):
    made()
    for email in EMAILS:
        assert client.login(email=email, password=demo_password(email))
        assert client.get("/").status_code == 200


def test_the_password_is_this_installations_own(settings):
    here = demo_password(EMAILS[0])
    settings.SECRET_KEY = "another installation's"
    assert demo_password(EMAILS[0]) != here


def test_the_demos_pages_say_that_they_are_one(client: Client):
    club = made()
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


def test_an_installation_behind_https_is_asked_twice(settings):
    settings.HTTPS = True
    with pytest.raises(CommandError, match=r"taken for a real one.*--in-production"):
        run()
    assert not Club.objects.exists()


def test_the_command_makes_tells_and_clears():
    words = run(seed=3, members=6, matches=8, analysed=0)
    assert "/clubs/sete-rios-demo-club/" in words
    assert demo_password(EMAILS[0]) in words
    again = json.loads(run(json=True, analysed=0))
    assert (again["made_now"], again["matches"]) == (False, Match.objects.count())
    assert "Removed Sete Rios Demo Club" in run(clear=True)
    assert run(clear=True) == "There is no demo club.\n"


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("members", 1, "4 to"),
        ("matches", 1, "at least 4"),
        ("matches", 10_001, "at most 10000"),
        ("analysed", -1, "0 to 10000 analysed matches, not -1"),
        ("analysed", 10_001, "0 to 10000 analysed matches, not 10001"),
        ("seed", 10**18 + 1, "seed is at most"),
        ("seed", -(10**18) - 1, "seed is at most"),
    ],
)
def test_a_size_that_cannot_be_is_refused_in_words(option: str, value: int, why: str):
    with pytest.raises(CommandError, match=why):
        run(**{option: value})
    assert not Club.objects.exists()
