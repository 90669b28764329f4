"""The scoresheet in real browsers: a match by two people with phones, and who watches it."""

import pytest
from playwright.sync_api import Browser, expect

from scoring.chouettes.services.damage import damage_of
from scoring.models import Match
from tests.e2e.scorers import Scorer, both_see, kinds
from tests.e2e.settled import PATIENCE, tap

# White's rolls in turn, and Black's: White wins a gammon, each always moving the rearmost.
BIG = ((6, 6), (5, 5))
SMALL = (2, 1)


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
    expect(black.does("roll-21")).to_be_visible()
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
