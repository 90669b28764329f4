"""A draw in real browsers: it changes by itself, fits every screen, and the wall survives the network."""

import re
from math import hypot, radians, tan
from typing import Literal

import pytest
from django.db import transaction
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from clubs.models import Role, User
from tests.accessibility import serious_violations
from tests.e2e.settled import settle, tap, visit
from tests.factories import member
from tests.tournaments.factories import (
    a_player,
    an_event,
    drawn,
    flight_of,
    open_pairings,
    other_side,
    pairing,
    win,
)
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import touch
from tournaments.models import Event, StageRow


def a_draw(players: int = 8, key: str = "double") -> tuple[StageRow, User]:
    stage = drawn(an_event(players, format_key=key))
    return stage, member(stage.flight.event.club, Role.DIRECTOR)


def test_a_result_reaches_an_open_bracket_by_itself(page: Page, server: str):
    stage, director = a_draw()
    page.add_init_script("localStorage.setItem('midpoint-follows', '{')")  # damaged: nobody is followed
    visit(page, stage.get_absolute_url())
    page.evaluate("window.sameDocument = true")
    expect(page.locator("html")).to_have_attribute("data-line", "live")
    row = pairing(stage, 1)
    win(row, director)
    expect(page.locator("#m1 .s.won")).to_contain_text(row.a.title)
    sheet = page.locator(".tree-matches .m")
    expect(sheet.filter(has=page.locator(".s[data-e]", has_text=row.a.title))).to_have_count(2)
    assert page.evaluate("window.sameDocument")


@pytest.mark.long
def test_a_new_round_reaches_an_open_standing_by_itself(page: Page, server: str):
    stage, director = a_draw(4, "swiss_3")
    page.goto(stage.get_absolute_url())
    expect(page.locator("html")).to_have_attribute("data-line", "live")
    for row in open_pairings(stage):
        win(row, director)
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    for row in open_pairings(stage):
        win(row, director)
    expect(page.get_by_role("heading", name="Round 3")).to_be_visible()


@pytest.mark.long
def test_a_phone_opens_a_league_at_the_round_that_the_followed_player_plays_next(page: Page, server: str):
    stage, director = a_draw(4, "round_robin")
    win(pairing(stage, 1), director)
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"/pairings/{pairing(stage, 1).ref}/")
    tap(page.get_by_role("button", name=f"Follow {pairing(stage, 1).a.title}"))
    visit(page, stage.get_absolute_url())
    expect(page.locator(".s.kept").first).to_be_attached()
    expect(page.locator(".round-heads a[aria-current]")).to_contain_text("Round 2")


@pytest.mark.long
def test_a_name_is_lit_through_the_whole_draw_and_kept_when_followed(page: Page, server: str):
    stage, director = a_draw()
    row = pairing(stage, 1)
    win(row, director)
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"/pairings/{row.ref}/")
    tap(page.get_by_role("button", name=f"Follow {row.a.title}"))
    expect(page.get_by_role("button", name=f"Stop following {row.a.title}")).to_be_visible()
    visit(page, stage.get_absolute_url())
    expect(page.locator(".tree .s.kept")).to_have_count(2)
    expect(page.locator("#l1")).to_have_class("ln path")  # won
    onward = page.locator("#m1").get_attribute("data-to")
    expect(page.locator(f"#l{onward}")).to_have_class("ln path may")  # may be played
    page.locator("#m1 .s").nth(1).hover()
    expect(page.locator(".tree .s.lit")).to_have_count(2)
    page.locator("#m1").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#m2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#m1")).to_be_focused()
    named = page.locator("#draw-path [data-name]")
    page.keyboard.press("Space")
    expect(named).to_have_text(row.a.title)
    page.keyboard.press("Escape")
    expect(page.locator("#draw-path")).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type(other_side(row).title)
    expect(named).to_have_text(other_side(row).title)
    expect(page.locator("#draw-path li").first).to_contain_text(f"lost to {row.a.title}")
    page.evaluate(f"location.hash = 'm{onward}'")
    expect(page.locator(f"#m{onward}")).to_have_class(re.compile("found"))


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")])
@pytest.mark.parametrize("key", ["double", "swiss_3", "round_robin"])
def test_draws_are_accessible_and_fit(
    page: Page, server: str, width: int, scheme: Literal["light", "dark"], key: str
):
    stage, director = a_draw(6, key)
    for row in open_pairings(stage)[:2]:
        win(row, director)
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    named = stage.numbers.order_by("number")[0].entrant
    pairing_ref = open_pairings(stage)[0].ref
    found = {}
    for address in (
        stage.get_absolute_url(),
        f"{stage.get_absolute_url()}&view=list",
        f"{stage.get_absolute_url()}&view=overview",
        f"/stages/{stage.ref}/entrants/{named.ref}/",
        f"/pairings/{pairing_ref}/",
        f"/events/{stage.flight.event.ref}/report/",
    ):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") == width, address
        found[address] = serious_violations(page, scheme=scheme)
    assert {address: lines for address, lines in found.items() if lines} == {}


