"""The style page in a real browser: both widths, both appearances, and everything on it that moves."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.accessibility import serious_violations
from tests.e2e.settled import tap, visit

WIDTHS = (360, 1440)


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_style_page_is_accessible_and_fits(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    visit(page, "/style/")
    expect(page.locator(".board-drawing").first).to_be_visible()
    expect(page.locator(".chart canvas")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert serious_violations(page, scheme=scheme) == []


def the_system_decides_until_somebody_does(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    visit(page, "/style/")
    assert background(page) == "rgb(21, 26, 25)"
    tap(page.get_by_role("button", name="Light"))
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert background(page) == "rgb(247, 242, 232)"


def the_chosen_appearance_is_there_when_the_next_page_comes(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    visit(page, "/style/")
    with page.expect_response("**/appearance/"):
        page.get_by_role("button", name="Dark").click()
    assert background(page) == "rgb(21, 26, 25)"
    answer = visit(page, "/style/")
    assert answer is not None
    assert '<html lang="en" dir="ltr" data-theme="dark">' in answer.text()  # no flash: the server knows
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/appearance/"):
        page.get_by_role("button", name="Auto").click()
    assert background(page) == "rgb(247, 242, 232)"


def a_word_of_the_field_explains_itself_on_tap(page: Page) -> None:
    visit(page, "/style/")
    explanation = page.get_by_text("It is played without the cube.")
    expect(explanation).to_be_hidden()
    page.get_by_role("button", name="Crawford game").click()
    expect(explanation).to_be_visible()
    page.keyboard.press("Escape")
    expect(explanation).to_be_hidden()


def a_dialog_says_what_will_change_and_can_be_left(page: Page) -> None:
    visit(page, "/style/")
    page.get_by_role("button", name="Void this match…").click()
    dialog = page.get_by_role("dialog", name="Void this match?")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Keep it")).to_be_focused()
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden()


def a_tapped_point_of_a_chart_names_its_match(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    visit(page, "/style/")
    chart = page.locator(".chart").first
    readout = chart.locator(".readout")
    expect(readout).to_contain_text("Match 17")
    over = chart.locator(".u-over")
    over.scroll_into_view_if_needed()
    over.hover(position={"x": 2, "y": 60})
    expect(readout.get_by_text("Match 1", exact=True)).to_be_visible()


def the_keyboard_skips_to_the_content(page: Page) -> None:
    visit(page, "/style/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def an_interrupted_line_is_said(page: Page) -> None:
    visit(page, "/style/")
    offline = page.locator(".rail").get_by_text("Offline")
    expect(offline).to_be_hidden()
    page.context.set_offline(True)
    expect(offline).to_be_visible()
    page.context.set_offline(False)
    expect(offline).to_be_hidden()


def every_target_of_the_shell_is_48_px_high(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    visit(page, "/style/")
    low = page.evaluate(
        """[...document.querySelectorAll(".rail a, body > footer button, .actions > *")]
        .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 48)
        .map((target) => target.outerHTML.slice(0, 80))"""
    )
    assert low == []


def print_of_a_dark_screen_shows_the_boards_on_white_without_navigation(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    visit(page, "/style/")
    page.emulate_media(media="print")
    expect(page.locator(".mainnav")).to_be_hidden()
    expect(page.locator("body > footer")).to_be_hidden()
    pressed = page.locator("main :is(button, .button, input, select):not(.term)")
    assert not any(each.is_visible() for each in pressed.all())
    expect(page.locator(".board-drawing").first).to_be_visible()
    assert background(page) == "rgb(255, 255, 255)"
    field = page.locator(".board-drawing .field").first
    expect(field).to_have_css("fill", "rgb(255, 255, 255)")


@pytest.mark.long
def test_everything_on_the_style_page_moves_as_it_should(page: Page) -> None:
    """One visitor tries one part after the other; what the appearance is left at comes with the next page."""
    the_system_decides_until_somebody_does(page)
    the_chosen_appearance_is_there_when_the_next_page_comes(page)
    a_word_of_the_field_explains_itself_on_tap(page)
    a_dialog_says_what_will_change_and_can_be_left(page)
    a_tapped_point_of_a_chart_names_its_match(page)
    the_keyboard_skips_to_the_content(page)
    an_interrupted_line_is_said(page)
    every_target_of_the_shell_is_48_px_high(page)
    print_of_a_dark_screen_shows_the_boards_on_white_without_navigation(page)
