"""A strong player's evening with a match that eXtreme Gammon has analysed: compare, look, roll out, learn."""

from pathlib import Path

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from clubs.models import Role
from scoring.files.services.aliases import confirm_claim, player_named
from scoring.learning.queries.judged import decision_on
from scoring.models import Alias, Card, CardAnswer, CardSession
from scoring.theory.cards import best_of
from tests.children import WorkerChild
from tests.e2e.settled import settle, tap, visit
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory, member

FILES, NAMES = ("match_with_comment.xg", "test.xg"), ("Kévin UNGER", "Kévin Unger")
XG = "eXtreme Gammon, from the file"
ENGINE_PATIENCE = 300_000  # milliseconds, on a machine with other work
CARDS = 10


@pytest.mark.long
def test_a_strong_player_compares_looks_deeper_and_learns(
    page: Page, server: str, worker: WorkerChild, shared_data: Path
) -> None:
    club = ClubFactory.create(name="Bar Point", slug="bar-point")
    user = member(club, Role.DIRECTOR, name="Kévin")
    for name in NAMES:
        with transaction.atomic():
            player_named(club=club, name=name)
    for alias in Alias.objects.filter(club=club):
        confirm_claim(alias=alias, player=user.player)
    sign_in(page, server, user)

    visit(page, "/clubs/bar-point/upload/")
    page.get_by_label("Match files").set_input_files([shared_data / "xg" / file for file in FILES])
    page.get_by_role("button", name="Upload").click()
    first, second = (page.get_by_role("link", name=opponent) for opponent in ("HARMAND", "Job"))
    expect(second).to_be_visible(timeout=60_000)
    expect(first).to_be_visible(timeout=60_000)
    other = second.get_attribute("href")
    tap(first)
    expect(page.locator(".label-choice")).to_contain_text(XG)
    address = page.url.partition("?")[0]

    both = page.get_by_role("link", name="Side by side")
    expect(both).to_be_visible(timeout=ENGINE_PATIENCE)
    tap(both)
    rates = page.locator(".label-rates tbody")
    expect(rates).to_have_count(2)
    prs = {
        group.locator("th").first.inner_text(): [
            float(text) for text in group.locator("td b").all_inner_texts()
        ]
        for group in rates.all()
    }
    [of_file] = [found for label, found in prs.items() if XG in label]
    [ours] = [found for label, found in prs.items() if XG not in label]
    assert of_file == [6.5, 6.8]
    assert all(abs(one - other) < 1.5 for one, other in zip(of_file, ours, strict=True))
    tap(page.locator(".pairs a.thumb").first)
    expect(page.locator("#stage .verdict")).to_be_visible()

    visit(page, address)
    seen = {page.url.partition("#")[0]}
    for _each in range(3):
        page.keyboard.press("PageDown")
        settle(page)
        seen.add(page.url.partition("#")[0])
        expect(page.locator("#stage .verdict")).to_contain_text("−")
    assert len(seen) >= 4

    tap(page.get_by_role("button", name="Roll out"))
    answer = page.locator(".deeper-answer")
    expect(answer).to_contain_text("Rollout", timeout=ENGINE_PATIENCE)
    expect(answer).to_contain_text("±")

    visit(page, str(other))
    expect(page.get_by_role("link", name="Side by side")).to_be_visible(timeout=ENGINE_PATIENCE)
    for number in range(CARDS):
        if not CardSession.objects.filter(finished_at=None).exists():
            visit(page, "/me/mistakes/")
            tap(page.get_by_role("button", name="Start session"))
        right = best_answer(CardSession.objects.get(finished_at=None).card)
        choices = page.locator(f'.choices button[value="{right}"]')
        if choices.count():
            tap(choices)
        else:
            page.locator("#answer").fill(right)
            tap(page.locator("#check-answer"))
        expect(page.locator("#verdict")).to_contain_text("Right:")
        tap(page.locator("#next-card"))
        assert CardAnswer.objects.count() == number + 1
    assert CardAnswer.objects.filter(right=True).count() == CARDS


def best_answer(card: Card | None) -> str:
    """What the standing analysis finds best."""
    assert card is not None
    decision = decision_on(card)
    assert decision is not None
    return best_of(decision)