@pytest.mark.long
def test_on_a_phone_a_round_is_as_wide_as_the_screen_and_a_tab_goes_to_the_next(page: Page, server: str):
    stage, _director = a_draw()
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    page.goto(stage.get_absolute_url())
    page.locator("#s-main .round-heads a").nth(1).click()
    expect(page.locator("#s-main .round").nth(1).locator("li").first).to_be_in_viewport(ratio=0.9)
    box = page.locator("#s-main .round").nth(1).bounding_box()
    assert box is not None
    assert (round(box["x"]), round(box["width"])) == (0, 390)
    # The sheet is as high as this round, and only the page moves up and down.
    sheet = page.locator("#s-main .columns")
    inner = sheet.evaluate("sheet => [sheet.clientHeight, getComputedStyle(sheet).overflowY]")
    assert inner == [round(box["height"]), "hidden"]


# All in one go: the wall replaces what it shows, and an element that is no longer on the page has no size.
CAPITALS = """all => all.map((each) => {
    const style = getComputedStyle(each);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    // A sheet is as wide as its panel: what its measures become there.
    const scale = each.ownerSVGElement ? each.getScreenCTM().d : 1;
    return scale * pen.measureText("H").actualBoundingBoxAscent;
})"""
CUT = """all => all
    .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent)"""


def capitals_for(metres: float, arc_minutes: float, inches: float) -> float:
    """How many pixels high a capital is that is seen under this angle, on a 16:9 screen 1,920 pixels wide."""
    millimetres = metres * 1000 * tan(radians(arc_minutes / 60))
    width = inches * 25.4 * 16 / hypot(16, 9)
    return millimetres * 1920 / width


LONG = ("Lee", "Schwarzenberger-Hohenstaufen", "Featherstonehaugh")


@pytest.mark.long
@pytest.mark.parametrize("key", ["knockout", "swiss_3"])
def test_names_tables_and_scores_on_the_wall_are_read_from_eight_metres(page: Page, server: str, key: str):
    """Capitals of at least 10 minutes of arc at 8 m on a screen of 55 inches.

    The smallest letter that an eye of acuity 1.0 tells apart is 5 minutes of arc high (the definition of
    Snellen's chart); twice that is what an eye of 0.5 reads. At 8 m it is 8000 mm x tan(10') = 23.3 mm. A
    16:9 screen of 55 inches is 1,218 mm wide, so that of 1,920 pixels 36.7 make such a capital.
    """
    least = capitals_for(8, 10, 55)
    assert 36.6 < least < 36.8
    stage, director = a_draw(8, key)
    event = stage.flight.event
    first, second, third, *_rest = open_pairings(stage)
    win(first, director)
    for row, table in ((second, 5), (third, 12)):
        row.table, row.called_at = table, now()
        row.save()
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit(page, f"/events/{event.ref}/wall/")
    places = [".calls li > b", ".calls li span > span"]
    if key == "swiss_3":
        places += [".panel .s > bdi", ".panel .s > b", ".places li > *"]
    else:
        places += [".panel .nm", ".panel .pt"]
    for place in places:
        found = page.locator(place).evaluate_all(CAPITALS)
        assert found, place
        assert min(found) >= least, (place, min(found))
    twelve = page.locator(".calls li > b", has_text="12")
    lines = "all => all.map((each) => each.clientHeight / parseFloat(getComputedStyle(each).fontSize))"
    [height] = twelve.evaluate_all(lines)
    assert height < 1.5
    # What is larger still fits: nothing of a name is outside the screen or of its own box.
    assert page.evaluate("document.documentElement.scrollWidth") <= 1920
    assert page.locator(".calls li span > span, .panel .s > bdi").evaluate_all(CUT) == []


