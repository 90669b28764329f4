"""One crawl: each page as each role, and all that one visit can tell.

A visit looks whether the page is given to the role, fits the width, reports nothing in the console, leads
only to pages that the role is given, and can be used by everybody (axe). The pages are those of the access
matrix, in its world: a new page is crawled as soon as it stands there. The short crawl visits each page once
as the least role that is given it, on a phone and a desktop in turn, lets axe look at one of each kind, and
follows a link that several roles are given once.
"""

from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve, reverse
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

from clubs.clubs.services.clubs import add_player
from clubs.models import Role
from tests.accessibility import serious_violations
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_rules import Row
from tests.architecture.access_world import World
from tests.architecture.pages import LEAST_FIRST, has_page, is_given
from tests.architecture.test_access_matrix import BY_NAME, values_of
from tests.e2e.settled import settle, visit
from tests.e2e.test_lists import a_busy_club

Visit = tuple[Row, str]
Scheme = Literal["light", "dark"]

PHONE: ViewportSize = {"width": 360, "height": 800}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
LOOKS: tuple[tuple[ViewportSize, Scheme], ...] = ((PHONE, "dark"), (DESKTOP, "light"))
LISTS = {"clubs", "scoring"}
"""Where what happened in the club is listed."""
HOUSES = ("clubs", "scoring", "tournaments", "account")
PARTS = (("tournaments",), ("scoring",), ("clubs", "account"))
"""One for each process."""
WITHOUT_SCRIPTS = {"scoring:embed", "scoring:shared_embed", "tournaments:draw_embed"}
"""Frames of other sites' pages: no script of ours runs there to say that they are settled."""
ONE_OF_EACH_KIND = {
    "account_login",
    "tournaments:club",
    "scoring:scoresheet",
    "scoring:chouette",
    "tournaments:event",
    "tournaments:desk",
}
LONG_NAMES = ("Maximilian Freiherr von und zu Hohenstein", "Donaudampfschifffahrtsgesellschaftskapitän")


def house_of(row: Row) -> str:
    return row.name.partition(":")[0] if ":" in row.name else "account"


def least_of(row: Row) -> str:
    return next(role for role in LEAST_FIRST if is_given(row, role))


def pages_of(world: World, *houses: str) -> list[Visit]:
    rows = [row for row in MATRIX if house_of(row) in houses and has_page(row)]
    addresses = [(row, reverse(row.name, kwargs=values_of(row, world, "owner"))) for row in rows]
    if LISTS & {*houses}:
        a_busy_club(world.club, world.users["director"])
    for name in LONG_NAMES:
        add_player(club=world.club, name=name, role=Role.GUEST)
    return addresses


