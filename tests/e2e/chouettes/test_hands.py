"""A chouette in real browsers in everybody's hands: sizes, quick taps, the keyboard, a lost phone."""

import pytest
from playwright.sync_api import Browser, expect

from clubs.models import User
from scoring.chouettes.services.tables import add_to_table
from scoring.log.queries.writers import Author
from scoring.models import Chouette
from scoring.players.services.newcomers import Newcomer
from tests.accessibility import serious_violations
from tests.e2e.chouettes.phones import Phone, seated, throw
from tests.e2e.settled import PATIENCE


@pytest.mark.long
def test_a_guest_whose_phone_is_lost_comes_back_to_the_seat(
    table: Chouette, phones: list[Phone], browser: Browser, server: str
) -> None:
    """Leo has no login. Ana opens his seat, a new phone scans her code; the code of the table is renewed."""
    ana, _jon, _eva, leo = phones
    lost = Phone(browser, server, None)
    lost.joins_as_guest(table, "Leo")
    ana.open_table(table)
    ana.page.get_by_role("button", name="Move seat").click()
    dialog = ana.page.get_by_role("dialog", name="Move a seat to another phone")
    dialog.get_by_label("Seat").select_option(label="Leo")
    dialog.get_by_role("button", name="Show code").click()
    link = dialog.locator("[data-link]")
    expect(link).to_be_visible(timeout=PATIENCE)
    expect(dialog.locator(".qr svg")).to_be_visible()
    leo.page.goto(link.get_attribute("href") or "")
    leo.page.get_by_role("button", name="Take this seat").click()
    leo.settled()
    expect(leo.part("log")).to_contain_text("Leo moves to another phone")
    expect(leo.page.get_by_role("button", name="Move seat")).to_be_hidden()
    # The lost phone says at once that it no longer records; the table can still be read on it.
    says = "This device can no longer record here: its seat is on another phone"
    expect(lost.part("notices")).to_contain_text(says, timeout=PATIENCE)
    expect(lost.part("recorders")).to_have_text("This device cannot record here now.")
    expect(lost.does("order")).to_have_count(0)
    expect(lost.seat("Leo")).to_be_visible()
    lost.close()
    # What waits on a phone without its seat is kept, and can be discarded there.
    leo.context.set_offline(True)
    leo.does("order").click()
    leo.page.get_by_role("button", name="Save order").click()
    expect(leo.unsent()).to_have_count(1)
    leo.context.clear_cookies()
    leo.context.set_offline(False)
    expect(leo.part("notices")).to_contain_text(says, timeout=PATIENCE)
    expect(leo.unsent()).to_have_count(1)
    leo.page.get_by_role("button", name="Discard unsent entries: 1").click()
    expect(leo.unsent()).to_have_count(0)
    ana.page.keyboard.press("Escape")
    ana.does("code").click()
    code = ana.page.locator(".join-code")
    before = code.inner_text()
    ana.page.get_by_role("button", name="Renew code").click()
    expect(code).not_to_have_text(before, timeout=PATIENCE)
    assert leo.page.goto(f"/chouettes/join/{table.code}/").status == 404  # type: ignore[union-attr]


@pytest.mark.long
def test_the_table_can_be_read_by_everybody(table: Chouette, pair: list[Phone]) -> None:
    ana, jon = pair
    seated(ana, table)
    jon.open_table(table)
    for phone in (ana, jon):
        assert serious_violations(phone.page) == []
        assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        small = phone.page.evaluate(
            """[...document.querySelectorAll('#sheet button, #sheet a, #sheet summary')]
                 .filter((each) => each.checkVisibility())
                 .map((each) => [each.textContent, each.getBoundingClientRect()])
                 .filter(([, box]) => box.height < 44 && box.width > 0).map(([text]) => text.trim())"""
        )
        assert small == []


OUT_OF_REACH = """
[...document.querySelectorAll("[data-part=dock] button, dialog[open] :is(button, label)")]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.getBoundingClientRect().right > visualViewport.width)
  .map((each) => each.textContent.trim())
"""

ABOVE_DOCK = """
[...document.querySelectorAll("[data-part=seats] .seat .name")]
  .filter((each) => each.getBoundingClientRect().bottom
    < document.querySelector("[data-part=dock]").getBoundingClientRect().top).length
"""