@pytest.mark.page_errors
def test_the_wall_calls_and_says_how_old_it_is_when_the_network_is_away(page: Page, server: str):
    stage, director = a_draw()
    event = stage.flight.event
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit(page, f"/events/{event.ref}/wall/")
    row = open_pairings(stage)[0]
    row.table, row.called_at = 5, now()
    with transaction.atomic():
        row.save()
        touch(event)
    expect(page.locator(".calls li.new b")).to_have_text("5")
    size = page.locator(".calls li.new").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 40
    page.clock.install()
    page.context.set_offline(True)
    page.clock.fast_forward(60_000)
    expect(page.locator(".age")).to_have_text(re.compile(r"offline, as of \d\d:\d\d"))
    expect(page.locator(".calls li.new b")).to_have_text("5")
    win(row, director)
    page.context.set_offline(False)
    page.clock.fast_forward(30_000)
    expect(page.locator(".calls li.new")).to_have_count(0)
    expect(page.locator(".age")).to_be_hidden()


@pytest.mark.long
def test_a_wall_on_which_nothing_is_new_is_left_as_it_is(page: Page, server: str):
    stage, director = a_draw()

    def is_left() -> None:
        shown = page.locator("#wall").element_handle()
        assert shown is not None
        with page.expect_response("**/wall/?part=1*") as answer:
            page.evaluate("window.dispatchEvent(new Event('online'))")
        assert answer.value.status == 304
        settle(page)
        assert shown.evaluate("each => each.isConnected")

    visit(page, f"/events/{stage.flight.event.ref}/wall/")
    is_left()
    win(open_pairings(stage)[0], director)
    expect(page.locator(".panel .s.won")).not_to_have_count(0)
    settle(page)
    is_left()


LOOKS = 10  # how often the screen is looked at after all was shown


def an_empty_wall(page: Page, motion: Literal["reduce", "no-preference"]) -> Event:
    """The wall of an event that is to be drawn, on a large screen that keeps what was ever seen on it."""
    event = an_event(8)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.emulate_media(reduced_motion=motion)
    visit(page, f"/events/{event.ref}/wall/")
    expect(page.locator("#wall")).to_contain_text("The draw will be made soon.")
    page.evaluate(
        """() => {
          window.looks = 0;
          window.seen = { unrolled: 0, moved: 0, hidden: 0, partly: 0 };
          setInterval(() => {
            const names = [...document.querySelectorAll(".unrolling .first .nm")];
            const hidden = names.filter((name) => getComputedStyle(name).visibility === "hidden");
            const told = names.filter((name) => name.parentElement.matches(".told"));
            window.looks += 1;
            if (names.length) window.seen.unrolled += 1;
            if (told.length && told.length < names.length) window.seen.partly += 1;
            window.seen.hidden = Math.max(window.seen.hidden, hidden.length);
            window.seen.moved += document.getAnimations()
              .filter((each) => each.animationName === "told" && each.playState === "running").length;
          }, 40);
        }"""
    )
    return event


@pytest.mark.long
def test_a_draw_is_unrolled_on_the_wall_name_by_name(page: Page, server: str):
    event = an_empty_wall(page, "no-preference")
    stage = drawn(event)
    expect(page.locator(".panel.shown h2")).to_contain_text(stage.seed_hash[:12])
    # The last name is told, and the panel is no longer being unrolled.
    expect(page.locator(".panel.shown:not(.unrolling) .first .s.told")).to_have_count(8)
    seen = page.evaluate("window.seen")
    assert min(seen.values()) > 0, seen
    for entrant in stage.numbers.all():
        expect(page.locator(f".panel.shown [data-e='{entrant.number}']").first).to_be_visible()


@pytest.mark.long
def test_a_draw_stands_still_on_the_wall_where_motion_is_not_wanted(page: Page, server: str):
    event = an_empty_wall(page, "reduce")
    stage = drawn(event)
    expect(page.locator(".panel.shown h2")).to_contain_text(stage.seed_hash[:12])
    names = page.locator(".panel.shown .first .nm")
    expect(names).to_have_count(8)
    for name in names.all():
        expect(name).to_be_visible()
    settle(page)
    page.wait_for_function("enough => window.looks >= enough", arg=page.evaluate("window.looks") + LOOKS)
    assert set(page.evaluate("window.seen").values()) == {0}


