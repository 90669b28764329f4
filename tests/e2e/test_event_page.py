"""The page of an event in a real browser: the draw on its first screen, live, on phones and desks."""

import re
from typing import Literal

import pytest
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from clubs.models import Role
from tests.accessibility import serious_violations
from tests.e2e.settled import visit
from tests.e2e.test_lists import sign_in
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings, pairing, win
from tournaments.events.tabs import TABS, address_of
from tournaments.models import EntrantMember, Event


@pytest.mark.parametrize(("width", "height"), [(1280, 850), pytest.param(390, 844, marks=pytest.mark.long)])
def test_a_result_reaches_the_draw_on_the_page_and_the_sheet_stays_where_it_is(
    page: Page, server: str, width: int, height: int
) -> None:
    event = an_event(24)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    page.set_viewport_size({"width": width, "height": height})
    visit(page, event.get_absolute_url())
    page.evaluate("window.sameDocument = true")
    row = open_pairings(stage)[0]
    part = f"#m{row.number}" if width > 800 else f"#c{row.number} a"
    sheet = page.locator(".tree-matches" if width > 800 else ".hand .columns").first.bounding_box()
    assert sheet
    assert sheet["y"] < height / 2, "the draw begins on the first screen"
    page.locator(part).focus()
    before = page.evaluate("window.scrollY")
    win(row, director)
    expect(page.locator(f"{part} .s.won")).to_contain_text(row.a.title)
    expect(page.locator(part)).to_be_focused()
    assert (page.evaluate("window.scrollY"), page.evaluate("window.sameDocument")) == (before, True)


@pytest.mark.long
def test_a_call_stands_above_its_match_with_table_and_minutes(page: Page, server: str) -> None:
    event = an_event(4)
    stage = drawn(event)
    row = pairing(stage, 1)
    row.table, row.called_at = 3, now()
    row.save()
    visit(page, event.get_absolute_url())
    expect(page.locator("#m1 .st")).to_have_text(re.compile(r"Table 3 · \d+ min"))


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 390])
def test_on_a_phone_a_called_player_sees_the_match_with_the_deed_in_one_line_and_the_draw_above_the_middle(
    page: Page, server: str, width: int
) -> None:
    event = an_event(24)
    stage, user = drawn(event), member(event.club)
    Event.objects.filter(pk=event.pk).update(name="The Wednesday knockout of the club in the old harbour")
    row = open_pairings(stage)[0]
    row.table, row.called_at = 4, now()
    row.save()
    EntrantMember.objects.filter(entrant=row.a).update(player=user.player)
    page.set_viewport_size({"width": width, "height": 844})
    sign_in(page, server, user)
    visit(page, event.get_absolute_url())
    expect(page.locator("[data-my-match]")).to_be_visible()
    tops = {
        part: page.locator(part).evaluate("part => part.getBoundingClientRect().top")
        for part in (".my-matches .banner", f"#c{row.number}")
    }
    assert (tops[".my-matches .banner"] < 64, tops[f"#c{row.number}"] < 352) == (True, True), tops
    buttons = page.locator(".my-matches .button")
    assert [each.evaluate("each => each.clientHeight < 48") for each in buttons.all()] == [True, True]
    expect(page.locator(".breadcrumbs [aria-current]")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for part in ("#draw-find", "[data-my-match]"):
        left, right = page.locator(part).evaluate(
            "part => [part.getBoundingClientRect().left, part.getBoundingClientRect().right]"
        )
        assert (right <= width - 15, right - left >= 43.5) == (True, True), (part, left, right)


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
@pytest.mark.parametrize("key", ["last_chance", "round_robin"])
def test_every_tab_is_accessible_and_fits(
    page: Page, server: str, width: int, scheme: Literal["light", "dark"], key: str
) -> None:
    event = an_event(9, format_key=key)
    addresses = [address_of(event, tab) for tab in TABS]
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = {}

    def look() -> None:
        for address in addresses:
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth") == width, address
            found[address] = serious_violations(page, scheme=scheme)

    look()
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    look()
    while rows := open_pairings(stage):
        win(rows[0], director)
    look()
    assert {address: lines for address, lines in found.items() if lines} == {}