class Crawler:
    """Somebody of a role with a browser, and what was wrong wherever they went."""

    def __init__(
        self,
        browser: Browser,
        server: str,
        world: World,
        role: str,
        scheme: Scheme,
        followed: set[str] | None = None,
    ) -> None:
        self.followed = set() if followed is None else followed
        """Ways that crawlers before this one have followed; its own where each follows all its links."""
        self.world, self.role, self.scheme, self.server = world, role, scheme, server
        self.context = browser.new_context(
            base_url=server,
            locale="en-GB",
            timezone_id="UTC",
            color_scheme=scheme,
            reduced_motion="reduce",
            service_workers="block",
        )
        if cookie := world.clients[role].cookies.get("sessionid"):
            self.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": server}])
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", self._listen)
        self.said: list[str] = []
        self.faults: list[str] = []
        self.seen: set[str] = set()
        self.links: dict[str, str] = {}

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.said.append(message.text)

    def looks_at(self, row: Row, address: str, size: ViewportSize, *, axe: bool) -> None:
        where = f"{row.name} as {self.role} at {size['width']} px"
        self.said.clear()  # the last page has said what it had to say: it was settled
        self.page.set_viewport_size(size)
        answer = self.page.goto(address)
        assert answer is not None
        if not answer.headers["content-type"].startswith("text/html"):
            self.faults.append(f"{where}: is no page; name it in tests/architecture/pages.py")
            return
        if row.name not in WITHOUT_SCRIPTS:
            settle(self.page)
        self.seen.add(row.name)
        if answer.status != 200:
            self.faults.append(f"{where}: answered {answer.status}")
        shown = self.page.evaluate("document.documentElement.scrollWidth")
        if shown > size["width"]:
            self.faults.append(f"{where}: {shown} px wide")
        self.faults += [f"{where}: {text}" for text in self.said]
        self._notes_links(where)
        if axe:
            self.faults += [f"{where}: {line}" for line in serious_violations(self.page, scheme=self.scheme)]

    def _notes_links(self, where: str) -> None:
        """Each way to a page of ours once, by the view that answers there."""
        for link in self.page.locator("a[href]").evaluate_all("all => all.map((each) => each.href)"):
            to = urlsplit(link)
            if f"{to.scheme}://{to.netloc}" != self.server:
                continue
            try:
                name = resolve(to.path).view_name
            except Resolver404:
                self.faults.append(f"{where}: leads to {to.path}, which is no address")
            else:
                self.links.setdefault(f"{name}?{to.query}", f"{to.path}?{to.query} on {where}")

    def follows_links(self) -> None:
        """Nobody is led to what they are not given. What was visited is known already."""
        for way, place in self.links.items():
            name = way.partition("?")[0]
            if name in self.seen or (way in self.followed and self._is_given(name)):
                continue
            self.followed.add(way)
            address = place.partition(" on ")[0]
            status = self.world.clients[self.role].get(address).status_code
            if status >= 400:
                self.faults.append(f"{place}: leads to {address}, which answers {status}")

    def _is_given(self, name: str) -> bool:
        """Whether the access matrix gives this role the page."""
        return name in BY_NAME and is_given(BY_NAME[name], self.role)

    def ends(self) -> list[str]:
        self.follows_links()
        self.context.close()
        return self.faults


@pytest.fixture
def world(transactional_db: None) -> World:
    return World.make(hidden=False)


@pytest.mark.each_case
@pytest.mark.parametrize("houses", PARTS, ids="+".join)
def test_each_page_as_the_least_role_that_is_given_it(
    browser: Browser, server: str, world: World, houses: tuple[str, ...]
) -> None:
    pages = pages_of(world, *houses)
    assert pages
    faults: list[str] = []
    followed: set[str] = set()
    for role in LEAST_FIRST:
        crawler = Crawler(browser, server, world, role, "light", followed)
        for number, (row, address) in enumerate(pages):
            if least_of(row) == role:
                size = LOOKS[number % 2][0]
                crawler.looks_at(row, address, size, axe=row.name in ONE_OF_EACH_KIND)
                followed.add(f"{row.name}?")
        faults += crawler.ends()
    assert not faults, "\n".join(faults)


@pytest.mark.long
@pytest.mark.page_errors  # the console tells of the answer
def test_an_address_that_is_none_is_answered_with_a_page(page: Page) -> None:
    page.set_viewport_size(PHONE)
    assert visit(page, "/nowhere/").status == 404
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert serious_violations(page) == []


def looks() -> Iterator[tuple[str, ViewportSize, Scheme]]:
    for role in ("visitor", "member", "owner", "admin"):
        for size, scheme in LOOKS:
            yield role, size, scheme


@pytest.mark.long
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("role", "size", "scheme"), list(looks()), ids=[f"{role}-{size['width']}" for role, size, _ in looks()]
)
def test_every_page_as_every_role(
    browser: Browser, server: str, world: World, house: str, role: str, size: ViewportSize, scheme: Scheme
) -> None:
    crawler = Crawler(browser, server, world, role, scheme)
    for row, address in pages_of(world, house):
        if is_given(row, role):
            crawler.looks_at(row, address, size, axe=True)
    faults = crawler.ends()
    assert not faults, "\n".join(faults)