@pytest.mark.long
def test_a_finger_hits_full_screen_where_a_phone_looks_at_the_wall(page: Page, server: str):
    event = an_event(2)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/events/{event.ref}/wall/")
    button = page.get_by_role("button", name="Full screen").bounding_box()
    assert button
    assert min(button["width"], button["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == 390


STANDING = """place => {
    const foot = place.getBoundingClientRect().bottom;
    const shown = [...place.querySelectorAll("li:not([hidden])")];
    return {
        cut: shown
            .filter((row) => row.getBoundingClientRect().bottom > foot + 1)
            .map((row) => row.textContent),
        called: shown.filter((row) => row.matches(".new, .begun")).length,
        next: shown.filter((row) => row.matches(".next")).length,
        more: shown.filter((row) => row.matches(".more")).map((row) => row.textContent),
    };
}"""


LISTED = """() => {
    const panel = document.querySelector(".panel.shown");
    const foot = panel.querySelector(".roll").getBoundingClientRect().bottom;
    const rows = [...panel.querySelectorAll(":is(.round > ol > li, .places > li):not([hidden])")];
    return {
        panel: panel.dataset.key,
        shown: rows.map((row) => row.textContent),
        cut: rows
            .filter((row) => row.getBoundingClientRect().bottom > foot + 1)
            .map((row) => row.textContent),
    };
}"""


@pytest.mark.long
@pytest.mark.parametrize(("players", "called"), [(24, 4), (64, 6), (64, 32)])
def test_the_calls_on_the_wall_are_whole_rows_and_the_rest_is_counted(
    page: Page, server: str, players: int, called: int
):
    event = an_event(0)
    for number in range(players):
        enter(flight=flight_of(event), players=[a_player(event.club, f"Anna {LONG[number % 3]} {number:02}")])
    rows = open_pairings(drawn(event))
    waiting = len(rows) - called
    for table, row in enumerate(rows[:called], 1):
        row.table, row.called_at = table, now()
        row.save()
    page.clock.install()
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        visit(page, f"/events/{event.ref}/wall/")
        place = page.locator(".calls .roll")
        seen = 0
        for _turn in range(called):
            stands = place.evaluate(STANDING)
            assert stands["cut"] == []
            seen += stands["called"]
            if seen == called:
                break
            assert stands["next"] == 0
            page.clock.run_for(9000)
        assert seen == called
        left = waiting - stands["next"]
        counted = f"+ {left} more" if stands["next"] else f"{left} waiting"
        assert stands["more"] in ([[counted], []] if not stands["next"] else [[counted]])


@pytest.mark.long
def test_long_names_are_whole_in_calls_and_legible_in_the_draw_of_the_wall(page: Page, server: str):
    event = an_event(0)
    names = ["Maximiliane Schwarzenberger-Hohenstaufen", "Bartholomew Featherstonehaugh-Cholmondeley"]
    for name in names:
        enter(flight=flight_of(event), players=[a_player(event.club, name)])
    stage = drawn(event)
    row = open_pairings(stage)[0]
    row.table, row.called_at = 5, now()
    with transaction.atomic():
        row.save()
        touch(event)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"/events/{event.ref}/wall/")
        called = page.locator(".calls li.new span > span")
        expect(called).to_have_count(2)
        assert called.evaluate_all(CUT) == [], width
        assert sorted(called.all_text_contents()) == sorted(names)
        written = page.locator(".panel.shown .nm")
        expect(written).to_have_count(2)
        # Letters keep their size at eight metres: the end of the longest surname gives way.
        for text, surname in zip(
            sorted(written.all_text_contents()),
            ("Featherstonehaugh-Cholmondeley", "Schwarzenberger-Hohenstaufen"),
            strict=True,
        ):
            assert surname.startswith(text.removesuffix("…"))
            assert len(text) >= 24
        for each in written.all():
            [inner, outer] = [each.bounding_box(), each.locator("xpath=..").bounding_box()]
            assert inner
            assert outer
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1


@pytest.mark.long
@pytest.mark.parametrize("players", [14, 64])
def test_the_rounds_and_standings_on_the_wall_are_whole_rows(page: Page, server: str, players: int):
    event = an_event(0, format_key="swiss_3")
    for number in range(players):
        enter(flight=flight_of(event), players=[a_player(event.club, f"Anna {LONG[number % 3]} {number:02}")])
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    win(open_pairings(stage)[0], director)
    page.clock.install()
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        visit(page, f"/events/{event.ref}/wall/")
        seen: dict[str, set[str]] = {}
        for _second in range(150):
            stands = page.evaluate(LISTED)
            assert stands["cut"] == [], stands
            seen.setdefault(stands["panel"], set()).update(stands["shown"])
            page.clock.run_for(3000)
        assert sorted(map(len, seen.values())) == [players // 2, players]
