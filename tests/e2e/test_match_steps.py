"""A match in a real browser, step by step: what keeps its place, its focus and its size."""

import re
from typing import Literal

import pytest
from django.db import transaction
from playwright.sync_api import Locator, Page, expect

from clubs.models import Club
from scoring.models import Match
from scoring.rules.sides import Side
from tests.accessibility import serious_violations
from tests.e2e.settled import settle, tap, visit
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory
from tests.scoring.matches.test_stage import analysed, checker, imported, seated

DESK, TABLET, PHONE = (
    {"width": 1280, "height": 850},
    {"width": 768, "height": 1024},
    {"width": 390, "height": 844},
)


@pytest.fixture
def match(transactional_db: None) -> Match:
    club: Club = ClubFactory.create(name="Bar Point")
    with transaction.atomic():
        found = imported(club)
        analysed(found, [checker(1, 0.03), checker(2, 0.035), checker(3, 0.2), checker(7, 0.0)])
    return found


def place(part: Locator) -> tuple[int, ...]:
    box = part.bounding_box()
    assert box is not None
    return tuple(round(box[each]) for each in ("x", "y", "width", "height"))


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.long), PHONE], ids=["desk", "phone"])
def test_board_and_buttons_stay_where_they_are_from_step_to_step(
    page: Page, match: Match, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/1/")
    parts = [page.locator("#stage .board-drawing"), page.locator("#stage .match-steps")]
    before = [place(part) for part in parts]
    for number in (2, 3):
        tap(page.locator("#step-next-error"))
        expect(page.locator(".said")).to_contain_text(f"step {number}")
        expect(page.locator("#step-next-error")).to_be_focused()
        assert [place(part) for part in parts] == before
    expect(page.locator("#step-words")).to_contain_text("Blunder")
    assert page.evaluate("scrollY") == 0


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, TABLET, PHONE], ids=["desk", "tablet", "phone"])
def test_the_decision_is_on_the_first_screen(page: Page, match: Match, size: dict[str, int]) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/3/")
    for part in (
        "h1",
        ".board-drawing",
        ".verdict h2",
        "tr.best",
        "tr.played",
        "#step-next-error",
        ".stage-graph",
    ):
        left, top, width, height = place(page.locator(part).first)
        assert left >= 0
        assert left + width <= size["width"]
        assert top >= 0
        assert top + height <= size["height"], part
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    if size is not DESK:
        # The steps stand over the foot of the page: the graph and its key end above them.
        _left, top, _width, height = place(page.locator(".stage-graph .keys"))
        assert top + height <= place(page.locator(".stage-steps"))[1]


@pytest.mark.long
@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("lying", [False, True])
def test_a_match_prints_on_two_sheets(page: Page, match: Match, paper: str, lying: bool) -> None:
    visit(page, f"/matches/{match.ref}/3/")
    sheets = page.pdf(format=paper, landscape=lying)
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) <= 2


@pytest.mark.long
def test_points_have_the_numbers_of_the_mover_unless_this_device_fixes_them(page: Page, match: Match) -> None:
    below = [str(point) for point in range(1, 25)]
    visit(page, f"/matches/{match.ref}/1/")
    numbers, choice = page.locator("#stage .numbers text"), page.get_by_label("Point numbers")
    first = numbers.all_text_contents()
    tap(page.locator("#step-next"))
    assert {tuple(first), tuple(numbers.all_text_contents())} == {tuple(below), tuple(below[::-1])}
    choice.select_option("fixed")
    assert numbers.all_text_contents() == below
    tap(page.locator("#step-prev"))
    assert numbers.all_text_contents() == below
    visit(page, f"/matches/{match.ref}/2/")
    assert numbers.all_text_contents() == below
    expect(choice).to_have_value("fixed")
    choice.select_option("mover")
    assert numbers.all_text_contents() == below[::-1]


@pytest.mark.long
def test_no_press_is_lost_while_a_step_is_under_way(page: Page, match: Match) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/1/")
    page.evaluate(
        """() => { for (let press = 0; press < 5; press += 1)
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true })) }"""
    )
    expect(page.locator(".said")).to_contain_text("step 6")
    tap(page.locator("#step-prev"))
    expect(page.locator(".said")).to_contain_text("step 5")


MOVES = """() => { window.moves = []; const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  window.moves.push(how.duration); return animate.call(this, frames, how) } }"""


@pytest.mark.long
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_checkers_move_within_a_quarter_of_a_second_or_not_at_all(
    page: Page, match: Match, motion: Literal["no-preference", "reduce"]
) -> None:
    page.emulate_media(reduced_motion=motion)
    visit(page, f"/matches/{match.ref}/1/")
    page.evaluate(MOVES)
    tap(page.locator("#step-next"))
    expect(page.locator(".said")).to_contain_text("step 2")
    settle(page)
    moves = page.evaluate("window.moves")
    assert all(150 <= each <= 250 for each in moves)
    assert bool(moves) == (motion == "no-preference")


@pytest.mark.long
def test_on_a_phone_the_steps_take_the_place_of_the_navigation(page: Page, match: Match) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/1/")
    expect(page.locator(".mainnav")).to_be_hidden()
    for button in page.locator(".match-steps > *").all():
        _x, top, width, height = place(button)
        assert min(width, height) >= 44
        assert top + height <= PHONE["height"]


def test_a_player_steps_through_blunders_of_their_own(page: Page, server: str, match: Match) -> None:
    with transaction.atomic():
        user = seated(match, Side.WHITE)
    sign_in(page, server, user)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/1/")
    for name in ("Mine only", "Blunders only"):
        tap(page.get_by_role("button", name="Filter errors"))
        tap(page.get_by_role("checkbox", name=name))
        expect(page.get_by_role("button", name="Filter errors")).to_be_focused()
    expect(page.locator("#step-next-error")).to_contain_text("Next blunder 0/1")
    tap(page.locator("#step-next-error"))
    expect(page).to_have_url(f"{server}/matches/{match.ref}/3/?mine=on&blunders=on")


@pytest.mark.long
def test_the_graph_leads_to_the_step_that_is_touched(page: Page, server: str, match: Match) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/1/")
    graph = page.locator("[data-graph]:visible")
    x, y, width, height = place(graph)
    page.mouse.click(x + width - 14, y + height / 2)
    steps = graph.locator("svg").get_attribute("data-steps")
    expect(page).to_have_url(f"{server}/matches/{match.ref}/{steps}/")
    settle(page)


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_barriers(
    page: Page, match: Match, size: dict[str, int], scheme: Literal["light", "dark"]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    visit(page, f"/matches/{match.ref}/3/")
    assert serious_violations(page, scheme=scheme) == []


@pytest.mark.long
def test_the_position_is_shared_on_tap(page: Page, match: Match) -> None:
    visit(page, f"/matches/{match.ref}/3/")
    expect(page.locator("#xgid")).to_be_hidden()
    tap(page.get_by_role("button", name="Share"))
    expect(page.locator("#xgid")).to_contain_text("XGID=")
    expect(page.locator("#position-link")).to_contain_text(f"/matches/{match.ref}/3/")
