"""The scoresheet in real browsers: a match by two people with phones, bad wifi, everybody's hands."""

from datetime import UTC, datetime
from typing import Literal

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from clubs.models import Club, Person, User
from scoring.chouettes.services.damage import damage_of
from scoring.models import ClockState, ClubProfile, Match, SheetEvent
from scoring.rules.dice import Roll
from scoring.rules.events import OpeningRolled, PositionSet, Rolled, VoidRoll
from scoring.rules.position import STARTING_POSITION
from scoring.rules.profiles import BUILT_IN, profile_to_plain
from scoring.rules.sides import Side
from scoring.sheets.services.clocks import start_clock
from scoring.sheets.services.openings import open_match
from tests.accessibility import serious_violations
from tests.e2e.scorers import PHONE, TWO_FRAMES, Scorer, both_see
from tests.e2e.settled import PATIENCE, tap
from tests.e2e.test_lists import sign_in
from tests.e2e.test_picker import choose
from tests.scoring.sheets.writing import loaded, win, write

BIG = (
    (6, 6),
    (5, 5),
)  # White's rolls in turn, and Black's: White wins a gammon, each always moving the rearmost
SMALL = (2, 1)


@pytest.fixture
def short(club: Club, ana: User, bjorn: User) -> Match:
    return open_match(club=club, white=[ana.player], black=[bjorn.player], length=3, user=ana)


def kinds(match: Match) -> list[str]:
    return list(SheetEvent.objects.filter(sheet=match.sheet).order_by("seq").values_list("kind", flat=True))


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found
    return found


def overlap(one: FloatRect, other: FloatRect) -> bool:
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not (beside or below)


def open_game(white: Scorer, black: Scorer, first: int, second: int) -> None:
    """White enters both opening dice, the one who starts plays on the own phone."""
    white.roll(first, second)
    both_see([white, black])
    (white if first > second else black).play()
    both_see([white, black])


