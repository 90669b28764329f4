"""People at a chouette, each with a phone: what they tap, and what their phones show."""

from collections.abc import Sequence

from playwright.sync_api import Locator, expect

from scoring.models import Chouette
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE


class Phone(Scorer):
    """One person at the table with one phone."""

    def open_table(self, table: Chouette) -> None:
        self.page.goto(f"/chouettes/{table.ref}/")
        self.settled()

    def joins_as_guest(self, table: Chouette, name: str) -> None:
        """Scan the code of the table, without a login."""
        self.page.goto(f"/chouettes/join/{table.code}/")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_label("I have read the rules").check()
        self.page.get_by_role("button", name="Join table").click()
        self.settled()

    def seat(self, name: str) -> Locator:
        return self.page.locator(".seats .seat").filter(has=self.page.locator(".name", has_text=name))

    def has(self, **totals: int) -> None:
        """Wait until this phone shows these running totals."""
        for name, points in totals.items():
            shown = f"+{points}" if points > 0 else str(points).replace("-", "−")
            expect(self.seat(name.capitalize()).locator(".points")).to_have_text(shown, timeout=PATIENCE)

    def has_roles(self, *, box: str, captain: str) -> None:
        expect(self.page.locator(".seat[data-role='box'] .name")).to_have_text(box, timeout=PATIENCE)
        captains = self.page.locator(".seat[data-role='captain'] .name")
        expect(captains).to_have_text(captain, timeout=PATIENCE)

    def cube(self, name: str) -> Locator:
        return self.seat(name).locator(".table-cube")

    def says(self, name: str, answer: str) -> None:
        self.seat(name).locator(f".answer button[value='{answer}']").click()

    def ends(self, winner: str, win: int = 1) -> None:
        """The game is over: two taps."""
        seq = self.seq
        self.does("game-over").click()
        self.page.locator(f"#dialog-over [data-winner='{winner}'][data-win='{win}']").click()
        self.wait_past(seq)

    def two_taps(self, first: str, second: str) -> None:
        self.does(first).click()
        self.tap(second)


def buttons(phone: Phone) -> list[str]:
    """What the dock offers, in order."""
    found = "each => each.map((button) => button.dataset.does)"
    names: list[str] = phone.part("dock").locator("button").evaluate_all(found)
    return names


def throw(phone: Phone, dice: dict[str, int]) -> None:
    seq = phone.seq
    phone.does("places").click()
    for name, die in dice.items():
        thrower = phone.page.locator("#dialog-places fieldset").filter(has_text=name)
        thrower.locator("label").nth(die - 1).click()
    phone.page.get_by_role("button", name="Save rolls").click()
    phone.wait_past(seq)


def seated(phone: Phone, table: Chouette, dice: Sequence[int] = (6, 4, 2)) -> None:
    phone.open_table(table)
    throw(phone, dict(zip(("Ana", "Jon", "Eva"), dice, strict=True)))
    phone.tap("next")
