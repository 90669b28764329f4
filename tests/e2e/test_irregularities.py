"""What goes wrong at a table, recorded on the page as what happened, by the rules of the match."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, expect

from clubs.models import Club, Role, User
from scoring.chouettes.services.damage import damage_of
from scoring.log.services.sheets import state_of
from scoring.models import Match, SheetEvent
from scoring.rules.options import DieOnChecker, MovesPolicy, PrematureCube, PrematureRoll
from scoring.rules.profiles import BUILT_IN, Profile
from scoring.sheets.services.openings import open_match
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE
from tests.factories import member

STRICT = replace(
    BUILT_IN["us"],
    name="strict",
    title="Strict rules",
    options=replace(
        BUILT_IN["us"].options,
        premature_roll=PrematureRoll.VOID,
        premature_cube=PrematureCube.VOID,
        die_on_checker=DieOnChecker.COCKED,
        moves_policy=MovesPolicy.RESPONSIBLE,
    ),
)


def opened(club: Club, ana: User, bjorn: User, profile: Profile) -> Match:
    return open_match(
        club=club, white=[ana.player], black=[bjorn.player], length=5, profile=profile, user=ana
    )


@pytest.fixture
def strict(club: Club, ana: User, bjorn: User) -> Match:
    return opened(club, ana, bjorn, STRICT)


@pytest.fixture
def director(browser: Browser, server: str, club: Club) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, member(club, Role.DIRECTOR, name="Dora"))
    yield scorer
    scorer.close()


def irregular(scorer: Scorer, summary: str) -> Locator:
    """The form under a heading of the irregularities, open."""
    scorer.page.locator(".more").click()
    scorer.page.get_by_role("button", name="Report an irregularity").click()
    details = scorer.page.locator("#dialog-irregular details", has_text=summary).first
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    return details


def bodies(match: Match, kind: str) -> list[dict[str, object]]:
    return list(
        SheetEvent.objects.filter(sheet=match.sheet, kind=kind).order_by("seq").values_list("body", flat=True)
    )


def touch(scorer: Scorer, point: int) -> None:
    scorer.page.locator(f"[data-touch='point-{point}']").click()


@pytest.mark.long
def test_a_legal_play_is_not_accepted_as_an_illegal_one(strict: Match, white: Scorer) -> None:
    white.open(strict)
    white.roll(3, 1)
    form = irregular(white, "Illegal play")
    form.get_by_label("Opponent’s response").select_option("yes")
    form.get_by_role("button", name="Go to board").click()
    touch(white, 24)
    touch(white, 8)
    white.does("done").click()  # 24/21 8/7 is legal: it cannot be accepted as illegal
    expect(white.part("notices")).to_contain_text("A legal play cannot be")


@pytest.mark.long
def test_an_illegal_play_is_accepted_taken_back_or_left_unfinished(strict: Match, white: Scorer) -> None:
    white.open(strict)
    white.roll(6, 5)

    form = irregular(white, "Illegal play")
    form.get_by_label("Outcome").select_option("illegal_corrected")
    form.get_by_role("button", name="Go to board").click()
    touch(white, 24)  # 24/18
    white.page.locator("[data-touch='dice']").click()
    white.does("undo").click()
    touch(white, 13)  # 13/8 and nothing more, though a six can be played
    white.tap("done")
    assert bodies(strict, "play")[-1]["status"] == "illegal_corrected"
    expect(white.part("dock")).to_contain_text("Ana Etxeberria")  # plays again, properly
    white.play()

    white.roll(3, 1)
    form = irregular(white, "Illegal play")
    form.get_by_label("Outcome").select_option("incomplete_accepted")
    form.get_by_label("Opponent’s response").select_option("yes")
    form.get_by_role("button", name="Go to board").click()
    touch(white, 8)  # 8/5, and the dice were picked up
    white.tap("done")
    last = bodies(strict, "play")[-1]
    assert (last["status"], last["accepted_by"], last["moves"]) == ("incomplete_accepted", "white", [[8, 5]])
    expect(white.part("notices")).to_contain_text("Incomplete play stands")
    assert damage_of(Match.objects.select_related("sheet").get(pk=strict.pk).sheet) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("reason", "words"), [("cocked", "cocked"), ("premature", "premature"), ("die_on_checker", "die")]
)
def test_a_roll_that_does_not_count_is_on_the_sheet_and_changes_nothing(
    strict: Match, white: Scorer, reason: str, words: str
) -> None:
    white.open(strict)
    white.roll(3, 1)
    white.play()
    form = irregular(white, "Void roll")
    form.get_by_label("Dice").fill("66")
    form.get_by_label("Reason").select_option(reason)
    seq = white.seq
    form.get_by_role("button", name="Record").click()
    white.wait_past(seq)
    assert bodies(strict, "roll") == [{"dice": [6, 6], "void": reason}]
    expect(white.part("log").locator("li").first).to_contain_text(words)
    expect(white.part("notices")).to_contain_text("Void roll or double")
    white.roll(5, 2)
    assert bodies(strict, "roll")[-1] == {"dice": [5, 2]}


@pytest.mark.long
def test_a_premature_roll_that_stands_is_not_offered_as_void(match: Match, white: Scorer) -> None:
    white.open(match)  # WBF: it stands, and a die on a checker is valid
    form = irregular(white, "Void roll")
    expect(form.get_by_label("Reason").locator("option")).to_have_text(["cocked"])
    expect(form).to_contain_text("A premature roll stands under these rules")
    expect(form).to_contain_text("A die flat on a checker is valid")
    white.page.keyboard.press("Escape")
    form = irregular(white, "Illegal play")
    expect(form).to_contain_text("an illegal play must be corrected if it is noticed in time")
    expect(form.get_by_label("Opponent’s response")).to_have_count(0)


@pytest.mark.long
def test_a_double_too_early_is_void_where_the_rules_say_so(strict: Match, white: Scorer) -> None:
    white.open(strict)
    white.roll(3, 1)
    form = irregular(white, "Void double")
    form.get_by_label("Reason").select_option("void_premature")
    seq = white.seq
    form.get_by_role("button", name="Record").click()
    white.wait_past(seq)
    assert bodies(strict, "double") == [{"status": "void_premature"}]
    white.play()


@pytest.mark.long
def test_a_wrong_set_up_that_stands_is_played_on_with_a_reason(match: Match, white: Scorer) -> None:
    white.open(match)
    form = irregular(white, "Set position")
    expect(form.locator("input[name=white]")).to_have_value("24:2 13:5 8:3 6:5")
    form.locator("input[name=white]").fill("24:2 13:5 8:3 6:4")
    form.get_by_label("Reason").fill("one checker was left in the box")
    seq = white.seq
    form.get_by_role("button", name="Record").click()
    white.wait_past(seq)
    match.sheet.refresh_from_db()
    assert sum(state_of(match.sheet).game.position.own) == 14
    expect(white.part("notices")).to_contain_text("Position set")
    expect(white.part("log").locator("li").first).to_contain_text("one checker was left in the box")
    white.roll(3, 1)
    white.play()
    form = irregular(white, "Set position")
    form.locator("input[name=white]").fill("24:2 99:5")
    form.get_by_label("Reason").fill("x")
    form.get_by_role("button", name="Record").click()
    expect(form.get_by_role("alert")).to_contain_text("“99” is not a point")


@pytest.mark.long
def test_a_director_rules_and_gives_a_penalty_point(match: Match, white: Scorer, director: Scorer) -> None:
    white.open(match)
    white.page.locator(".more").click()
    white.page.get_by_role("button", name="Report an irregularity").click()
    expect(white.page.locator("#dialog-irregular")).to_contain_text("Only directors can enter rulings")
    white.page.keyboard.press("Escape")
    director.open(match)
    form = irregular(director, "Ruling")
    form.get_by_label("Ruling", exact=True).fill("Played on from the position on the board")
    form.get_by_role("button", name="Record").click()
    white.sees(2)
    expect(white.part("log").locator("li").first).to_contain_text("Played on from the position on the board")
    form = irregular(director, "Penalty points")
    form.get_by_label("Player").select_option("black")
    form.get_by_label("Reason").fill("late")
    form.get_by_role("button", name="Record").click()
    white.sees(3)
    white.has_score(0, 1)
    white.does("take-back").click()
    expect(white.part("notices")).to_contain_text("Only directors can", timeout=PATIENCE)


@pytest.mark.long
def test_a_penalty_that_ends_the_match_is_asked_once_more(match: Match, director: Scorer) -> None:
    director.open(match)
    director.context.set_offline(True)  # asked by the phone itself
    form = irregular(director, "Penalty points")
    form.get_by_label("Player").select_option("black")
    form.get_by_label("Points").fill("99")
    form.get_by_label("Reason").fill("late")
    form.get_by_role("button", name="Record").click()
    asked = director.page.get_by_role("dialog", name="End the match?")
    expect(asked).to_contain_text("99 penalty points end the match: Björn")
    asked.get_by_role("button", name="Back").click()
    expect(director.unsent()).to_have_count(0)
    form.get_by_label("Points").fill("1")
    form.get_by_role("button", name="Record").click()
    expect(director.unsent()).to_have_count(1)
    director.has_score(0, 1)
    form = irregular(director, "Penalty points")
    form.get_by_label("Points").fill(str(match.length))
    form.get_by_label("Reason").fill("late again")
    form.get_by_role("button", name="Record").click()
    asked.get_by_role("button", name="End match").click()
    expect(director.part("result")).to_be_visible()
    expect(director.unsent()).to_have_count(2)
    director.context.set_offline(False)
    director.sees(3)
    assert [body["points"] for body in bodies(match, "penalty")] == [1, match.length]
