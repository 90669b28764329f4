"""The demo club: made once, whole or not at all, the same for the same seed, and removed without a trace."""

import json
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from clubs.models import Club, DemoProgress, Membership, Role
from clubs.people.services.names import player_of
from deploy.demo.clearing import clear_demo
from deploy.demo.club import EMAILS, demo_password, fill_demo
from deploy.demo.making import make_demo
from deploy.demo.plan import UNCONFIRMED, Size, demo_plan
from scoring.files.services.imports import import_file
from scoring.models import Match
from tests.deploy.demo.small import PLAN, SIZE, everything, founded, ignore, made, outside_events, played
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


def run(**options: Any) -> str:
    out = StringIO()
    call_command("demo", stdout=out, **options)
    return out.getvalue()


def test_the_full_plan_leaves_the_member_a_result_to_confirm():
    plan = demo_plan(1, date(2026, 11, 21))
    waiting = plan.fixtures[-UNCONFIRMED:]
    assert any(1 in (fixture.white, fixture.black) for fixture in waiting)


def test_a_step_that_another_process_has_done_is_not_done_again():
    progress = founded()
    fill_demo(progress, PLAN, [(0, played()[0])])
    stale = DemoProgress(
        pk=progress.pk, club=progress.club, players=progress.players, done=0, total=progress.total
    )
    with pytest.raises(RuntimeError, match="expected step 0 of the demo next, but 1 are done"):
        fill_demo(stale, PLAN, [(0, played()[0])])
    assert Match.objects.in_club(progress.club).count() == 1


@pytest.mark.long
def test_the_note_says_how_far_the_club_is_filled_and_ends_by_itself(client: Client):
    assert "hx-" not in client.get(reverse("clubs:demo")).content.decode()
    progress = founded()
    fill_demo(progress, PLAN, [(number, played()[number]) for number in range(4)])
    first = client.get(reverse("clubs:demo")).content.decode()
    assert "Creating the demo club: 36%" in first
    assert 'hx-trigger="every 3s"' in first
    assert reverse("clubs:demo") in client.get("/").content.decode()
    assert reverse("clubs:demo") in client.get(progress.club.get_absolute_url()).content.decode()
    report = make_demo(seed=9, size=Size(), say=lambda _words: None, progress=lambda _words: ignore)
    assert (report.made_now, report.matches) == (False, Match.objects.in_club(progress.club).count())
    assert outside_events(progress.club).count() == SIZE.matches + 3
    assert "hx-" not in client.get(reverse("clubs:demo")).content.decode()


@pytest.mark.long
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


def test_the_password_is_this_installations_own(settings):
    here = demo_password(EMAILS[0])
    settings.SECRET_KEY = "another installation's"
    assert demo_password(EMAILS[0]) != here


def test_an_installation_behind_https_is_asked_twice(settings):
    settings.HTTPS = True
    with pytest.raises(CommandError, match=r"probably a real one.*--in-production"):
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
