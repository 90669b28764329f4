"""Plays on the scoresheet in real browsers: by keyboard, dragged, corrected, illegal."""

import pytest
from playwright.sync_api import expect

from scoring.models import Match, SheetEvent
from tests.e2e.scorers import Scorer


@pytest.mark.long
def test_a_play_by_keyboard_alone_with_everything_said(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    expect(page.get_by_text("Ana Etxeberria (White): 24 point 2, 13 point 5")).to_be_attached()
    page.keyboard.type("31")
    white.sees(2)
    point = page.get_by_role("button", name="8 point: 3 of yours, can move to 5, 4, 7")
    point.focus()
    page.keyboard.press("Enter")
    expect(white.part("dock")).to_contain_text("8/5")
    page.keyboard.press("u")
    expect(white.part("dock")).not_to_contain_text("8/5")
    for name in ("8 point", "6 point"):
        page.get_by_role("button", name=name).focus()
        page.keyboard.press("Space")
    expect(white.part("dock")).to_contain_text("8/5 6/5")
    white.does("done").focus()
    page.keyboard.press("Enter")
    white.sees(3)
    expect(white.part("said")).to_contain_text("8/5 6/5")
    page.keyboard.press("d")
    white.sees(4)
    page.keyboard.press("t")
    white.sees(5)
    page.keyboard.press("u")
    white.sees(6)
    expect(white.part("dock")).to_contain_text("take at 2, or pass?")


@pytest.mark.long
def test_a_checker_is_dragged_and_a_swap_of_the_dice_changes_the_tap(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    white.roll(6, 2)
    start, end = (page.locator(f"[data-touch='point-{n}']").bounding_box() for n in (24, 16))
    assert start
    assert end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    expect(page.locator(".landing.now circle")).to_have_count(
        3
    )  # 22, 18 and 16: marked before the finger moves
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()
    expect(white.part("dock")).to_contain_text("24/")
    expect(white.does("done")).not_to_have_attribute("aria-disabled", "true")
    for _ in range(2):
        white.does("undo").click()
    page.locator("[data-touch='dice']").click()
    page.locator("[data-touch='point-13']").click()
    expect(white.part("dock")).to_contain_text("13/11")


@pytest.mark.long
def test_a_mistyped_play_is_corrected_and_what_no_longer_fits_is_shown(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    typed = page.get_by_label("Type rolls and plays")
    for text, seq in (("31 85 65", 3), ("64 24/14", 5), ("55 13/3 13/3", 7)):
        typed.fill(text)
        typed.press("Enter")
        white.sees(seq)
    page.locator("[data-part='log'] li", has_text="8/5").get_by_role("button").click()
    dialog = page.get_by_role("dialog", name="Correct an entry")
    dialog.get_by_label("What happened").fill("13/9")
    dialog.get_by_label("Reason").fill("seen on the video")
    dialog.get_by_role("button", name="Save correction").click()
    expect(dialog).not_to_be_visible()
    white.wait_past(7)
    assert SheetEvent.objects.filter(sheet=match.sheet, replaces=3).count() == 1


@pytest.mark.long
def test_an_illegal_play_that_stood_is_recorded_as_it_stood(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    white.roll(3, 1)
    page.locator(".more").click()
    page.get_by_role("button", name="Report an irregularity").click()
    page.get_by_text("Illegal play", exact=True).click()
    page.get_by_role("button", name="Go to board").click()
    for _ in range(2):
        page.locator("[data-touch='point-24']").click()
    white.does("undo").click()
    white.tap("done")
    event = SheetEvent.objects.get(sheet=match.sheet, kind="play")
    assert event.body["status"] == "illegal_accepted"
    assert event.body["moves"] == [[24, 21]]
    expect(white.part("notices")).not_to_be_empty()
    expect(white.part("dock")).to_contain_text("Björn to roll")