def play_to_the_gammon(white: Scorer, black: Scorer, game: int) -> None:
    """White bears off everything while Black has not begun to; each enters the own dice and play."""
    turn, games = 0, white.part("games").locator("tr")
    while games.count() < game:
        scorer, dice = (black, SMALL) if turn % 2 == 0 else (white, BIG[turn // 2 % 2])
        scorer.roll(*dice)
        scorer.play()
        both_see([white, black])
        turn += 1


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


def test_two_people_play_a_short_match(short: Match, white: Scorer, black: Scorer) -> None:
    """To three points: a pass, a game without a line, the Crawford game, and the loser's confirmation."""
    for scorer in (white, black):
        scorer.open(short)
    open_game(white, black, 3, 1)
    black.tap("double")
    white.sees(black.seq)
    expect(white.part("dock")).to_contain_text("take at 2, or pass?")
    white.tap("pass")
    both_see([white, black])
    white.has_score(0, 1)

    black.context.set_offline(True)
    black.records("games")
    black.game("white", win=2)
    expect(black.unsent()).to_have_count(1)
    expect(black.page.locator("html")).to_have_attribute("data-unsent", "1")
    black.has_score(2, 1)
    seq = white.seq
    black.context.set_offline(False)
    white.sees(seq + 1)
    black.sees(white.seq)
    expect(black.unsent()).to_have_count(0)

    black.records("full")
    expect(white.part("sign")).to_have_text("Crawford game")
    open_game(white, black, 6, 5)
    expect(black.does("double")).to_have_count(0)
    black.does("resign").click()
    seq = black.seq
    black.page.locator("[data-does='resign-black-1']").click()
    black.wait_past(seq)
    white.sees(black.seq)
    white.tap("accept")
    both_see([white, black])
    expect(white.part("result-words")).to_have_text("Ana Etxeberria wins 3–1")
    tap(black.part("confirm"))
    expect(white.part("result-state")).to_have_text("Final.", timeout=PATIENCE)
    short.refresh_from_db()
    assert (short.result.winner, short.result.white_points, short.result.black_points) == ("white", 3, 1)
    assert short.result.final_at is not None
    assert damage_of(short.sheet) is None
    recorded = kinds(short)
    assert [recorded.count(kind) for kind in ("double", "pass", "game_result", "accept")] == [1, 1, 1, 1]


@pytest.mark.long
def test_two_people_play_a_whole_match(match: Match, white: Scorer, black: Scorer) -> None:
    for scorer in (white, black):
        scorer.open(match)

    # A double and a pass.
    open_game(white, black, 3, 1)
    black.roll(6, 4)
    black.play()
    both_see([white, black])
    white.tap("double")
    black.sees(white.seq)
    expect(black.part("dock")).to_contain_text("take at 2, or pass?")
    black.tap("pass")
    both_see([white, black])
    white.has_score(1, 0)

    # A redouble is not possible before the cube is taken; a take, then a resignation.
    open_game(white, black, 6, 2)
    black.tap("double")
    white.sees(black.seq)
    white.tap("take")
    both_see([white, black])
    black.roll(5, 2)
    black.play()
    both_see([white, black])
    white.page.locator("[data-part='dock'] [data-does='resign']").click()
    seq = white.seq
    white.page.locator("[data-does='resign-white-1']").click()
    white.wait_past(seq)
    black.sees(white.seq)
    black.tap("accept")
    both_see([white, black])
    black.has_score(1, 2)

    # Between the games one of them is offline, and enters the next game by its result.
    black.context.set_offline(True)
    black.records("games")
    black.game("black", win=2)
    expect(black.unsent()).to_have_count(1)
    expect(black.page.locator("html")).to_have_attribute("data-unsent", "1")
    black.has_score(1, 4)
    black.context.set_offline(False)
    white.sees(seq + 3)
    black.sees(white.seq)
    expect(black.unsent()).to_have_count(0)

    # The Crawford game offers no double; then a gammon, borne off to the last checker.
    black.records("full")
    expect(white.part("sign")).to_have_text("Crawford game")
    open_game(white, black, 6, 5)
    expect(black.does("die-1")).to_be_visible()
    expect(black.does("double")).to_have_count(0)
    play_to_the_gammon(white, black, 4)
    white.has_score(3, 4)
    expect(white.part("sign")).not_to_have_text("Crawford game")

    # After it the trailer doubles at once.
    open_game(white, black, 1, 2)
    white.tap("double")
    black.sees(white.seq)
    black.tap("take")
    both_see([white, black])
    white.roll(6, 6)
    white.play()
    both_see([white, black])
    black.page.locator("[data-part='dock'] [data-does='resign']").click()
    seq = black.seq
    black.page.locator("[data-does='resign-black-1']").click()
    black.wait_past(seq)
    white.sees(black.seq)
    white.tap("accept")
    both_see([white, black])
    expect(white.part("result-words")).to_have_text("Ana Etxeberria wins 5–4")

    # The loser confirms.
    expect(black.part("result-state")).to_contain_text("Björn")
    black.part("confirm").click()
    expect(white.part("result-state")).to_have_text("Final.", timeout=PATIENCE)
    match.refresh_from_db()
    assert (match.result.winner, match.result.white_points, match.result.black_points) == ("white", 5, 4)
    assert match.result.final_at is not None
    assert damage_of(match.sheet) is None
    recorded = kinds(match)
    assert [recorded.count(kind) for kind in ("double", "take", "pass", "game_result", "accept")] == [
        3,
        2,
        1,
        1,
        2,
    ]


@pytest.mark.long
def test_games_entered_offline_survive_a_reload_and_are_sent_once_in_order(
    match: Match, white: Scorer
) -> None:
    white.open(match)
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    white.records("games")
    white.context.set_offline(True)
    white.game("white", cube=2)
    expect(white.unsent()).to_have_count(1)
    white.game("black", ended="pass")
    expect(white.unsent()).to_have_count(2)
    white.page.reload()
    expect(white.unsent()).to_have_count(2, timeout=PATIENCE)
    white.has_score(2, 1)
    white.context.set_offline(False)
    expect(white.unsent()).to_have_count(0, timeout=PATIENCE)
    white.settled()
    assert kinds(match) == ["match_start", "game_result", "game_result"]
    games = SheetEvent.objects.filter(sheet=match.sheet, kind="game_result").order_by("seq")
    assert [row.body["winner"] for row in games] == ["white", "black"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("choice", "winners", "head"),
    [("theirs", ["white"], 2), ("mine", ["black"], 4), ("both", ["white", "black"], 3)],
)
def test_a_conflict_shows_both_and_people_decide(
    match: Match, white: Scorer, black: Scorer, choice: str, winners: list[str], head: int
) -> None:
    for scorer in (white, black):
        scorer.open(match)
        scorer.records("games")
    black.context.set_offline(True)
    black.game("black", win=2)
    expect(black.unsent()).to_have_count(1)
    white.game("white")
    white.sees(2)
    black.context.set_offline(False)
    dialog = black.page.get_by_role("dialog", name="Conflicting entries")
    expect(dialog).to_be_visible(timeout=PATIENCE)
    expect(dialog.locator("[data-mine]")).to_contain_text("Björn wins a gammon")
    expect(dialog.locator("[data-theirs]")).to_contain_text("Ana Etxeberria")
    dialog.locator(f"[data-settle={choice}]").click()
    expect(dialog).not_to_be_visible()
    for scorer in (black, white):
        scorer.sees(head)
        expect(scorer.part("games").locator("tr")).to_have_count(len(winners), timeout=PATIENCE)
    both_see([white, black])
    names = {"white": "Ana Etxeberria", "black": "Björn"}
    for row, winner in zip(white.part("games").locator("tr").all(), winners, strict=True):
        expect(row).to_contain_text(names[winner])


@pytest.mark.long
def test_the_same_game_entered_by_both_is_on_the_sheet_once(
    match: Match, white: Scorer, black: Scorer
) -> None:
    for scorer in (white, black):
        scorer.open(match)
        scorer.records("games")
    black.context.set_offline(True)
    black.game("white")
    expect(black.unsent()).to_have_count(1)
    white.game("white")
    white.sees(2)
    black.context.set_offline(False)
    expect(black.part("notices")).to_contain_text("already entered this", timeout=PATIENCE)
    expect(black.unsent()).to_have_count(0)
    assert kinds(match) == ["match_start", "game_result"]


@pytest.mark.long
def test_plays_entered_offline_are_checked_on_the_phone(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    white.context.set_offline(True)
    white.does("die-3").click()
    white.does("die-1").click()
    expect(white.unsent()).to_have_count(1)
    for point in (24, 8):  # 24/21 8/7
        page.locator(f"[data-touch='point-{point}']").click()
    white.does("done").click()
    expect(white.unsent()).to_have_count(2)
    expect(white.unsent().get_by_text("unchecked")).to_have_count(0)
    white.does("die-6").click()
    white.does("die-6").click()
    expect(white.unsent()).to_have_count(3)
    page.locator("[data-touch='point-6']").click()  # 6/off is not legal
    expect(white.part("notices")).to_contain_text("No checker can go there")
    white.does("done").click(force=True)  # a finger does not ask whether a button is enabled
    refused = "No checker was moved, but 4 dice of the roll 66 can be played."
    expect(white.part("notices")).to_contain_text(refused)
    for point in (24, 24, 13, 13):
        page.locator(f"[data-touch='point-{point}']").click()
    white.does("done").click()
    expect(white.unsent()).to_have_count(4)
    white.context.set_offline(False)
    expect(white.unsent()).to_have_count(0, timeout=PATIENCE)
    white.settled()
    assert kinds(match) == ["match_start", "opening_roll", "play", "roll", "play"]


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


FINGER, THUMB = 43.9, 47.9  # 44 and 48 px, less what browsers round


def boxes(page: Page, where: str) -> list[FloatRect]:
    found = [target.bounding_box() for target in page.locator(where).all()]
    assert found
    return [box for box in found if box]


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
    # A lower window and a name of six lines leave less; never less than what WCAG 2.2 asks (2.5.8).
    finger = FINGER if height >= PHONE["height"] and other == "Björn" else 24
    for state in ("opening", "to move", "moved", "to roll"):
        white.laid_out()
        board, dock = box(white.part("board")), box(white.part("dock"))
        assert board["y"] + board["height"] <= dock["y"], state
        targets = boxes(page, "[data-part='board'] g.target")
        assert max(box["y"] + box["height"] for box in targets) <= dock["y"], state
        # Before a game nothing on the board is touched.
        assert state == "opening" or all(min(box["width"], box["height"]) >= finger for box in targets), state
        buttons = boxes(page, "[data-part='dock'] button")
        assert all(box["height"] >= THUMB and box["width"] >= FINGER for box in buttons), state
        if state == "opening":
            white.roll(3, 1)
        elif state == "to roll":
            assert white.does("roll-65").count() == (height > 900)
        elif state == "to move":
            for point in (8, 6):
                page.locator(f"[data-touch='point-{point}']").click()
        elif state == "moved":
            white.tap("done")


# A target is reached where a finger in its middle, or half-way from there to an edge, meets it.
OUT_OF_REACH = """() => {
  const board = "[data-part='board'] g.target", dock = "[data-part='dock'] button";
  return [...document.querySelectorAll(`${board}, ${dock}`)].flatMap((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const at = (right, down) => document.elementFromPoint(left + right * width, top + down * height);
    const isReached = [0.5, 0.25, 0.75].some((down) => target.contains(at(0.5, down)));
    const isSeen = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight;
    const isWide = Math.min(width, height) >= 23.9;
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
    expect(white.part("notices").locator(".message")).to_have_count(4)
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


@pytest.mark.long
def test_somebody_who_watches_sees_it_live_and_cannot_write(
    match: Match, white: Scorer, browser: Browser, server: str
) -> None:
    watcher = Scorer(browser, server, None)
    watcher.open(match, "?watch=1")
    expect(watcher.part("dock")).to_be_hidden()
    white.open(match)
    white.roll(5, 2)
    watcher.sees(white.seq)
    expect(watcher.part("big-dice")).to_have_text("5–2")
    watcher.close()


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


@pytest.mark.long
def test_the_clock_is_started_pressed_and_stopped(match: Match, white: Scorer) -> None:
    white.open(match)
    press = white.page.locator("[data-clock=white]")
    expect(press).to_be_hidden()
    for action, running in (("start", "white"), ("pause", "")):
        white.page.locator(".more").click()
        white.page.locator(f"[data-clock-action={action}]").click()
        expect(white.page.locator("[data-clock][data-running]")).to_have_count(1 if running else 0)
        if running:
            press.click()
            expect(white.page.locator("[data-clock=black]")).to_have_attribute("data-running", "")
    expect(press).to_contain_text(":")


# What a phone is asked to do besides drawing: each buzz, tone and wake lock.
SIGNALS = """window.signals = [];
navigator.vibrate = (ms) => window.signals.push(`buzz ${ms}`);
const { start } = OscillatorNode.prototype, { request } = WakeLock.prototype;
OscillatorNode.prototype.start = function () {
  window.signals.push(`tone ${this.frequency.value}`);
  return start.call(this);
};
WakeLock.prototype.request = function (kind) {
  window.signals.push(`awake ${kind}`);
  return request.call(this, kind);
};"""


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_the_clock_lies_between_the_players_and_keeps_their_taps_offline(
    match: Match, white: Scorer, width: int, height: int
) -> None:
    page = white.page
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(SIGNALS)
    white.open(match)
    page.locator(".more").click()
    page.get_by_role("button", name="Show clock").click()
    near, far = page.locator("[data-half=near]"), page.locator("[data-half=far]")
    expect(near).to_contain_text("Ana Etxeberria")
    expect(near).to_contain_text("Tap to start")
    for half in (near, far):
        assert box(half)["width"] * box(half)["height"] > 0.39 * width * height
    assert not overlap(box(near), box(far))
    far.click()  # Björn is ready: Ana's time runs
    expect(near).to_have_attribute("data-running", "")
    expect(near).to_contain_text("Delay")
    assert page.evaluate("signals") == ["awake screen", "buzz 40", "tone 660"]
    assert serious_violations(page) == []
    white.settled()
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    white.context.set_offline(True)
    far.click()  # not his turn
    for half, other in ((near, far), (far, near), (near, far)):
        half.click()
        expect(other).to_have_attribute("data-running", "")
        expect(half).not_to_have_attribute("data-running", "")
    page.reload()  # as a phone ends a page
    expect(page.locator("[data-clock=black]")).to_have_attribute("data-running", "", timeout=PATIENCE)
    page.locator(".more").click()
    page.get_by_role("button", name="Show clock").click()
    expect(far).to_have_attribute("data-running", "")
    with page.expect_response("**/sheet/clock/"):
        white.context.set_offline(False)
    white.settled()
    clock = ClockState.objects.get(sheet=match.sheet)
    assert (clock.running, clock.black_ms) == ("black", clock.white_ms)  # all within the delay
    page.get_by_role("button", name="Stop clock").click()
    expect(far).not_to_have_attribute("data-running", "")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("[data-clock=black]")).to_be_visible()


@pytest.mark.long
def test_a_new_match_opens_its_sheet(page: Page, server: str, club: Club, ana: User, bjorn: User) -> None:
    sign_in(page, server, ana)
    page.set_viewport_size(PHONE)
    page.goto("/clubs/bar-point/matches/new/")
    assert serious_violations(page) == []
    choose(page.get_by_role("combobox", name="Dark checkers", exact=True), "bjorn", "Björn")
    page.get_by_role("radio", name="3", exact=True).check(force=True)
    page.get_by_role("button", name="Open scoresheet").click()
    expect(page.locator("#sheet[data-ready='yes']")).to_be_visible(timeout=PATIENCE)
    match = Match.objects.get()
    assert (match.length, match.sheet.opened_by) == (3, ana)


@pytest.mark.long
def test_doubles_with_a_handicap_are_opened_on_a_phone(
    page: Page, server: str, club: Club, ana: User, bjorn: User
) -> None:
    own = profile_to_plain(BUILT_IN["us"]) | {"name": "tuesday", "title": "Tuesday rules"}
    ClubProfile.objects.create(club=club, name="tuesday", values=own)
    sign_in(page, server, ana)
    page.set_viewport_size(PHONE)
    page.goto("/clubs/bar-point/matches/new/")
    choose(page.get_by_role("combobox", name="Dark checkers", exact=True), "bjorn", "Björn")
    page.get_by_text("Rules, partners, head start, date").click()
    page.get_by_label("Rules").select_option(label="Tuesday rules")
    page.get_by_label("Partner, light checkers").fill("Zoë")
    page.get_by_label("Partner, dark checkers").fill("Iker")
    page.get_by_label("Head start, dark").fill("9")
    page.get_by_label("Played (optional)").fill("2026-07-01T20:30")
    assert serious_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("button", name="Open scoresheet").click()
    expect(page.get_by_role("alert")).to_contain_text("Iker cannot start a match to 5 with 9 points")
    page.get_by_label("Head start, dark").fill("4")
    page.get_by_role("button", name="Open scoresheet").click()
    sheet = page.locator("#sheet[data-ready='yes']")
    expect(sheet).to_be_visible(timeout=PATIENCE)
    expect(sheet).to_contain_text("Ana Etxeberria / Zoë")
    expect(page.locator("[data-player='black'] .points")).to_have_text("4")
    expect(page.locator("[data-part='sign']")).to_have_text("Crawford game")
    expect(sheet).to_contain_text("Tuesday rules")
    assert Match.objects.get().played_at == datetime(2026, 7, 1, 20, 30, tzinfo=UTC)
