"""Entering an event and checking in on a phone whose line breaks, with a finger that taps twice."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from playwright.sync_api import Error as PlaywrightError

from clubs.models import Club
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE, settle, tap, visit
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event
from tournaments.entries.services.check_ins import open_door
from tournaments.models import DeskEvent, EntrantRow, EntrantState, Event

REGISTERED, NOTHING_SENT = "You have entered.", "Nothing was sent."


@pytest.fixture
def club(transactional_db: None) -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point")
    return found


@pytest.fixture
def event(club: Club) -> Event:
    return an_event(club=club)


@pytest.fixture
def ana(browser: Browser, server: str, club: Club) -> Iterator[Scorer]:
    found = Scorer(browser, server, member(club, name="Ana"))
    yield found
    found.close()


def once(event: Event, kind: str = "entered") -> bool:
    """Whether there is one entrant, and one entry of a kind in the log."""
    entrants = EntrantRow.objects.filter(flight__event=event).count()
    return (entrants, DeskEvent.objects.filter(event=event, kind=kind).count()) == (1, 1)


@pytest.mark.long
def test_without_a_line_the_page_stays_and_says_that_nothing_was_sent(ana: Scorer, event: Event) -> None:
    page = ana.page
    visit(page, event.get_absolute_url())
    ana.context.set_offline(True)
    enter = page.get_by_role("button", name="Enter", exact=True)
    for _tap in range(2):
        enter.click()
        expect(page.get_by_text(NOTHING_SENT)).to_have_count(1)
    assert not EntrantRow.objects.exists()
    ana.context.set_offline(False)
    expect(page.get_by_text(NOTHING_SENT)).to_have_count(0, timeout=PATIENCE)
    enter.click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


def says_of_its_line(scorer: Scorer, *, online: bool) -> None:
    """The phone takes itself to be online, or not, whatever its line does."""
    lie = f"Object.defineProperty(Navigator.prototype, 'onLine', {{ get: () => {str(online).lower()} }})"
    scorer.context.add_init_script(lie)


@pytest.mark.long
def test_a_phone_that_takes_itself_to_be_online_keeps_the_page_where_nothing_answers(
    ana: Scorer, event: Event
) -> None:
    says_of_its_line(ana, online=True)
    page = ana.page
    visit(page, event.get_absolute_url())
    enter = page.get_by_role("button", name="Enter", exact=True)
    page.route("**/healthz", lambda route: route.abort("internetdisconnected"), times=1)
    enter.click()
    expect(page.get_by_text(NOTHING_SENT)).to_have_count(1)
    assert not EntrantRow.objects.exists()
    enter.click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


@pytest.mark.long
def test_a_form_that_is_drawn_anew_as_it_is_sent_is_sent(ana: Scorer, event: Event) -> None:
    page = ana.page
    visit(page, event.get_absolute_url())

    def draw_anew_and_answer(route: Route) -> None:
        page.evaluate("for (const form of document.querySelectorAll('main form')) form.remove()")
        route.continue_()

    page.route("**/healthz", draw_anew_and_answer, times=1)
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


@pytest.mark.long
def test_a_form_in_a_dialog_that_cannot_be_sent_says_so_in_front(ana: Scorer, event: Event) -> None:
    page = ana.page
    visit(page, event.get_absolute_url())
    enter = page.get_by_role("button", name="Enter", exact=True)
    # As the question whether somebody is this player has its form: in a modal dialog.
    enter.evaluate(
        """button => {
            const dialog = document.createElement("dialog");
            document.querySelector("main").append(dialog);
            dialog.append(button.form);
            dialog.showModal();
        }"""
    )
    page.route("**/healthz", lambda route: route.abort("internetdisconnected"), times=1)
    enter.click()
    said = page.get_by_text(NOTHING_SENT)
    expect(said).to_have_count(1)
    said.click()  # nothing lies over it
    assert not EntrantRow.objects.exists()


@pytest.mark.long
def test_without_a_network_the_server_on_the_same_machine_is_reached(ana: Scorer, event: Event) -> None:
    says_of_its_line(ana, online=False)
    page = ana.page
    visit(page, event.get_absolute_url())
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


@pytest.mark.long
def test_a_double_tap_enters_once(ana: Scorer, event: Event) -> None:
    visit(ana.page, event.get_absolute_url())
    ana.page.get_by_role("button", name="Enter", exact=True).dblclick()
    expect(ana.page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


def test_an_answer_that_is_lost_and_a_second_try_enter_once(ana: Scorer, event: Event) -> None:
    page = ana.page
    visit(page, event.get_absolute_url())

    def deliver_and_lose(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort("connectionreset")

    page.route("**/enter/", deliver_and_lose, times=1)
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page).to_have_url(re.compile("^chrome-error:"), timeout=PATIENCE)
    assert once(event)
    visit(page, event.get_absolute_url())
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


def left_alone(page: Page) -> Page:
    """The page, which hears of nothing: it stays as it was when somebody looked away."""
    page.route("**/live/**", lambda route: route.abort())
    return page


@pytest.mark.long
def test_going_back_and_entering_again_changes_nothing(ana: Scorer, event: Event) -> None:
    page = left_alone(ana.page)
    visit(page, event.get_absolute_url())
    enter = page.get_by_role("button", name="Enter", exact=True)
    enter.click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    page.go_back()
    if enter.is_visible():
        enter.click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


@pytest.mark.long
def test_a_page_from_before_enters_nobody_twice(ana: Scorer, event: Event) -> None:
    first, second = ana.page, left_alone(ana.context.new_page())
    for page in (first, second):
        visit(page, event.get_absolute_url())
    for page in (first, second):
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    assert once(event)


def test_checking_in_without_a_line_and_with_two_taps_stands_in_the_log_once(
    ana: Scorer, event: Event
) -> None:
    page, door = ana.page, open_door(event=event)
    visit(page, event.get_absolute_url())
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_text(REGISTERED)).to_be_visible(timeout=PATIENCE)
    ana.context.set_offline(True)
    with pytest.raises(PlaywrightError, match="net::ERR"):
        page.goto(f"/events/{event.ref}/here/{door}/")
    ana.context.set_offline(False)
    visit(page, f"/events/{event.ref}/here/{door}/")
    here = page.get_by_role("button", name="Check in", exact=True)
    ana.context.set_offline(True)
    tap(here)
    expect(page.get_by_text(NOTHING_SENT)).to_be_visible()
    ana.context.set_offline(False)
    expect(page.get_by_text(NOTHING_SENT)).to_have_count(0, timeout=PATIENCE)
    settle(page)
    here.dblclick()
    # Of two taps the second can take the message of the first away; that Ana is checked in stays.
    expect(page.get_by_text("Checked in", exact=True)).to_be_visible(timeout=PATIENCE)
    assert once(event, "check_in")
    assert EntrantRow.objects.get().state == EntrantState.PRESENT
