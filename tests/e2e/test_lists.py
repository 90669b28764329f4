"""The lists in a real browser: what htmx does, and what arrives by itself."""

import re

import pytest
from django.db import transaction
from django.test import Client
from playwright.sync_api import Page, expect

from clubs.models import Club, User
from scoring.files.services.aliases import player_named
from scoring.models import Alias, Rating
from scoring.ratings.services.ratings import main_list, replay_list
from tests.e2e.settled import tap, visit
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import some_matches
from tests.scoring.matches.test_lists import begun


def sign_in(page: Page, server: str, user: User) -> None:
    """Sign in behind the page's back: how people do it is tested with the sign-in pages."""
    client = Client()
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server}]
    )


@pytest.fixture
def club() -> Club:
    found: Club = ClubFactory.create(name="Bar Point")
    return found


def a_busy_club(club: Club, director: User) -> Alias:
    """Rated and analysed matches of the director's, one that waits, and a name that somebody claims."""
    with transaction.atomic():
        guest = player_named(club=club, name="ana77")
    with transaction.atomic():
        some_matches(club, 3, white=director.player)
        other = member(club, name="Maximilian von Habsburg-Lothringen").player
        finish_match(open_match(club, other, director.player, day=9), "white", final=False)
        finish_match(open_match(club, guest, PlayerFactory.create(name="Iker"), day=8), "white")
    replay_list(rating_list=main_list(club))
    alias = Alias.objects.get(player=guest)
    alias.claimed_by = other
    alias.save()
    return alias


def test_a_confirmed_result_arrives_by_itself(page: Page, server: str, club: Club):
    ana, berta = (PlayerFactory.create(name=name) for name in ("Ana", "Berta"))
    visit(page, f"/clubs/{club.slug}/")
    expect(page.get_by_text("No results yet")).to_be_visible()
    expect(page.locator("html[data-line=live]")).to_be_visible()
    with transaction.atomic():
        finish_match(open_match(club, ana, berta), "white")
    expect(page.locator(".result", has_text="Ana 5–0 Berta")).to_be_visible()


@pytest.mark.long
def test_a_rating_that_changes_is_seen_to_change(page: Page, server: str, club: Club):
    with transaction.atomic():
        some_matches(club, 10)
    replay_list(rating_list=main_list(club))
    first, *_rest = Rating.objects.filter(list=main_list(club)).order_by("-value")
    page.emulate_media(reduced_motion="no-preference")
    visit(page, f"/clubs/{club.slug}/ratings/")
    expect(page.locator("html[data-line=live]")).to_be_visible()
    cell = page.locator(f"#rating-{first.player.ref}")
    before = cell.inner_text()
    with transaction.atomic():
        finish_match(open_match(club, PlayerFactory.create(name="Iker"), first.player, day=20), "white")
    replay_list(rating_list=main_list(club))
    expect(cell).not_to_have_text(before)
    expect(page.locator(f"#rating-{first.player.ref}.changed")).to_be_visible()
    assert cell.evaluate("(cell) => parseFloat(getComputedStyle(cell).animationDuration)") == 0.18


@pytest.mark.long
def test_news_that_comes_before_the_last_news_have_settled_is_shown_too(page: Page, server: str, club: Club):
    people = [PlayerFactory.create(name=name) for name in ("Ana", "Berta", "Carla", "Dana")]
    visit(page, f"/clubs/{club.slug}/")
    expect(page.locator("html[data-line=live]")).to_be_visible()
    # What htmx has put into a page listens after it has settled, 20 ms later; here it takes long.
    page.evaluate(
        """() => {
          window.htmx.config.defaultSettleDelay = 4000;
          const root = document.documentElement;
          document.addEventListener("htmx:afterSwap", () => { root.dataset.swapped = ""; });
        }"""
    )
    with transaction.atomic():
        finish_match(open_match(club, people[0], people[1]), "white")
    expect(page.locator("html[data-swapped]")).to_be_visible()
    with transaction.atomic():
        finish_match(open_match(club, people[2], people[3]), "white")
    expect(page.locator(".result-lines li", has_text="Carla")).to_be_visible(timeout=30_000)


@pytest.mark.long
def test_one_tap_confirms(page: Page, server: str, club: Club):
    ana = member(club, name="Ana")
    with transaction.atomic():
        match = finish_match(
            open_match(club, ana.player, member(club, name="Berta").player), "white", final=False
        )
    sign_in(page, server, ana)
    page.goto("/")
    tap(page.get_by_role("button", name="Confirm 5–0"))
    expect(page.get_by_text("Waiting for the other side to confirm.")).to_be_visible()
    expect(page.get_by_text("Nothing to do right now.")).to_be_visible()
    assert list(match.confirmations.values_list("side", flat=True)) == ["white"]


