"""A page says when it is settled: busy while anything that it has begun is under way, else at rest."""

import pytest
from django.db import transaction
from playwright.sync_api import Page, Route, expect

from clubs.models import Club
from tests.e2e.scorers import Scorer
from tests.e2e.settled import settle, tap, visit
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, win
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import touch
from tournaments.models import Event


@pytest.fixture
def club(transactional_db: None) -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point")
    return found


def add_entrant(event: Event) -> None:
    enter(flight=flight_of(event), players=[a_player(event.club, "Zoë")])


def is_busy(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-page", "busy")


class Line:
    """The way to the server, on which what goes to some addresses is held."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.held: list[Route] = []
        self._is_free = False
        page.route(pattern, self._take)

    def _take(self, route: Route) -> None:
        if self._is_free:
            route.continue_()
        else:
            self.held.append(route)

    def lets_go(self) -> None:
        self._is_free = True
        for route in self.held:
            route.continue_()


def test_news_are_under_way_until_they_are_in_the_page(page: Page, server: str, club: Club) -> None:
    visit(page, f"/clubs/{club.slug}/")
    line = Line(page, f"**/clubs/{club.slug}/")
    players = [PlayerFactory.create(name=name) for name in ("Ana", "Berta")]
    with transaction.atomic():
        finish_match(open_match(club, *players), "white")
    is_busy(page)
    expect(page.locator(".result-lines li")).to_have_count(0)
    line.lets_go()
    settle(page)
    assert page.locator(".result-lines li").count() == 1


@pytest.mark.long
def test_a_stream_that_is_not_open_is_under_way(page: Page, server: str, club: Club) -> None:
    line = Line(page, "**/live/**")
    page.goto(f"/clubs/{club.slug}/")
    is_busy(page)
    line.lets_go()
    settle(page)
    expect(page.locator("html")).to_have_attribute("data-line", "live")


@pytest.mark.long
def test_without_a_line_a_page_rests(page: Page, server: str, club: Club) -> None:
    visit(page, f"/clubs/{club.slug}/")
    page.context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-line", "offline")
    settle(page)


@pytest.mark.long
def test_a_form_is_under_way_until_the_next_page_is_settled(page: Page, server: str, club: Club) -> None:
    ana = Scorer(page.context.browser, server, member(club, name="Ana"))  # type: ignore[arg-type]
    event = an_event(club=club)
    visit(ana.page, event.get_absolute_url())
    line = Line(ana.page, "**/healthz")
    ana.page.get_by_role("button", name="Enter", exact=True).click(no_wait_after=True)
    is_busy(ana.page)
    line.lets_go()
    settle(ana.page)
    assert ana.page.get_by_text("You have entered.").count() == 1
    ana.close()


@pytest.mark.long
def test_what_a_finger_is_on_stays_until_it_is_lifted(page: Page, server: str, club: Club) -> None:
    ana = Scorer(page.context.browser, server, member(club, name="Ana"))  # type: ignore[arg-type]
    event = an_event(club=club)
    visit(ana.page, event.get_absolute_url())
    enter = ana.page.get_by_role("button", name="Enter", exact=True)
    enter.hover()
    with ana.page.expect_response(f"**{event.get_absolute_url()}") as news:
        ana.page.mouse.down()
        add_entrant(event)
    news.value.finished()
    settle(ana.page)
    ana.page.mouse.up()
    expect(ana.page.get_by_text("You have entered.")).to_be_visible()
    ana.close()


@pytest.mark.long
def test_news_that_come_under_a_finger_are_shown_when_it_is_lifted(
    page: Page, server: str, club: Club
) -> None:
    event = an_event(club=club)
    visit(page, event.get_absolute_url())
    page.get_by_role("heading", level=1).hover()
    with page.expect_response(f"**{event.get_absolute_url()}") as news:
        page.mouse.down()
        add_entrant(event)
    news.value.finished()
    settle(page)
    expect(page.get_by_text("Zoë")).to_have_count(0)
    page.mouse.up()
    expect(page.get_by_text("Zoë").first).to_be_visible()


@pytest.mark.long
def test_a_form_that_is_not_sent_leaves_the_page_settled(page: Page, server: str, club: Club) -> None:
    ana = Scorer(page.context.browser, server, member(club, name="Ana"))  # type: ignore[arg-type]
    visit(ana.page, an_event(club=club).get_absolute_url())
    ana.context.set_offline(True)
    tap(ana.page.get_by_role("button", name="Enter", exact=True))
    assert ana.page.get_by_text("Nothing was sent.").count() == 1
    ana.close()


@pytest.mark.long
def test_a_draw_and_the_wall_are_settled_when_they_show_the_news(page: Page, server: str, club: Club) -> None:
    stage = drawn(an_event(4, club=club))
    row = open_pairings(stage)[0]
    wall = page.context.new_page()
    visit(page, stage.get_absolute_url())
    visit(wall, f"/events/{stage.flight.event.ref}/wall/")
    line = Line(wall, "**/wall/?part=1")
    win(row, member(club))
    touch(stage.flight.event)
    is_busy(wall)
    line.lets_go()
    for each in (page, wall):
        expect(each.locator(".s.won").first).to_contain_text(row.a.title)
        settle(each)
