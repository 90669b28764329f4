"""A new match is opened in a real browser."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Club, User
from scoring.models import ClubProfile, Match
from scoring.rules.profiles import BUILT_IN, profile_to_plain
from tests.accessibility import serious_violations
from tests.e2e.scorers import PHONE
from tests.e2e.settled import PATIENCE
from tests.e2e.test_lists import sign_in
from tests.e2e.test_picker import choose


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
