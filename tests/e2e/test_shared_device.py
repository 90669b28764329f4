"""One device for several people: what one of them entered is never sent in another one's name, nor lost."""

import pytest
from playwright.sync_api import Browser, expect

from clubs.models import User
from scoring.log.queries.writers import Author
from scoring.models import Match, SheetEvent
from scoring.sheets.services.claims import make_claim
from scoring.sheets.services.corrections import undo_last
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE, settle, tap, visit
from tests.e2e.test_lists import sign_in


def written_by(match: Match) -> list[User | None]:
    events = SheetEvent.objects.filter(sheet=match.sheet, kind="game_result").order_by("seq")
    return [event.user for event in events.select_related("user")]


def two_games_without_a_line(scorer: Scorer, match: Match) -> None:
    """Enter two games offline and leave the sheet; the line is back then, and nothing has been sent."""
    scorer.open(match)
    expect(scorer.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    scorer.records("games")
    scorer.context.set_offline(True)
    for count, winner in enumerate(("white", "black"), start=1):
        scorer.game(winner)
        expect(scorer.unsent()).to_have_count(count)
    # The browser takes the line away from a page, not from a request that a page starts while it is left: one
    # in thirty of those arrived.
    scorer.page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no line')); }")
    settle(scorer.page)
    scorer.page.goto("about:blank")
    scorer.context.set_offline(False)
    # The next page is asked for by the service worker, which hears a moment later that the line is back.
    for worker in scorer.context.service_workers:
        worker.evaluate(
            "() => navigator.onLine || new Promise((back) => addEventListener('online', back, {once: true}))"
        )


@pytest.mark.long
def test_whoever_signs_in_next_does_not_send_what_somebody_else_entered(
    match: Match, white: Scorer, server: str, ana: User, bjorn: User
) -> None:
    page = white.page
    two_games_without_a_line(white, match)
    visit(page, "/me/")
    tap(page.get_by_role("button", name="Sign out"))
    warning = page.get_by_role("dialog", name="Unsent entries")
    expect(warning.get_by_role("link", name="Ana Etxeberria – Björn")).to_contain_text("2 unsent")
    warning.get_by_role("button", name="Stay signed in").click()
    expect(warning).not_to_be_visible()
    tap(page.get_by_role("button", name="Sign out"))
    tap(warning.get_by_role("button", name="Sign out anyway"))
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible(timeout=PATIENCE)

    sign_in(page, server, bjorn)
    white.open(match)
    expect(white.part("notices")).to_contain_text(
        "Entries waiting on this device for Ana Etxeberria to sign in: 2."
    )
    expect(page.locator("html")).to_have_attribute("data-unsent", "2")
    white.has_score(0, 0)
    white.records("full")
    white.roll(3, 1)
    assert written_by(match) == []

    undo_last(match=match, author=Author(user=bjorn, side="black"), after=2, key="b-took-it-back")
    sign_in(page, server, ana)
    white.open(match)
    white.sees(5)
    expect(white.unsent()).to_have_count(0)
    white.has_score(1, 1)
    assert written_by(match) == [ana, ana]


@pytest.mark.long
def test_a_page_that_stayed_open_sends_nothing_in_the_next_persons_name(
    match: Match, white: Scorer, server: str, ana: User, bjorn: User
) -> None:
    page = white.page
    white.open(match)
    white.records("games")
    white.context.set_offline(True)
    white.game("white")
    expect(white.unsent()).to_have_count(1)
    sign_in(page, server, bjorn)
    white.context.set_offline(False)
    expect(white.part("notices")).to_contain_text("someone else is signed in", timeout=PATIENCE)
    expect(white.unsent()).to_have_count(1)
    assert written_by(match) == []
    white.part("notices").get_by_role("button", name="Reload page").click()
    expect(white.part("notices")).to_contain_text("for Ana Etxeberria to sign in: 1.", timeout=PATIENCE)
    sign_in(page, server, ana)
    white.open(match)
    white.sees(2)
    expect(white.unsent()).to_have_count(0)
    assert written_by(match) == [ana]


@pytest.mark.long
def test_what_was_entered_with_a_code_is_taken_over_only_by_whoever_says_so(
    match: Match, browser: Browser, server: str, ana: User, bjorn: User
) -> None:
    _claim, code = make_claim(match=match, author=Author(user=ana, side="white"))
    guest = Scorer(browser, server, None)
    guest.page.goto(f"/score/{code}/")
    guest.page.get_by_role("button", name="Score this match").click()
    guest.settled()
    two_games_without_a_line(guest, match)
    sign_in(guest.page, server, bjorn)
    guest.open(match)
    notices = guest.part("notices")
    expect(notices).to_contain_text("Entries made on this device with a code and waiting for it: 2.")
    assert written_by(match) == []
    notices.get_by_role("button", name="Enter as mine").click()
    expect(guest.part("games").locator("tr")).to_have_count(2, timeout=PATIENCE)
    guest.settled()
    assert written_by(match) == [bjorn, bjorn]
    guest.close()