def test_a_list_is_searched_while_typing_and_keeps_its_address(page: Page, server: str, club: Club):
    with transaction.atomic():
        some_matches(club, 3)
    visit(page, f"/clubs/{club.slug}/ratings/")
    expect(page.get_by_role("row")).to_have_count(7)
    page.get_by_label("Find a player").press_sequentially("ana 1")
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?q=ana"))
    page.reload()
    expect(page.get_by_role("row")).to_have_count(2)
    tap(page.get_by_role("link", name="Ana 1"))
    expect(page.get_by_role("heading", name="Ana 1")).to_be_visible()
    expect(page.locator(".curve:visible")).to_have_count(1)
    tap(page.get_by_role("link", name="Rating", exact=True))
    expect(page.locator(".chart")).to_have_count(0)  # one match makes no chart
    tap(page.locator("table.changes").get_by_role("link", name="+22.4"))
    expect(page.get_by_text("√5 = 2.236")).to_be_visible()


@pytest.mark.long
def test_matches_are_searched_while_typing_and_narrowed_by_state(page: Page, server: str, club: Club):
    with transaction.atomic():
        some_matches(club, 3)
        begun(open_match(club, PlayerFactory.create(name="Iker"), PlayerFactory.create(name="Zoe"), day=9))
    visit(page, f"/clubs/{club.slug}/matches/")
    rows = page.locator("a.match")
    expect(rows).to_have_count(3)
    page.get_by_label("Player or event").press_sequentially("ana 1")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=ana"))
    expect(page.get_by_label("Player or event")).to_be_focused()
    page.get_by_label("Player or event").fill("")
    expect(rows).to_have_count(3)
    tap(page.get_by_role("link", name="Live 1"))
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Iker")
    page.get_by_label("Player or event").fill("nobody")
    expect(page.get_by_role("heading", name="No match for “nobody”")).to_be_visible()
    tap(page.get_by_role("link", name="Clear search"))
    expect(rows).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "least"), [(1280, 850, 10), (390, 844, 7)])
def test_the_first_screen_of_matches_shows_enough(
    page: Page, server: str, club: Club, width: int, height: int, least: int
):
    with transaction.atomic():
        for number in range(12):
            names = (f"Maximilian {number}", f"Yael {number}")
            white, black = (PlayerFactory.create(name=name) for name in names)
            finish_match(open_match(club, white, black, day=number // 5), "white")
    page.set_viewport_size({"width": width, "height": height})
    visit(page, f"/clubs/{club.slug}/matches/")
    assert in_sight(page, "a.match") >= least


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "least"), [(1280, 850, 16), (390, 844, 11)])
def test_the_first_screen_of_ratings_shows_enough(
    page: Page, server: str, club: Club, width: int, height: int, least: int
):
    with transaction.atomic():
        some_matches(club, 10)
    page.set_viewport_size({"width": width, "height": height})
    visit(page, f"/clubs/{club.slug}/ratings/")
    assert in_sight(page, "tbody tr") >= least


TOP_OF_BAR = "document.querySelector('.mainnav').getBoundingClientRect().top"
ABOVE = "(rows, bottom) => rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length"


def in_sight(page: Page, rows: str) -> int:
    """How many whole rows stand above the end of the screen, or above the bar of a phone."""
    width, height = page.evaluate("[innerWidth, innerHeight]")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    bottom = height if width > 900 else page.evaluate(TOP_OF_BAR)
    return int(page.locator(rows).evaluate_all(ABOVE, bottom))


@pytest.mark.long
def test_this_name_is_me_asks_first_and_says_what_changes(page: Page, server: str, club: Club):
    ana = member(club, name="Ana")
    with transaction.atomic():
        guest = player_named(club=club, name="ana77")
        finish_match(open_match(club, guest, PlayerFactory.create(name="Berta")), "white", final=False)
    sign_in(page, server, ana)
    page.goto(f"/players/{guest.ref}/")
    tap(page.get_by_role("button", name="Claim this name"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You get 1 match")
    tap(dialog.get_by_role("button", name="Claim name"))
    expect(page.get_by_text("You have claimed “ana77”. A director of Bar Point decides.")).to_be_visible()
    expect(page.get_by_role("heading", name="ana77", exact=True)).to_be_visible()
