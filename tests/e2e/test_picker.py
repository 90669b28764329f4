"""The field that looks for people, in a real browser: by keyboard, by finger, and without scripts."""

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from clubs.models import Club, Role
from scoring.chouettes.services.tables import open_table
from scoring.models import Match
from scoring.profiles.queries.houses import BUILT_IN
from tests.accessibility import serious_violations
from tests.e2e.scorers import PHONE
from tests.e2e.settled import settle, tap, visit
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, member

DESK = {"width": 1280, "height": 900}


def choose(field: Locator, text: str, name: str) -> None:
    """Type a part of a name and tap the one who is meant."""
    field.click()
    field.press_sequentially(text)
    tap(field.page.get_by_role("option", name=name))
    expect(field).to_have_value(name)


@pytest.fixture
def club() -> Club:
    found: Club = ClubFactory.create(slug="bar-point")
    for name in (
        "Ana Núñez",
        "Ana Vidal",
        "Anabel Ruiz",
        "Anabel Ruiz",
        "Björn",
        *(f"Gast {n:02}" for n in range(30)),
    ):
        MembershipFactory.create(club=found, player=PlayerFactory.create(name=name))
    return found


def found_in(page: Page) -> Locator:
    """The people whom the open field shows."""
    return page.get_by_role("listbox", name="Players found").get_by_role("option")


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_people_are_found_and_chosen_with_the_keyboard_alone(
    page: Page, server: str, club: Club, size: dict[str, int]
) -> None:
    director = member(club, Role.DIRECTOR, name="Iker")
    sign_in(page, server, director)
    page.set_viewport_size(size)  # type: ignore[arg-type]  # width and height
    visit(page, "/clubs/bar-point/matches/new/")
    white = page.get_by_role("combobox", name="Light checkers", exact=True)
    black = page.get_by_role("combobox", name="Dark checkers", exact=True)
    expect(white).to_have_value("Iker")
    black.focus()
    page.keyboard.type("ana")
    options = found_in(page)
    expect(options).to_have_count(4)
    expect(black).to_have_attribute("aria-expanded", "true")
    expect(page.locator("[data-picker] [role=status]", has_text="4 players found.")).to_have_count(1)
    expect(options.filter(has_text="joined")).to_have_count(2)
    assert serious_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    lit = black.get_attribute("aria-activedescendant")
    assert lit == options.nth(1).get_attribute("id")
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(black).to_have_value("Ana Núñez")
    expect(options).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#sheet[data-ready='yes']")).to_be_visible()
    match = Match.objects.with_players().get()
    assert (match.white.name, match.black.name) == ("Iker", "Ana Núñez")


@pytest.mark.long
def test_what_is_typed_over_a_choice_is_not_the_one_chosen_before(
    page: Page, server: str, club: Club
) -> None:
    sign_in(page, server, member(club, Role.DIRECTOR, name="Iker"))
    visit(page, "/clubs/bar-point/matches/new/")
    black = page.get_by_role("combobox", name="Dark checkers", exact=True)
    choose(black, "vidal", "Ana Vidal")
    black.press_sequentially("x")
    expect(page.get_by_role("option", name="Ana Vidalx guest")).to_be_visible()
    black.fill("gast")
    expect(found_in(page)).to_have_count(21)
    expect(page.get_by_text("First 20 players. Type more of the name.").last).to_be_attached()
    black.fill("")
    settle(page)
    expect(found_in(page)).to_have_count(0)
    tap(page.get_by_role("button", name="Open scoresheet"))
    expect(page.get_by_text("Enter a member, a guest or a new name.").first).to_be_visible()


@pytest.mark.long
def test_without_scripts_a_form_asks_who_is_meant(browser: Browser, server: str, club: Club) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server)
    page = context.new_page()
    sign_in(page, server, member(club, Role.DIRECTOR, name="Iker"))
    page.goto("/clubs/bar-point/matches/new/")
    page.get_by_role("combobox", name="Dark checkers", exact=True).fill("anabel")
    page.get_by_role("button", name="Open scoresheet").click()
    expect(page.get_by_text("Several names contain “anabel”. Choose a player.").first).to_be_visible()
    expect(page.get_by_role("radio", name="Anabel Ruiz")).to_have_count(2)
    page.get_by_role("radio", name="Anabel Ruiz").first.check()
    page.get_by_role("button", name="Open scoresheet").click()
    expect(page).not_to_have_url("**/new/")
    assert Match.objects.with_players().get().black.name == "Anabel Ruiz"
    context.close()


@pytest.mark.long
def test_a_table_brings_the_search_once_somebody_is_looked_for(page: Page, server: str, club: Club) -> None:
    """What was typed before it was there is looked for, too."""
    iker = member(club, name="Iker")
    table = open_table(club=club, user=iker, title="Friday", house=BUILT_IN["house"], stake=100)
    sign_in(page, server, iker)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/django_htmx/**", hold)
    visit(page, f"/chouettes/{table.ref}/")
    assert held == []
    with page.expect_request("**/django_htmx/**"):
        page.get_by_role("button", name="Add a player").first.click()
    field = page.get_by_role("combobox", name="Member")
    field.press_sequentially("vidal")
    held.pop().continue_()
    tap(page.get_by_role("option", name="Ana Vidal"))
    expect(field).to_have_value("Ana Vidal")
    page.get_by_role("button", name="Add player").click()
    expect(page.locator(".seats .seat .name").last).to_have_text("Ana Vidal")
