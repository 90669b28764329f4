"""People at a table, each with a phone: what they tap on the scoresheet, and what they wait for."""

import re
from collections.abc import Sequence

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from clubs.models import User
from scoring.models import Match, SheetEvent
from tests.e2e.settled import PATIENCE, settle
from tests.e2e.test_lists import sign_in

PHONE: ViewportSize = {"width": 360, "height": 800}
MOST_TAPS = 4
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Scorer:
    """One person with one phone; everything is done with fingers on the page."""

    def __init__(self, browser: Browser, server: str, user: User | None, **settings: object) -> None:
        options = {
            "viewport": PHONE,
            "has_touch": True,
            "reduced_motion": "reduce",
            "locale": "en-GB",
        } | settings
        self.context = browser.new_context(base_url=server, timezone_id="UTC", **options)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._listen)
        if user is not None:
            sign_in(self.page, server, user)

    def _listen(self, message: object) -> None:
        text = getattr(message, "text", "")
        if "Content Security Policy" in text:
            self.problems.append(text)

    def close(self) -> None:
        self.context.close()
        assert not self.problems, "\n".join(self.problems)

    def open(self, match: Match, query: str = "") -> None:
        self.page.goto(f"/matches/{match.ref}/sheet/{query}")
        self.settled()

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")

    def part(self, name: str) -> Locator:
        return self.page.locator(f"[data-part='{name}']")

    def settled(self) -> None:
        """Nothing is on its way to the server or back."""
        expect(self.sheet).to_have_attribute("data-ready", "yes", timeout=PATIENCE)
        settle(self.page)

    def drawn(self) -> None:
        """All that the last tap does is drawn: the dock follows the board by a frame."""
        expect(self.sheet).not_to_have_attribute("data-ready", "drawing", timeout=PATIENCE)

    def laid_out(self) -> None:
        """All is drawn, and what measures itself has done so: two frames later."""
        self.drawn()
        self.page.evaluate(TWO_FRAMES)

    @property
    def seq(self) -> int:
        return int(self.sheet.get_attribute("data-seq") or 0)

    def sees(self, seq: int) -> None:
        """Wait until this page shows the sheet as it is at ``seq``."""
        expect(self.sheet).to_have_attribute("data-seq", str(seq), timeout=PATIENCE)
        self.settled()

    def catches_up(self, seq: int) -> None:
        """Wait until this page shows ``seq``, for as long as entries go on coming in."""
        while (shown := self.seq) < seq:
            expect(self.sheet).not_to_have_attribute("data-seq", str(shown), timeout=PATIENCE)
        self.sees(seq)

    def wait_past(self, seq: int) -> None:
        expect(self.sheet).not_to_have_attribute("data-seq", str(seq), timeout=PATIENCE)
        self.settled()

    def does(self, name: str) -> Locator:
        return self.page.locator(f"[data-part='dock'] [data-does='{name}']")

    def tap(self, name: str) -> None:
        """Tap a button of the dock and wait until the sheet has what it stands for."""
        seq = self.seq
        self.does(name).click()
        self.wait_past(seq)

    def taps_dice(self, first: int, second: int) -> None:
        """One tap on the grid of rolls, or one on each die."""
        roll = self.does(f"roll-{max(first, second)}{min(first, second)}")
        die = self.does(f"die-{first}")
        expect(roll.or_(die)).to_be_visible()
        if roll.count():
            roll.click()
        else:
            die.click()
            self.does(f"die-{second}").click()

    def roll(self, first: int, second: int) -> None:
        seq = self.seq
        self.taps_dice(first, second)
        self.wait_past(seq)

    @property
    def movable(self) -> Locator:
        return self.page.locator("[data-part='board'] .target.can-move")

    def play(self) -> int:
        """Move the rearmost checker that can move until the play is complete; the taps it took."""
        seq, taps = self.seq, 0
        done = self.does("done")
        expect(done).to_be_visible()
        while done.get_attribute("aria-disabled") == "true":
            board = self.page.locator("[data-part='board']")
            bar = board.locator(".target.can-move[data-point='25']")
            (bar if bar.count() else self.movable.first).click()
            self.drawn()
            taps += 1
            assert taps <= MOST_TAPS, "a play takes at most four taps"
        done.click()
        self.wait_past(seq)
        return taps

    def score(self) -> tuple[int, int]:
        points = [
            self.page.locator(f"[data-player='{side}'] .points").inner_text() for side in ("white", "black")
        ]
        white, black = (int(re.sub(r"\D", "", text)) for text in points)
        return white, black

    def has_score(self, white: int, black: int) -> None:
        expect(self.page.locator("[data-player='white'] .points")).to_have_text(str(white), timeout=PATIENCE)
        expect(self.page.locator("[data-player='black'] .points")).to_have_text(str(black), timeout=PATIENCE)

    def records(self, depth: str) -> None:
        self.page.locator(f"[data-part='depth'] [value='{depth}']").click()

    def game(self, winner: str, *, win: int = 1, cube: int = 1, ended: str = "borne_off") -> None:
        """A game's result on the form of the second depth; the caller waits for what should come of it."""
        form = self.part("game-form")
        for name, value in (("winner", winner), ("ended", ended), ("win", str(win))):
            form.locator(f"input[name={name}][value='{value}']").check()
        if form.locator("[data-cube]").is_visible():
            form.locator(f"input[name=cube][value='{cube}']").check()
        form.get_by_role("button", name="Record game").click()

    def unsent(self) -> Locator:
        return self.page.locator("[data-part='log'] .waiting")


def both_see(scorers: Sequence[Scorer]) -> None:
    """Wait until every page shows what the newest of them shows."""
    newest = max(scorer.seq for scorer in scorers)
    for scorer in scorers:
        scorer.sees(newest)


def kinds(match: Match) -> list[str]:
    return list(SheetEvent.objects.filter(sheet=match.sheet).order_by("seq").values_list("kind", flat=True))
