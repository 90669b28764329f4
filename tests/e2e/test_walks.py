"""Every way through a match on the page, as a player, a director, a guest with a code, and a visitor."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from clubs.models import Club, Role, User
from scoring.chouettes.services.damage import damage_of
from scoring.log.services.sheets import state_of
from scoring.models import Match, MatchStatus
from scoring.sheets.services.openings import open_match
from tests.accessibility import serious_violations
from tests.e2e.scorers import Scorer, both_see, kinds
from tests.e2e.settled import PATIENCE
from tests.factories import member


@pytest.fixture
def director(browser: Browser, server: str, club: Club) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, member(club, Role.DIRECTOR, name="Dora"))
    yield scorer
    scorer.close()


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, None)
    yield scorer
    scorer.close()


def fresh(match: Match) -> Match:
    return Match.objects.select_related("sheet", "result").get(pk=match.pk)


def end(scorer: Scorer, reason: str, winner: str = "") -> None:
    """Fill in the form for an end that no score gives, and wait for it."""
    scorer.page.locator(".more").click()
    scorer.page.get_by_role("button", name="Match status").click()
    scorer.page.get_by_text("Other outcome").click()
    form = scorer.page.locator("form[data-entry=match_end]")
    form.locator("select[name=reason]").select_option(reason)
    form.locator("select[name=winner]").select_option(winner)
    seq = scorer.seq
    form.get_by_role("button", name="Record").click()
    scorer.wait_past(seq)


@pytest.mark.long
def test_the_depth_changes_between_games_and_within_one(match: Match, white: Scorer) -> None:
    white.open(match)
    white.roll(3, 1)
    white.play()
    white.tap("double")
    white.tap("take")
    # Rolls are no longer recorded: of this game only the result, with the cube as it stands, at least.
    for _ in range(2):
        white.page.get_by_role("button", name="More").click()
        white.page.get_by_role("button", name="Record game result").click()
        expect(white.part("board")).to_be_hidden()
        expect(white.part("depth").get_by_role("button")).to_have_text(["Every roll", "Games"])
        expect(white.part("game-form").locator("input[name=cube]:checked")).to_have_value("2")
        expect(white.part("game-form").locator("input[name=cube][value='1']")).to_be_disabled()
        white.page.keyboard.press("3")
        white.records("full")
        expect(white.part("depth")).to_be_hidden()
        expect(white.part("board")).to_be_visible()
    white.page.get_by_role("button", name="More").click()
    white.page.get_by_role("button", name="Record game result").click()
    seq = white.seq
    white.game("white", cube=2)
    white.wait_past(seq)
    white.has_score(2, 0)
    expect(white.part("depth").get_by_role("button")).to_have_count(3)
    white.records("games")
    seq = white.seq
    white.game("black", win=2)
    white.wait_past(seq)
    white.has_score(2, 2)
    white.records("full")
    white.roll(6, 4)
    white.play()
    # The rest of a game that was begun is recorded by its result: somebody had to leave the table.
    expect(white.part("depth")).to_be_hidden()
    white.does("resign").click()
    seq = white.seq
    white.page.locator("[data-does='resign-white-1']").click()
    white.wait_past(seq)
    white.tap("refuse")
    white.does("resign").click()
    seq = white.seq
    white.page.locator("[data-does='resign-white-1']").click()
    white.wait_past(seq)
    white.tap("accept")
    white.records("result")
    form = white.part("score-form")
    form.locator("input[name=white]").fill("5")
    form.locator("input[name=black]").fill("4")
    seq = white.seq
    form.get_by_role("button", name="Record result").click()
    white.wait_past(seq)
    expect(white.part("result-words")).to_have_text("Ana Etxeberria wins 5–4")
    found = fresh(match)
    assert (found.status, found.result.white_points, found.result.black_points) == ("finished", 5, 4)
    assert damage_of(found.sheet) is None


@pytest.mark.long
def test_a_match_is_suspended_and_goes_on_where_it_was(match: Match, white: Scorer, black: Scorer) -> None:
    for scorer in (white, black):
        scorer.open(match)
    white.roll(3, 1)
    white.page.locator(".more").click()
    white.page.get_by_role("button", name="Match status").click()
    seq = white.seq
    white.page.get_by_role("button", name="Suspend match").click()
    white.wait_past(seq)
    both_see([white, black])
    expect(black.part("dock")).to_contain_text("The match is suspended.")
    expect(black.movable).to_have_count(0)
    black.tap("resume")
    both_see([white, black])
    white.play()
    assert kinds(match) == ["match_start", "opening_roll", "suspend", "resume", "play"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("reason", "winner", "words"),
    [
        ("time", "black", "Björn wins 0–0"),
        ("retired", "white", "Ana Etxeberria wins 0–0"),
        ("no_show", "white", "Ana Etxeberria wins 0–0"),
        ("double_no_show", "", "The match ended without a winner."),
    ],
)
def test_a_player_records_an_end_that_no_score_gives(
    match: Match, white: Scorer, reason: str, winner: str, words: str
) -> None:
    white.open(match)
    end(white, reason, winner)
    expect(white.part("result-words")).to_have_text(words)
    found = fresh(match)
    assert (found.status, found.result.ended, found.result.winner) == (MatchStatus.FINISHED, reason, winner)
    expect(white.part("result-state")).not_to_be_empty()


@pytest.mark.long
def test_an_end_without_its_winner_is_refused_with_the_reason(match: Match, white: Scorer) -> None:
    white.open(match)
    white.page.locator(".more").click()
    white.page.get_by_role("button", name="Match status").click()
    white.page.get_by_text("Other outcome").click()
    white.page.locator("form[data-entry=match_end]").get_by_role("button", name="Record").click()
    expect(white.part("notices")).to_contain_text("The outcome time needs a winner")
    assert kinds(match) == ["match_start"]


@pytest.mark.long
def test_what_is_not_possible_now_says_why(match: Match, white: Scorer) -> None:
    white.open(match)
    white.roll(3, 1)
    page = white.page
    page.locator(".more").click()
    page.get_by_role("button", name="Match status").click()
    expect(page.locator("form[data-entry=resume]")).to_be_hidden()
    page.get_by_text("Other outcome").click()
    reasons = page.locator("form[data-entry=match_end] select[name=reason] option:not([disabled])")
    expect(reasons).to_have_text(["on time", "retired"])  # nobody stays away from a match that has begun
    assert serious_violations(page) == []
    page.keyboard.press("Escape")
    white.play()
    white.tap("double")
    white.tap("take")
    white.roll(5, 2)
    white.play()
    white.roll(4, 2)
    white.play()
    refused = white.does("double")
    expect(refused).to_have_attribute("aria-disabled", "true")
    refused.click(force=True)
    expect(white.part("notices")).to_contain_text("Ana Etxeberria owns the cube")


@pytest.mark.long
def test_a_director_disqualifies_and_the_result_is_final(
    match: Match, white: Scorer, director: Scorer
) -> None:
    white.open(match)
    white.page.locator(".more").click()
    white.page.get_by_role("button", name="Match status").click()
    white.page.get_by_text("Other outcome").click()
    expect(white.page.locator("option[value=disqualified]")).to_have_count(0)
    white.page.keyboard.press("Escape")
    director.open(match)
    end(director, "disqualified", "black")
    expect(white.part("result-words")).to_have_text("Björn wins 0–0", timeout=PATIENCE)
    expect(white.part("result-state")).to_have_text("Final.", timeout=PATIENCE)
    expect(white.part("dock")).to_be_hidden()
    assert fresh(match).result.ended == "disqualified"


@pytest.mark.long
def test_a_wrong_length_is_corrected_by_the_players_but_not_in_an_event(
    club: Club, ana: User, bjorn: User, white: Scorer, director: Scorer
) -> None:
    for directed in (False, True):
        match = open_match(
            club=club, white=[ana.player], black=[bjorn.player], length=5, user=ana, directed=directed
        )
        scorer = director if directed else white
        if directed:
            white.open(match)
            white.page.locator(".more").click()
            white.page.get_by_role("button", name="Match status").click()
            white.page.get_by_text("Correct match length").click()
            expect(white.page.locator("form[data-entry=set_length]")).to_be_hidden()
            expect(white.page.locator("[data-why=set_length]")).to_contain_text("only directors can")
            white.page.keyboard.press("Escape")
        scorer.open(match)
        scorer.page.locator(".more").click()
        scorer.page.get_by_role("button", name="Match status").click()
        scorer.page.get_by_text("Correct match length").click()
        form = scorer.page.locator("form[data-entry=set_length]")
        form.get_by_label("Match length").fill("3")
        form.get_by_label("Reason").fill("the sheet said three")
        seq = scorer.seq
        form.get_by_role("button", name="Record").click()
        scorer.wait_past(seq)
        expect(scorer.part("length")).to_have_text("to 3")
        assert fresh(match).length == 3


@pytest.mark.long
def test_a_guest_with_a_code_scores_this_match_for_a_side_and_the_other_confirms(
    club: Club, ana: User, bjorn: User, match: Match, white: Scorer, black: Scorer, visitor: Scorer
) -> None:
    other = open_match(club=club, white=[ana.player], black=[bjorn.player], length=3, user=ana)
    black.open(match)
    black.page.locator(".more").click()
    black.page.get_by_role("button", name="Scoring link").click()
    form = black.page.locator("#claim-form")
    expect(form.locator("option")).to_have_text(["neither player", "Björn"])
    form.locator("select").select_option("black")
    form.get_by_role("button", name="Create link").click()
    link = black.page.locator("#claim-made a")
    expect(link).to_be_visible(timeout=PATIENCE)
    visitor.page.goto(str(link.get_attribute("href")))
    visitor.page.get_by_role("button", name="Score this match").click()
    visitor.settled()
    visitor.records("games")
    seq = visitor.seq
    visitor.game("white", win=3, cube=2)
    visitor.wait_past(seq)
    expect(visitor.part("result-words")).to_have_text("Ana Etxeberria wins 5–0")
    visitor.page.locator(".more").click()
    expect(visitor.page.get_by_role("button", name="Scoring link")).to_have_count(0)
    visitor.page.keyboard.press("Escape")
    expect(visitor.part("confirm")).to_be_hidden()
    white.open(match)
    white.part("confirm").click()
    expect(visitor.part("result-state")).to_have_text("Final.", timeout=PATIENCE)
    assert fresh(match).result.final_at is not None
    visitor.open(other)
    expect(visitor.part("dock")).to_be_hidden()


@pytest.mark.long
def test_who_made_a_link_ends_it_where_it_was_made(match: Match, black: Scorer, visitor: Scorer) -> None:
    black.open(match)
    black.page.locator(".more").click()
    black.page.get_by_role("button", name="Scoring link").click()
    black.page.locator("#claim-form").get_by_role("button", name="Create link").click()
    made = black.page.locator("#claim-made")
    expect(made.locator("a")).to_be_visible(timeout=PATIENCE)
    address = str(made.locator("a").get_attribute("href"))
    visitor.page.goto(address)
    visitor.page.get_by_role("button", name="Score this match").click()
    visitor.settled()
    expect(visitor.part("dock")).to_be_visible()
    end = black.page.get_by_role("button", name="Revoke all links")
    expect(end).to_be_hidden()
    black.page.get_by_text("Revoke links").click()
    end.click()
    expect(made).to_have_text("Scoring links revoked: 1.", timeout=PATIENCE)
    expect(made.locator("a, img")).to_have_count(0)
    visitor.open(match)
    expect(visitor.part("dock")).to_be_hidden()
    visitor.page.goto(address)
    expect(visitor.page.get_by_role("button", name="Score this match")).to_have_count(0)
    end.click()
    expect(made).to_have_text("Scoring links revoked: 0.", timeout=PATIENCE)


@pytest.mark.long
def test_a_visitor_watches_and_writes_nothing(match: Match, white: Scorer, visitor: Scorer) -> None:
    white.open(match)
    visitor.open(match)
    expect(visitor.part("dock")).to_be_hidden()
    expect(visitor.part("depth")).to_be_hidden()
    expect(visitor.part("text-form")).to_be_hidden()
    white.roll(3, 1)
    visitor.sees(white.seq)
    expect(visitor.part("status")).to_contain_text("Ana Etxeberria to play 3-1")
    expect(visitor.movable).to_have_count(0)
    visitor.page.locator(".more").click()
    expect(visitor.page.get_by_role("button", name="Report an irregularity")).to_have_count(0)


@pytest.mark.long
def test_money_is_played_until_the_session_is_closed(
    club: Club, ana: User, bjorn: User, white: Scorer
) -> None:
    match = open_match(club=club, white=[ana.player], black=[bjorn.player], length=0, user=ana)
    white.open(match)
    white.roll(3, 1)
    white.play()
    white.tap("double")
    white.tap("beaver")
    expect(white.part("dock")).to_contain_text("accept the beaver at 4?")
    white.tap("raccoon")
    white.tap("pass")
    white.has_score(0, 4)
    end(white, "agreed")
    found = fresh(match)
    assert (found.status, found.result.black_points) == (MatchStatus.FINISHED, 4)
    assert state_of(found.sheet).score.black == 4


@pytest.mark.long
def test_a_double_tap_records_a_game_once(match: Match, white: Scorer) -> None:
    white.open(match)
    white.records("games")
    form = white.part("game-form")
    form.locator("input[name=winner][value='white']").check()
    white.page.evaluate(
        "() => { const form = document.querySelector('[data-part=game-form]');"
        " for (let n = 0; n < 5; n += 1) form.requestSubmit(); }"
    )
    white.wait_past(1)
    white.has_score(1, 0)
    assert kinds(match) == ["match_start", "game_result"]
    white.records("full")
    white.roll(3, 1)
    white.play()
    white.page.evaluate(
        "() => { const press = () => document.querySelector('[data-does=double]')?.click();"
        " for (let n = 0; n < 5; n += 1) press(); }"
    )
    white.sees(5)
    expect(white.part("dock")).to_contain_text("take at 2, or pass?")
    assert kinds(match)[2:] == ["opening_roll", "play", "double"]


@pytest.mark.long
def test_dice_that_are_tapped_before_the_answer_are_not_lost(match: Match, white: Scorer) -> None:
    white.open(match)
    white.roll(3, 1)
    for point in (8, 6):
        white.page.locator(f"[data-touch='point-{point}']").click()
    slow = {"offline": False, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1}
    line = white.context.new_cdp_session(white.page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", slow)
    white.does("done").click()
    white.taps_dice(6, 4)
    white.sees(4)
    assert kinds(match) == ["match_start", "opening_roll", "play", "roll"]


@pytest.mark.long
def test_a_page_from_before_catches_up_before_it_writes(match: Match, white: Scorer, black: Scorer) -> None:
    white.open(match)
    black.open(match)
    black.page.evaluate(
        "() => { for (const part of document.querySelectorAll('[data-live]')) part.remove(); }"
    )
    white.records("games")
    white.game("white", win=2)
    white.sees(2)
    if black.seq == 1:  # it may have heard of it before it stopped listening
        black.records("games")
        black.game("black")
        expect(black.page.get_by_role("dialog", name="Conflicting entries")).to_be_visible(timeout=PATIENCE)
        black.page.get_by_role("button", name="Keep theirs").click()
        black.sees(2)
    black.has_score(2, 0)
    assert kinds(match) == ["match_start", "game_result"]
