"""The scoresheet in real browsers without a line, and two who enter at once."""

import pytest
from playwright.sync_api import expect

from scoring.models import Match, SheetEvent
from tests.e2e.scorers import Scorer, both_see, kinds
from tests.e2e.settled import PATIENCE


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
    # What was entered last is taken back with a tap, also where it ended the match.
    white.game("black", cube=4)
    expect(white.part("result-words")).to_have_text("Björn wins 5–2")
    for score in ((2, 1), (2, 0)):
        white.part("take-back").click()
        white.has_score(*score)
    white.game("black", ended="pass")
    expect(white.unsent()).to_have_count(2)
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
    white.taps_dice(3, 1)
    expect(white.unsent()).to_have_count(1)
    for point in (24, 8):  # 24/21 8/7
        page.locator(f"[data-touch='point-{point}']").click()
    white.does("done").click()
    expect(white.unsent()).to_have_count(2)
    expect(white.unsent().get_by_text("unchecked")).to_have_count(0)
    white.taps_dice(6, 6)
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
