"""The tutorial for directors: every step that it names works, by the labels that it names."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import Browser, Page, expect

from clubs.models import Club, Role
from deploy.checkout import ROOT
from tests.docs.test_labels import labels
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE, tap, visit
from tests.factories import ClubFactory, member
from tournaments.models import Event, EventStatus

NAMED = {label for _line, label in labels((ROOT / "docs/directors/first-club-night.md").read_text())}
PLAYERS = ("Ana Gil", "Ben Roy", "Carla Sanz", "Dino Rossi", "Elif Kaya", "Franz Huber")


def named(label: str) -> str:
    """A label, which must be one of the tutorial's."""
    assert label in NAMED, f"the tutorial does not name {label!r}"
    return label


@pytest.fixture
def club(transactional_db: None) -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point", tz="UTC")
    return found


@pytest.fixture
def director(browser: Browser, server: str, club: Club) -> Iterator[Scorer]:
    desk = {"width": 1280, "height": 900}
    found = Scorer(browser, server, member(club, Role.DIRECTOR, name="Dora"), viewport=desk, has_touch=False)
    yield found
    found.close()


def button(page: Page, label: str) -> None:
    tap(page.get_by_role("button", name=named(label), exact=True).first)


def link(page: Page, label: str) -> None:
    tap(page.get_by_role("link", name=re.compile(f"^{re.escape(named(label))}")).first)


def next_step(page: Page) -> None:
    """Press the button at the foot of the wizard; the hidden one before it is for Enter."""
    tap(page.get_by_role("button", name=named("Continue"), exact=True).last)


@pytest.mark.long
def test_the_first_club_night_goes_as_the_tutorial_says(director: Scorer, club: Club) -> None:
    page = director.page
    visit(page, club.get_absolute_url())
    link(page, "New event")
    page.get_by_role("textbox", name=named("Name"), exact=True).first.fill("Club night")
    page.get_by_label(named("Starts")).first.fill(f"{now() + timedelta(hours=1):%Y-%m-%dT%H:%M}")
    next_step(page)
    page.get_by_label(named("Expected entrants")).first.fill(str(len(PLAYERS)))
    page.get_by_label(named("Tables at the venue")).fill("3")
    next_step(page)
    tap(page.locator("summary", has_text=named("Templates")))
    tap(page.get_by_text(named("Wednesday three-round Swiss"), exact=True).first)
    next_step(page)
    button(page, "Announce event")
    event = Event.objects.get()

    link(page, "Add entries")
    page.get_by_role("textbox").fill("\n".join(PLAYERS))
    button(page, "Check list")
    button(page, "Add 6 entries")

    link(page, "Open desk")
    for name in PLAYERS:
        row = page.get_by_role("listitem").filter(has_text=name).first
        tap(row.get_by_role("button", name=named("Check in"), exact=True))
    button(page, "Make the draw: Main")

    called = page.get_by_role("button", name=named("Call 3 ready matches"))
    for round_number in range(3):
        tap(called)
        for _match in range(3):
            tap(page.get_by_role("link", name=named("Result"), exact=True).first)
            tap(page.get_by_role("dialog").get_by_role("button", name="5–2", exact=True))
        if round_number < 2:
            expect(page.get_by_role("heading", name=re.compile(named("Ready")))).to_be_visible(
                timeout=PATIENCE
            )
            expect(called).to_be_enabled(timeout=PATIENCE)
    expect(page.get_by_text("Finished")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name=named("Undo"), exact=True).first).to_be_visible()
    expect(page.get_by_role("heading", name=named("Recent activity"))).to_be_visible()

    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    visit(page, event.get_absolute_url())
    expect(page.get_by_role("link", name=named("Event report")).first).to_be_visible()
    link(page, "Info")
    button(page, "Repeat event")
    assert Event.objects.count() == 2
