"""A director who only reads the page: from an empty installation to a closed cash box, each press counted.

What is typed or pasted is no press, and Enter ends what was typed. A result takes two presses, which are
counted by themselves.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import Browser, Locator, Page, expect

from clubs.accounts.services.setup import new_setup_token
from clubs.models import Club
from tests.e2e.settled import PATIENCE, settle, tap, visit
from tournaments.models import CashClosing, EntrantState, Event, EventStatus, PairingRow, StageEntrant
from tournaments.settlement.queries import settlement_of

MOST = 25
LATE = "Zuriñe Late"
NAMES = (
    *(
        "Ana Gil",
        "Ben Roy",
        "Carla Sanz",
        "Dino Rossi",
        "Elif Kaya",
        "Franz Huber",
        "Greta Lind",
        "Hugo Marsh",
    ),
    *("Ines Prado", "Jonas Weber", "Keiko Mori", "Lars Dahl", "Marta Kos", "Nils Berg", "Olga Petrova"),
    *("Pablo Ruiz", "Quentin Faure", "Rosa Blum", "Sven Holm", "Tilda Vance", "Umberto Neri", "Vera Novak"),
    "Wim Jansen",
)
UNPAID = {"Ana Gil"}
"""Who wins everything, and is paid net."""


class Director:
    """One director at a computer, who presses what the page offers; ``presses`` counts all but results."""

    def __init__(self, browser: Browser, server: str) -> None:
        self.context = browser.new_context(
            base_url=server,
            viewport={"width": 1280, "height": 850},
            timezone_id="UTC",
            locale="en-GB",
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.pressed: list[str] = []
        self.results = 0

    @property
    def presses(self) -> int:
        return len(self.pressed)

    def press(self, target: Locator) -> None:
        settle(self.page)
        self.pressed.append(re.sub(r"\s+", " ", target.inner_text()).strip())
        tap(target)

    def button(self, name: str | re.Pattern[str]) -> None:
        found = self.page.get_by_role("button", name=name, exact=isinstance(name, str))
        # One that is there for Enter alone cannot be seen.
        self.press(found.and_(self.page.locator(":not(.visually-hidden)")).first)

    def link(self, name: str | re.Pattern[str]) -> None:
        self.press(self.page.get_by_role("link", name=name).first)

    def types(self, label: str, text: str, *, enter: bool = False) -> None:
        field = self.page.get_by_label(label).first
        field.fill(text)
        if enter:
            field.press("Enter")
            settle(self.page)

    def pastes(self, label: str, text: str) -> None:
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.page.get_by_label(label).first.focus()
        self.page.keyboard.press("ControlOrMeta+v")

    # One step of an event each.

    def sets_up(self) -> Club:
        visit(self.page, f"/setup/{new_setup_token()}/")
        self.types("Your name", "Dora Director")
        self.types("Email address", "dora@example.org")
        self.types("Password", "a good long one")
        self.types("Club name", "Bar Point")
        self.types("Time zone", "UTC")
        self.button("Set up Midpoint")
        expect(self.page.get_by_role("heading", name="Bar Point")).to_be_visible()
        return Club.objects.get()

    def announces(self, *, entrants: int, tables: int, choose: Callable[[], None], pools: str = "") -> Event:
        self.link("Announce event")
        self.types("Starts", f"{now() + timedelta(hours=1):%Y-%m-%dT%H:%M}")
        self.types("Name", "Autumn Open", enter=True)
        self.types("Tables at the venue", str(tables))
        self.types("Expected entrants", str(entrants), enter=True)
        choose()
        self.types("Match length", "5", enter=True)
        self.types("Entry fee", "45")
        self.types("% of entry fees paid out as prizes", "90")
        self.types("Side pools", pools)
        self.button("Announce event")
        expect(self.page.get_by_role("heading", name="Autumn Open is announced")).to_be_visible()
        return Event.objects.get()

    def adds(self, rows: str, count: int) -> None:
        self.link("Add entries")
        self.pastes("Entries", rows)
        self.button(f"Add {count} entries")
        self.link("Open desk")

    def enters_results(self, event: Event, wins: Callable[[str, str, str], bool], *, most: int = 999) -> None:
        """Enter the results of called and ready matches; ``wins`` says whether the first named one does.

        It is asked with both names and the line below them.
        """
        for _result in range(most):
            settle(self.page)
            rows = self.page.locator(".desk-match:not(.blocked)")
            if not rows.count():
                return
            row = rows.first
            link = row.locator("a[data-report]")
            a, b = link.get_attribute("data-a") or "", link.get_attribute("data-b") or ""
            score = "5–3" if wins(a, b, row.inner_text()) else "3–5"
            before = _decided(event)
            link.click()
            self.page.get_by_role("dialog").get_by_role("button", name=score, exact=True).click()
            self.results += 2
            expect(row.locator(f"a[data-a={_quoted(a)}][data-b={_quoted(b)}]")).to_have_count(
                0, timeout=PATIENCE
            )
            settle(self.page)
            assert _decided(event) > before

    def absent(self, name: str, answer: str | re.Pattern[str]) -> None:
        row = self.page.locator(".desk-match").filter(has_text=name).first
        self.press(row.locator(".more > summary"))
        self.press(row.get_by_role("link", name=re.compile(f"withdrawal: {name}$")))
        self.button(answer)
        expect(self.page.locator("#desk")).to_be_visible()

    def settles(self, event: Event) -> None:
        """From the last result to the closed cash box."""
        self.button("Approve prizes")
        self.link("Pay prizes")
        self.button("Pay all, cash")
        while self.page.get_by_role("button", name=re.compile("^Settle in cash")).count():
            self.button(re.compile("^Settle in cash"))
        cash = settlement_of(event).cash
        assert self.page.locator(".figures .hero dd").inner_text() == f"{cash / 100:.2f}"
        self.types("Cash counted", f"{cash / 100:.2f}", enter=True)
        expect(self.page.get_by_text("The cash box is closed.").first).to_be_visible()

    def close(self) -> None:
        self.context.close()


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _decided(event: Event) -> int:
    return PairingRow.objects.filter(stage__flight__event=event, state="decided").count()


def by_name(a: str, b: str, _about: str) -> bool:
    """Whether the first of two comes first in the list; the late one loses to all."""
    return (a == LATE, a) < (b == LATE, b)


@pytest.fixture
def director(browser: Browser, server: str, transactional_db: None) -> Iterator[Director]:
    found = Director(browser, server)
    yield found
    found.close()


@pytest.mark.long
def test_a_weekend_of_24_is_led_from_nothing_to_its_end(director: Director) -> None:
    director.sets_up()

    def consolation_and_last_chance() -> None:
        director.press(director.page.locator("summary", has_text="All formats"))
        director.press(director.page.get_by_text("Knockout, consolation and last chance", exact=True).first)

    event = director.announces(
        entrants=24, tables=12, choose=consolation_and_last_chance, pools="jackpot; 20; 100"
    )
    lines = [
        f"{n}. {name}\t{'' if name in UNPAID else 'yes'}\t{'yes' if n % 2 else ''}"
        for n, name in enumerate(NAMES, 1)
    ]
    director.adds("\n".join(["Name\tFee paid\tjackpot", *lines]), len(NAMES))
    director.button(re.compile("^Make the draw"))
    director.button(re.compile(r"^Call \d+"))
    director.link(re.compile("^Late entry"))
    director.types("Player", LATE)
    director.page.get_by_label("Fees").first.select_option("cash")
    director.button("Add late entry")

    absent = director.page.locator(".desk-match.called a[data-report]").first.get_attribute("data-a") or ""
    director.absent(absent, "Out of everything")
    director.enters_results(event, by_name, most=2)
    # The last of the two was entered the wrong way round.
    results = director.page.locator("#latest-results > li")
    director.press(results.first.get_by_role("link", name="Correct"))
    points = director.page.locator(".score-entry input")
    points.nth(0).fill("5" if points.nth(0).input_value() == "3" else "3")
    points.nth(1).fill("3" if points.nth(0).input_value() == "5" else "5")
    director.types("Reason", "entered the wrong way round")
    director.button("Preview")
    director.button(re.compile("^(Record result|Void)"))
    settle(director.page)
    if not director.page.locator("#desk").count():
        director.link("Desk")
    director.enters_results(event, by_name, most=4)
    tired = director.page.locator(".desk-match:not(.blocked) a[data-report]").first.get_attribute("data-b")
    director.absent(tired or "", "Out of everything")
    director.enters_results(event, by_name)

    director.settles(event)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    assert event.flights.get().entrants.count() == len(NAMES) + 1
    assert event.flights.get().entrants.filter(state=EntrantState.WITHDRAWN).count() == 2
    closing = CashClosing.objects.get()
    assert (closing.difference, closing.unsettled) == (0, 0)
    visit(director.page, f"/events/{event.ref}/desk/")
    expect(director.page.get_by_text("This event is done.")).to_be_visible()
    assert director.presses <= MOST, director.pressed


@pytest.mark.long
def test_groups_that_end_level_are_led_to_their_knockout(director: Director) -> None:
    director.sets_up()

    def groups() -> None:
        director.press(director.page.locator("summary", has_text="Templates"))
        director.press(director.page.get_by_text("Four groups, then a knockout", exact=True).first)

    event = director.announces(entrants=12, tables=6, choose=groups)
    director.adds("\n".join(f"{name};cash" for name in NAMES[:12]), 12)
    director.button(re.compile("^Make the draw"))
    director.button(re.compile(r"^Call \d+"))
    rows = StageEntrant.objects.filter(stage__flight__event=event, stage__name="Group A")
    level = sorted(row.entrant.title for row in rows.select_related("entrant"))
    assert len(level) == 3

    def in_a_ring(a: str, b: str, about: str) -> bool:
        """In group A each beats the next, the last the first."""
        if "Group A" not in about:
            return by_name(a, b, about)
        return (level.index(a) + 1) % 3 == level.index(b)

    director.enters_results(event, in_a_ring)
    director.link(re.compile("^Settle tie"))
    expect(director.page.get_by_role("heading", name="Ties")).to_be_visible()
    director.button("Announce lot")
    director.button("Draw lot")
    director.link("Open desk")
    director.button(re.compile("^Confirm field"))
    director.button(re.compile("^Make the draw"))
    director.enters_results(event, by_name)
    director.settles(event)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    assert CashClosing.objects.get().difference == 0
    assert director.presses <= MOST, director.pressed
