"""A session of mistakes in a real browser: by the board, and by the keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import CardAnswer
from tests.accessibility import serious_violations
from tests.e2e.settled import settle, tap, visit
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory
from tests.scoring.learning.analysed import a_player, analysed_match

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def user(transactional_db, server, page):
    club = ClubFactory.create()
    user = a_player(club)
    for _each in range(2):
        analysed_match(club, user, losses=[0.2, 0, 0])
    sign_in(page, server, user)
    return user


def press(page: Page, key: str) -> None:
    settle(page)
    page.keyboard.press(key)
    settle(page)


@pytest.mark.usefixtures("user")
def test_a_card_is_answered_by_the_keyboard_and_the_verdict_is_read(page: Page) -> None:
    visit(page, "/me/mistakes/")
    tap(page.get_by_role("button", name="Start session"))
    expect(page.get_by_role("heading", name="4-2. Your play?")).to_be_visible()
    page.locator('#card-board [data-touch="point-24"]').focus()
    press(page, "Enter")
    expect(page.locator("#card-said")).to_have_text("24/20")
    page.locator('#card-board [data-touch="point-13"]').focus()
    press(page, "Enter")
    expect(page.locator("#answer")).to_have_value("24/20 13/11")
    page.evaluate("document.activeElement.blur()")
    press(page, "u")
    expect(page.locator("#answer")).to_have_value("24/20")
    page.locator('#card-board [data-touch="point-13"]').focus()
    press(page, "Enter")
    page.evaluate("document.activeElement.blur()")
    press(page, "Enter")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Right: 24/20 13/11 is best.")
    expect(verdict).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_text("2 of 10")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("heading", name="Session over")).to_be_visible()
    assert list(CardAnswer.objects.order_by("number").values_list("right", flat=True)) == [True, None]


@pytest.mark.long
@pytest.mark.usefixtures("user")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_card_on_a_phone_is_on_one_screen_and_accessible(page: Page, scheme) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, "/me/mistakes/")
    tap(page.get_by_role("button", name="Start session"))
    for part in ("#card-board svg", "#answer", "#check-answer"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= PHONE["height"], part
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert serious_violations(page, scheme=scheme) == []
    page.locator("#answer").fill("13/7")
    tap(page.locator("#check-answer"))
    expect(page.locator("#verdict")).to_contain_text("Not right: 13/7 costs 0.100.")
    assert serious_violations(page, scheme=scheme) == []