@pytest.mark.long
def test_a_name_without_a_space_leaves_everything_in_reach_of_a_thumb(
    browser: Browser, server: str, table: Chouette, host: User
) -> None:
    """A page that is wider than the phone has its dock below the screen."""
    for name in ("Wolfeschlegelsteinhausenbergerdorff", "Llanfairpwllgwyngyllgogerychwyrndrob", "Kim"):
        add_to_table(chouette=table, author=Author(user=host), newcomer=Newcomer(name=name))
    ana = Phone(browser, server, host, viewport={"width": 360, "height": 640}, is_mobile=True)
    ana.open_table(table)

    def fits() -> None:
        assert ana.page.evaluate("innerWidth") == 360
        assert ana.page.evaluate(OUT_OF_REACH) == []

    ana.does("places").click()
    fits()
    ana.page.keyboard.press("Escape")
    throw(ana, {"Wolfe": 1, "Llan": 2, "Ana": 6, "Jon": 5, "Eva": 4, "Kim": 3})
    ana.does("next").click()
    partners = ana.page.locator("#dialog-start").get_by_role("button")
    assert partners.all_inner_texts()[:2] == ["No partner", "Jon"]
    fits()
    seq = ana.seq
    partners.filter(has_text="Kim").click()
    ana.wait_past(seq)
    ana.does("crew-doubles").click()
    fits()
    ana.tap("offer-crew")
    fits()
    ana.does("all-take").click()
    ana.tap("record")
    fits()
    # More than two further steps are in a list, and the dock leaves the cubes in sight.
    ana.does("ready-list").click()
    fits()
    ana.page.get_by_role("button", name="Ana beavers: Wolfe").click()
    fits()
    ana.tap("confirm")
    ana.ends("box")
    fits()
    # Turned, the phone shows the seats in pairs: all six above the dock.
    ana.page.set_viewport_size({"width": 844, "height": 390})
    ana.laid_out()
    assert ana.page.evaluate(ABOVE_DOCK) == 6
    # The partner stays with the box: nobody is asked again.
    ana.tap("next")
    expect(ana.seat("Kim")).to_have_attribute("data-role", "partner")
    ana.close()


@pytest.mark.long
def test_the_second_tap_of_two_in_one_place_changes_nothing(table: Chouette, pair: list[Phone]) -> None:
    ana = pair[0]
    seated(ana, table)
    ana.does("crew-doubles").dblclick()
    expect(ana.does("offer-crew")).to_have_text("Jon and Eva double")
    ana.tap("offer-crew")
    ana.seat("Jon").locator(".answer button[value='pass']").dblclick()
    expect(ana.seat("Jon").locator(".answer [aria-pressed='true']")).to_have_text("Pass")
    ana.says("Eva", "take")
    ana.tap("record")
    expect(ana.part("dock")).to_contain_text("Ana takes: Eva; passes: Jon")
    seq = ana.seq
    ana.does("undo").dblclick()
    ana.wait_past(seq)
    expect(ana.does("all-take")).to_be_visible()
    assert ana.seq == seq + 1
    expect(ana.part("notices")).to_be_empty()
    # The second tap on "All take" is not one on the button that it brings.
    ana.does("all-take").dblclick()
    expect(ana.does("record")).to_be_visible()
    assert ana.seq == seq + 1


@pytest.mark.long
def test_a_night_can_be_kept_with_the_keyboard_alone(table: Chouette, pair: list[Phone]) -> None:
    ana = pair[0]
    seated(ana, table)
    for key in ("c", "Escape", "b"):
        ana.page.keyboard.press(key)
    expect(ana.page.locator("[data-cube][aria-pressed='true']")).to_have_count(2)
    seq = ana.seq
    ana.does("offer-box").focus()
    ana.page.keyboard.press("Enter")
    ana.wait_past(seq)
    ana.page.keyboard.press("t")
    seq = ana.seq
    ana.does("record").focus()
    ana.page.keyboard.press("Enter")
    ana.wait_past(seq)
    expect(ana.cube("Jon")).to_have_attribute("data-where", "own")
    seq = ana.seq
    ana.page.keyboard.press("u")
    ana.wait_past(seq)
    expect(ana.part("dock")).to_contain_text("Eva")
