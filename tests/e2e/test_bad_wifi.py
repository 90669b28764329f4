"""Two phones and a line that breaks: nothing is doubled, lost, or put on top of what others entered."""

import pytest
from playwright.sync_api import Locator, Route, expect

from clubs.models import User
from scoring.models import Match, SheetEvent
from scoring.rules.sides import Side
from scoring.sheets.services.results import confirm_result
from tests.e2e.scorers import PHONE, Scorer, both_see, kinds
from tests.e2e.settled import PATIENCE
from tests.scoring.sheets.writing import loaded, win, write

# Entries can wait that an older version of the page let through: the fourth is made one of them.
SPOIL = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("midpoint-sheets");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const queue = opening.result.transaction("queue", "readwrite").objectStore("queue");
    const reading = queue.getAll();
    reading.onsuccess = () => {
      const row = { ...reading.result[3], body: { moves: [[6, 2], [4, 2]] }, unchecked: true };
      queue.put(row).onsuccess = () => resolve(row.kind);
    };
  };
})"""


def winners(match: Match) -> list[str]:
    events = SheetEvent.objects.filter(sheet=match.sheet, kind="game_result").order_by("seq")
    return [event.body["winner"] for event in events]


def conflict_of(scorer: Scorer) -> Locator:
    return scorer.page.get_by_role("dialog", name="Conflicting entries")


def test_the_first_game_that_differs_is_shown_and_asked_again_after_a_reload(
    match: Match, white: Scorer, black: Scorer
) -> None:
    for scorer in (white, black):
        scorer.open(match)
        scorer.records("games")
    expect(black.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    black.context.set_offline(True)
    for count, winner in enumerate(("white", "black", "black"), start=1):
        black.game(winner)
        expect(black.unsent()).to_have_count(count)
    for count, winner in enumerate(("white", "white"), start=1):
        white.game(winner)
        expect(white.part("games").locator("tr")).to_have_count(count, timeout=PATIENCE)
    white.settled()
    black.context.set_offline(False)
    dialog = conflict_of(black)
    expect(dialog).to_be_visible(timeout=PATIENCE)
    # Both have the first game alike: what differs begins with the second, marked on either side.
    expect(dialog.locator("[data-theirs] li")).to_have_count(1)
    expect(dialog.locator("[data-theirs] .differs")).to_contain_text("Ana Etxeberria")
    expect(dialog.locator("[data-mine] li")).to_have_count(2)
    expect(dialog.locator("[data-mine] .differs")).to_contain_text("Game 2: Björn wins a single")

    # Also where little has room, the dialog begins at its top and what to choose is in sight.
    black.page.set_viewport_size({"width": 360, "height": 400})
    assert dialog.evaluate("found => found.scrollTop") == 0
    heights = dialog.locator("button").evaluate_all("all => all.map((b) => b.getBoundingClientRect().bottom)")
    assert max(heights) <= 400
    black.page.set_viewport_size(PHONE)

    black.page.reload()
    expect(dialog).to_be_visible(timeout=PATIENCE)
    expect(dialog.locator("[data-mine] .differs")).to_contain_text("Game 2: Björn wins a single")
    assert winners(match) == ["white", "white"]
    dialog.locator("[data-settle=mine]").click()
    expect(dialog).not_to_be_visible()
    expect(black.unsent()).to_have_count(0, timeout=PATIENCE)
    black.settled()
    both_see([white, black])
    for scorer in (white, black):
        scorer.has_score(1, 2)
    assert kinds(match) == [
        "match_start",
        "game_result",
        "game_result",
        "voided",
        "game_result",
        "game_result",
    ]


@pytest.mark.long
def test_games_of_a_match_that_was_confirmed_meanwhile_change_nothing(
    match: Match, white: Scorer, bjorn: User
) -> None:
    white.open(match)
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    white.records("games")
    white.context.set_offline(True)
    white.game("black")
    expect(white.unsent()).to_have_count(1)
    write(match, win(Side.WHITE, cube=4), win(Side.WHITE), by="white")
    confirm_result(match=loaded(match), user=bjorn, as_director=False)
    white.page.reload()
    expect(white.unsent()).to_have_count(1, timeout=PATIENCE)
    white.context.set_offline(False)
    dialog = conflict_of(white)
    expect(dialog).to_be_visible(timeout=PATIENCE)
    expect(dialog).to_contain_text("The result is final. Only directors can change it")
    for choice in ("mine", "both"):
        expect(dialog.locator(f"[data-settle={choice}]")).not_to_be_visible()
    dialog.locator("[data-settle=theirs]").click()
    expect(white.unsent()).to_have_count(0)
    expect(white.part("result-words")).to_have_text("Ana Etxeberria wins 5–0", timeout=PATIENCE)
    expect(white.part("result-state")).to_have_text("Final.")
    assert winners(match) == ["white", "white"]


@pytest.mark.long
def test_good_plays_before_a_misfit_go_and_those_after_it_wait(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    white.context.set_offline(True)
    turns = ((3, 1, (8, 6)), (4, 2, (8, 6)), (6, 5, (24, 18)))
    for number, (first, second, points) in enumerate(turns):
        white.taps_dice(first, second)
        expect(white.unsent()).to_have_count(2 * number + 1)
        for point in points:
            page.locator(f"[data-touch='point-{point}']").click()
        white.does("done").click()
        expect(white.unsent()).to_have_count(2 * number + 2)
    assert page.evaluate(SPOIL) == "play"
    page.reload()
    expect(white.unsent()).to_have_count(6, timeout=PATIENCE)
    white.context.set_offline(False)
    dialog = page.get_by_role("dialog", name="Entry refused")
    expect(dialog).to_be_visible(timeout=PATIENCE)
    expect(dialog).to_contain_text("Later entries not sent yet: 2.")
    expect(dialog.locator("[data-why]")).to_be_visible()
    expect(dialog.locator("[data-why]")).not_to_be_empty()
    assert kinds(match) == ["match_start", "opening_roll", "play", "roll"]
    # Asked again after a reload, and what goes on then follows what stands.
    page.reload()
    expect(dialog).to_be_visible(timeout=PATIENCE)
    dialog.get_by_label("What happened").fill("8/4 6/4")
    dialog.get_by_role("button", name="Enter correction").click()
    expect(white.unsent()).to_have_count(0, timeout=PATIENCE)
    white.settled()
    expected = ["match_start", "opening_roll", "play", "roll", "play", "roll", "play"]
    assert kinds(match) == expected


@pytest.mark.long
def test_a_line_that_breaks_before_the_answer_doubles_nothing(match: Match, white: Scorer) -> None:
    white.open(match)
    white.records("games")
    lost = 0

    def deliver_and_lose(route: Route) -> None:
        nonlocal lost
        if lost:
            route.continue_()
            return
        lost += 1
        route.fetch()
        route.abort("connectionreset")

    white.page.route("**/api/v1/matches/*/events/", deliver_and_lose)
    seq = white.seq
    white.game("white", win=2)
    white.wait_past(seq)
    expect(white.unsent()).to_have_count(0, timeout=PATIENCE)
    white.has_score(2, 0)
    assert lost == 1
    assert winners(match) == ["white"]
