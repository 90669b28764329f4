"""The scoresheet in real browsers: everything is in sight, in reach and as wide as a finger."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Club, Person, User
from scoring.models import Match
from scoring.rules.dice import Roll
from scoring.rules.events import OpeningRolled, PositionSet, Rolled, VoidRoll
from scoring.rules.position import STARTING_POSITION
from scoring.rules.sides import Side
from scoring.sheets.services.clocks import start_clock
from tests.accessibility import serious_violations
from tests.e2e.boxes import box, boxes, overlap
from tests.e2e.scorers import TWO_FRAMES, Scorer
from tests.e2e.settled import PATIENCE
from tests.e2e.test_lists import sign_in
from tests.scoring.sheets.writing import loaded, win, write

FINGER, THUMB = 43.9, 47.9  # 44 and 48 px, less what browsers round


@pytest.mark.long
def test_a_long_name_does_not_cover_the_score(
    club: Club, ana: User, bjorn: User, short: Match, white: Scorer
) -> None:
    Person.objects.filter(player=bjorn.player).update(name="Ólöf Hallgrímsdóttir-Wolfeschlegel")
    white.open(short)
    name = box(white.page.locator(".sheet-player.black .name"))  # its letters reach a pixel beyond their line
    around = [".points", ".counts"]
    others = [box(white.page.locator(f".sheet-player.black {part}")) for part in around]
    others += [box(white.page.locator(f".scorebar {part}")) for part in (".more", ".terms")]
    assert not [other for other in others if overlap(name, other)]
    assert name["x"] + name["width"] <= white.page.evaluate("innerWidth")


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")])
def test_the_sheet_fits_and_is_accessible(
    page: Page, server: str, match: Match, ana: User, width: int, scheme: Literal["light", "dark"]
) -> None:
    sign_in(page, server, ana)
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"/matches/{match.ref}/sheet/")
    found: list[str] = []
    expect(page.locator("#sheet[data-ready='yes']")).to_be_visible(timeout=PATIENCE)
    for depth in ("games", "result", "full"):
        page.locator(f"[data-part='depth'] [value='{depth}']").click()
        assert page.evaluate("document.documentElement.scrollWidth") == width, depth
    for seq, keys in ((1, ""), (2, "31"), (2, "")):
        page.keyboard.type(keys)
        expect(page.locator(f"#sheet[data-seq='{seq}'][data-ready='yes']")).to_be_visible(timeout=PATIENCE)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        found += serious_violations(page, scheme=scheme)
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("other", ["Björn", "Ólöf Hallgrímsdóttir-Wolfeschlegel"])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (360, 800), (390, 844), (412, 915)])
def test_whatever_is_touched_on_a_phone_is_in_sight_and_as_wide_as_a_finger_where_there_is_room(
    match: Match, white: Scorer, bjorn: User, width: int, height: int, other: str
) -> None:
    Person.objects.filter(player=bjorn.player).update(name=other)
    page = white.page
    page.set_viewport_size({"width": width, "height": height})
    white.open(match)
    # A lower window leaves less; never less than what WCAG 2.2 asks (2.5.8).
    finger = FINGER if height >= 800 else 34 if other == "Björn" else 24
    for state in ("opening", "to move", "moved", "to roll"):
        white.laid_out()
        board, dock = box(white.part("board")), box(white.part("dock"))
        assert board["y"] + board["height"] <= dock["y"], state
        targets = boxes(page, "[data-part='board'] g.target")
        assert max(box["y"] + box["height"] for box in targets) <= dock["y"], state
        # The board is touched while a checker can be moved; it is smaller above the rolls.
        least = finger if state == "to move" else 19
        assert all(min(box["width"], box["height"]) >= least for box in targets), state
        buttons = boxes(page, "[data-part='dock'] button")
        assert all(box["height"] >= THUMB and box["width"] >= FINGER for box in buttons), state
        if state == "opening":
            white.roll(3, 1)
        elif state == "to roll":
            assert white.does("roll-65").count() == 1
        elif state == "to move":
            for point in (8, 6):
                page.locator(f"[data-touch='point-{point}']").click()
        elif state == "moved":
            white.tap("done")


# A target is reached where a finger in its middle, or half-way from there to an edge, meets it. The board is
# smaller above the rolls, where no checker can be moved.
OUT_OF_REACH = """() => {
  const least = document.querySelector(".rolls") ? 19 : 23.9;
  const board = "[data-part='board'] g.target", dock = "[data-part='dock'] button";
  return [...document.querySelectorAll(`${board}, ${dock}`)].flatMap((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const at = (right, down) => document.elementFromPoint(left + right * width, top + down * height);
    const isReached = [0.5, 0.25, 0.75].some((down) => target.contains(at(0.5, down)));
    const isSeen = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight;
    const isWide = Math.min(width, height) >= least;
    const name = target.dataset.touch ?? target.dataset.does;
    return isReached && isSeen && isWide ? [] : [`${name}: ${left} ${top} ${width} ${height}`];
  });
}"""


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (412, 915)])
def test_with_every_badge_and_notice_at_once_everything_is_seen_and_reached(
    match: Match, white: Scorer, width: int, height: int
) -> None:
    set_up = PositionSet(STARTING_POSITION, reason="as it stood", on_roll=Side.WHITE)
    cocked = Rolled(Roll(6, 5), VoidRoll.COCKED)
    write(match, OpeningRolled(3, 1), set_up, cocked, win(Side.WHITE, cube=4), OpeningRolled(3, 1))
    start_clock(match=loaded(match), side="white")
    page = white.page
    page.set_viewport_size({"width": width, "height": height})
    white.open(match)
    white.context.set_offline(True)
    page.locator("[data-touch='point-1']").click()
    for part, words in (
        ("sign", "Crawford game"),
        ("line", "offline"),
        ("notices", "No checker can go"),
    ):
        expect(white.part(part)).to_contain_text(words)
    expect(white.part("notices").locator(".message")).to_have_count(3)
    white.laid_out()
    assert page.evaluate(OUT_OF_REACH) == [], "to move"
    for point in (8, 6):
        page.locator(f"[data-touch='point-{point}']").click()
    white.laid_out()
    assert page.evaluate(OUT_OF_REACH) == [], "moved"
    white.does("done").click()
    expect(white.part("unsent")).to_contain_text("1")
    expect(white.does("double")).to_have_count(0)
    white.laid_out()
    assert page.evaluate(OUT_OF_REACH) == [], "to roll"


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(960, 700), (1280, 720), (1366, 768), (1440, 900)])
def test_on_a_desktop_the_points_are_as_wide_as_a_finger_and_in_sight(
    page: Page, server: str, match: Match, ana: User, width: int, height: int
) -> None:
    sign_in(page, server, ana)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/matches/{match.ref}/sheet/")
    expect(page.locator("#sheet[data-ready='yes']")).to_be_visible(timeout=PATIENCE)
    page.keyboard.type("31")
    expect(page.locator("[data-part='dock'] [data-does='done']")).to_be_visible(timeout=PATIENCE)
    for point in (8, 6):
        page.locator(f"[data-touch='point-{point}']").click()
    expect(page.locator("#sheet")).not_to_have_attribute("data-ready", "drawing")
    page.evaluate(TWO_FRAMES)
    targets = boxes(page, "[data-part='board'] g.target")
    assert min(min(box["width"], box["height"]) for box in targets) >= FINGER
    [dock] = boxes(page, "[data-part='dock']")
    assert max(box["y"] + box["height"] for box in targets) <= dock["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
