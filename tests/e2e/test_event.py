"""A whole evening in real browsers: the director's laptop, a phone for every player, and the wall.

Every phone is without a network half of the time, from its login to the prizes. Whatever a player does takes
two steps, a page that is opened and a tap on it, and each phone is cut in one of the two, in turn; in a
pocket it is cut every other time. What a page does not keep for later it says; then the player does it again.
Nothing may be lost, and nothing may be written twice.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models import Count
from django.utils.timezone import now
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import Error as PlaywrightError

from clubs.models import Club, Role, User
from scoring.log.services.chains import chain_damage
from scoring.models import Confirmation, Match, SheetEvent
from tests.accessibility import serious_violations
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE, settle, tap, visit
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory, member
from tournaments.core.proof.check import check_text
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    Event,
    PairingRow,
    PairingState,
    Prize,
    StageRow,
    StageStatus,
)
from tournaments.stages.services.archives import archive_text

LENGTH = 3
FEE = 10
LEAST_DONE = 2
"""What everybody does at least: entering and checking in."""
NEEDS_LINE = "This needs a connection. Nothing has changed."


class Phone(Scorer):
    """A player's phone at an event; ``number`` decides with which step its cuts begin."""

    def __init__(self, browser: Browser, server: str, user: User, number: int) -> None:
        super().__init__(browser, server, user)
        self.user = user
        self.steps, self.cuts = 0, 0
        self._cuts_the_tap = number % 2 == 0

    def goes_to(self, address: str) -> bool:
        """Open a page, again where the line is cut; whether the tap that follows is."""
        taps_cut = self._cuts_the_tap
        self._cuts_the_tap = not taps_cut
        self.steps += 2
        self.cuts += 1
        self.context.set_offline(not taps_cut)
        if not taps_cut:
            with pytest.raises(PlaywrightError, match="net::ERR"):
                self.page.goto(address)
            self.context.set_offline(False)
        visit(self.page, address)
        return taps_cut

    def loses_the_line(self) -> None:
        """Cut the line; the page has said so, and nothing of it moves from under the finger any more."""
        self.context.set_offline(True)
        expect(self.page.locator("html")).to_have_attribute("data-line", "offline", timeout=PATIENCE)
        settle(self.page)

    def taps(self, button: Locator, answer: Locator) -> None:
        tap(button)
        expect(answer).to_be_visible(timeout=PATIENCE)

    def says(self, button: str, answer: str, *, cut: bool) -> None:
        """Tap a button; where the line is cut the page says that nothing was sent, and it is tapped again."""
        tapped = self.page.get_by_role("button", name=button, exact=True)
        nothing_sent = self.page.get_by_text("Nothing was sent.")
        if cut:
            self.loses_the_line()
            self.taps(tapped, nothing_sent)
            self.context.set_offline(False)
            expect(nothing_sent).not_to_be_visible(timeout=PATIENCE)
        self.taps(tapped, self.page.get_by_text(answer).first)

    def enters(self, event: Event) -> None:
        cut = self.goes_to(event.get_absolute_url())
        self.says("Enter", "You have entered.", cut=cut)

    def checks_in(self, event: Event) -> None:
        """By the code that hangs at the venue."""
        cut = self.goes_to(f"/events/{event.ref}/here/{event.door}/")
        self.says("Check in", "You are checked in.", cut=cut)

    def reports(self, match: Match, white: int, black: int) -> None:
        """Enter the final score; without a line it waits on the phone, and goes by itself."""
        cut = self.goes_to(f"/matches/{match.ref}/sheet/")
        self.settled()
        self.records("result")
        seq = self.seq
        form = self.part("score-form")
        form.locator("[name=white]").fill(str(white))
        form.locator("[name=black]").fill(str(black))
        if cut:
            self.loses_the_line()
            expect(self.part("line")).to_have_text("offline", timeout=PATIENCE)
        tap(form.get_by_role("button", name="Record result"))
        if cut:
            expect(self.page.locator("html")).to_have_attribute("data-unsent", "1", timeout=PATIENCE)
            self.context.set_offline(False)
        self.wait_past(seq)
        expect(self.page.locator("html")).not_to_have_attribute("data-unsent", "1", timeout=PATIENCE)

    def confirms(self, match: Match) -> None:
        """Say yes to the result; that needs a line, which the page says."""
        cut = self.goes_to(f"/matches/{match.ref}/sheet/")
        self.settled()
        if cut:
            self.loses_the_line()
            expect(self.part("line")).to_have_text("offline", timeout=PATIENCE)
            self.taps(self.part("confirm"), self.page.get_by_text(NEEDS_LINE).first)
            self.context.set_offline(False)
        final = self.part("result-state").filter(has_text=re.compile(r"^Final\.$"))
        self.taps(self.part("confirm"), final)

    def rests(self) -> None:
        """The phone is in a pocket, far from the router every other time."""
        self.page.goto("about:blank")
        self.context.set_offline(self._cuts_the_tap)


class Desk:
    """The director at a laptop."""

    def __init__(self, page: Page, event: Event) -> None:
        self.page, self.event = page, event

    def opens(self) -> None:
        visit(self.page, f"/events/{self.event.ref}/desk/")
        expect(self.page.locator("#desk")).to_be_visible()

    def makes_tables(self, count: int) -> None:
        form = self.page.locator(".make-tables form")
        form.locator("[name=last]").fill(str(count))
        tap(form.get_by_role("button", name="Add tables"))
        expect(self.page.locator(".tables > li")).to_have_count(count, timeout=PATIENCE)

    def calls_all(self) -> None:
        """Everything that is ready; what is free is called."""
        self.opens()
        button = self.page.get_by_role("button", name=re.compile(r"^Call \d+ (ready|of)"))
        if button.count():
            tap(button)
            expect(self.page.locator(".desk-match.ready")).to_have_count(0, timeout=PATIENCE)

    def decides(
        self, pairing: PairingRow, *, ended: str = "played", points: tuple[int, int] | None = None
    ) -> None:
        """A result by hand: what it changes is shown first. Without points ``b`` wins."""
        visit(self.page, f"/pairings/{pairing.ref}/result/?ended={ended}")
        form = self.page.locator("main form").first
        if points is not None:
            form.locator("[name=a_points]").fill(str(points[0]))
            form.locator("[name=b_points]").fill(str(points[1]))
        else:
            form.locator("[name=winner][value=black]").check()
        reason = form.locator("[name=reason]")
        if not reason.is_visible():
            tap(form.locator("summary", has_text="Other outcome"))
        reason.fill("said at the desk")
        tap(self.page.get_by_role("button", name="Preview"))
        expect(self.page.get_by_text("What this changes")).to_be_visible(timeout=PATIENCE)
        tap(self.page.get_by_role("button", name="Record result"))
        expect(self.page).not_to_have_url(re.compile("/result/"), timeout=PATIENCE)

    def withdraws(self, entrant: EntrantRow) -> None:
        visit(self.page, f"{self.event.get_absolute_url()}?tab=players")
        tap(self.page.locator(".field li", has_text=entrant.title).get_by_role("link"))
        tap(self.page.get_by_role("button", name="Withdraw"))
        gone = self.page.get_by_role("row").filter(has_text=entrant.title)
        expect(gone.get_by_text("Withdrawn").filter(visible=True).first).to_be_visible(timeout=PATIENCE)


@pytest.fixture
def club(transactional_db: None) -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point", currency="EUR")
    return found


@pytest.fixture
def phones(
    request: pytest.FixtureRequest, browser: Browser, server: str, club: Club
) -> Iterator[dict[int, Phone]]:
    """So many phones by their owners' players."""
    people = [member(club, name=f"Player {number:02}") for number in range(1, request.param + 1)]
    found = {user.player.pk: Phone(browser, server, user, number) for number, user in enumerate(people)}
    yield found
    for phone in found.values():
        phone.close()


@pytest.fixture
def wall(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(base_url=server, viewport={"width": 1920, "height": 1080})
    yield context.new_page()
    context.close()


def announced(page: Page, club: Club, players: int) -> Event:
    """The director announces the evening on the wizard's form; four are too few for a last chance."""
    key = "last_chance" if players > 4 else "progressive"
    visit(page, f"/clubs/{club.slug}/events/new/?format_key={key}")
    form = page.locator("main form").first
    form.locator("[name=name]").fill("Friday")
    form.locator("[name=starts_at]").fill((now() + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M"))
    tap(form.get_by_role("button", name="Continue").last)
    tap(form.get_by_role("button", name="Continue").last)
    form.locator("[name=length]").fill(str(LENGTH))
    tap(form.get_by_role("button", name="Continue").last)
    form.locator("[name=entry_fee]").fill(str(FEE))
    tap(form.get_by_role("button", name="Announce event").last)
    expect(page.get_by_role("heading", name="Friday is announced", level=1)).to_be_visible(timeout=PATIENCE)
    return Event.objects.get(name="Friday")


def test_what_a_director_opened_in_the_wizard_stays_open_when_a_format_is_chosen(page: Page, server: str):
    club: Club = ClubFactory.create()
    sign_in(page, server, member(club, Role.DIRECTOR))
    visit(page, f"/clubs/{club.slug}/events/new/?format_key=knockout&step=format")
    page.get_by_text("Format details").click()
    page.get_by_text("All formats").click()
    settle(page)
    expect(page.locator("[name=rounds_apart]:not([type=hidden])")).to_have_count(0)
    page.locator("#format-keizer").check()
    expect(page.locator("[name=rounds_apart]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("details[data-fold=formats]")).to_have_attribute("open", "")


def open_matches(stage: StageRow) -> list[PairingRow]:
    rows = PairingRow.objects.filter(stage=stage, state=PairingState.OPEN).order_by("number")
    return list(rows.prefetch_related("a__members", "b__members", "boards__match"))


def match_of(pairing: PairingRow) -> Match:
    return pairing.boards.all()[0].match


def phone_of(entrant: EntrantRow, phones: dict[int, Phone]) -> Phone:
    return phones[entrant.members.all()[0].player_id]


@pytest.mark.parametrize("phones", [4, pytest.param(16, marks=pytest.mark.long)], indirect=True)
def test_an_evening_from_registration_to_prizes(
    browser: Browser, server: str, club: Club, phones: dict[int, Phone], wall: Page
) -> None:
    players = len(phones)
    director = Scorer(browser, server, member(club, Role.DIRECTOR, name="Dora"))
    laptop = director.page
    laptop.set_viewport_size({"width": 1280, "height": 800})
    event = announced(laptop, club, players)
    desk = Desk(laptop, event)
    wall.clock.install()
    visit(wall, f"/events/{event.ref}/wall/")
    expect(wall.locator("h1")).to_have_text("Friday")

    for phone in phones.values():
        phone.enters(event)
        phone.rests()
    entrants = list(EntrantRow.objects.filter(flight__event=event).with_players().order_by("pk"))
    assert len(entrants) == players

    desk.opens()
    desk.makes_tables(players // 2)
    laptop.goto(f"/events/{event.ref}/door/")
    event.refresh_from_db()
    for phone in phones.values():
        phone.checks_in(event)
        phone.rests()
    visit(laptop, event.get_absolute_url())
    tap(laptop.get_by_role("button", name="Make the draw"))
    expect(laptop.get_by_role("heading", name="Main", level=2)).to_be_visible(timeout=PATIENCE)
    stage = StageRow.objects.get(flight__event=event)
    assert stage.status == StageStatus.RUNNING
    expect(wall.locator(".panel", has_text="Player 01").first).to_be_attached(timeout=PATIENCE)

    # The first round: one result is the wrong way round, one player does not come, of many one goes home.
    desk.calls_all()
    expect(wall.locator(".calls li b").first).to_be_visible(timeout=PATIENCE)
    first, second, *others = open_matches(stage)
    leavers = others[:1]
    phone_of(first.a, phones).reports(match_of(first), LENGTH, 1)
    desk.decides(first, points=(1, LENGTH))
    desk.decides(second, ended="no_show")
    gone = list(EntrantRow.objects.with_players().filter(pk__in=[row.a_id for row in leavers]))
    for entrant in gone:
        desk.withdraws(entrant)
    for row in (first, second, *leavers):
        row.refresh_from_db()
        assert (row.state, row.winner_id) == (PairingState.DECIDED, row.b_id)

    # The wall loses its network, says so, and catches up.
    wall.context.set_offline(True)
    wall.clock.fast_forward(60_000)
    expect(wall.locator(".age")).to_contain_text("offline, as of", timeout=PATIENCE)
    played = 0
    while rows := open_matches(stage):
        desk.calls_all()
        for row in rows:
            assert not {each.pk for each in gone} & {row.a_id, row.b_id}
            white = row.number % 2 == 1
            assert row.b is not None
            winner, loser = (row.a, row.b) if white else (row.b, row.a)
            score = (LENGTH, 0) if white else (1, LENGTH)
            phone_of(winner, phones).reports(match_of(row), *score)
            phone_of(winner, phones).rests()
            phone_of(loser, phones).confirms(match_of(row))
            phone_of(loser, phones).rests()
            played += 1
        wall.context.set_offline(False)
    stage.refresh_from_db()
    event.refresh_from_db()
    assert (stage.status, event.status) == (StageStatus.FINISHED, "finished")

    # Main, consolation and last chance have come to their ends, and nothing was lost or written twice.
    scores = SheetEvent.objects.filter(sheet__club=club, kind="final_score", replaces=None)
    assert scores.filter(sheet__match__board__pairing__stage=stage).count() == played + 2
    twice = scores.values("sheet__match").annotate(count=Count("pk")).filter(count__gt=1)
    # What the director corrected was first reported by a player.
    assert [(each["sheet__match"], each["count"]) for each in twice] == [(match_of(first).pk, 2)]
    yes = Confirmation.objects.filter(match__club=club).values("match", "revision", "side")
    assert not yes.annotate(count=Count("pk")).filter(count__gt=1).exists()
    kinds = Counter(DeskEvent.objects.filter(event=event).values_list("kind", flat=True))
    assert (kinds["entered"], kinds["check_in"], kinds["result"]) == (players, players, 2)
    assert chain_damage(event) is None
    # Everybody's line was cut half of the time, also of who only lost.
    for phone in phones.values():
        assert phone.steps >= 2 * LEAST_DONE
        assert phone.cuts * 2 == phone.steps
    verdict = check_text(archive_text(stage))
    assert verdict.accepted, verdict.faults
    assert chain_damage(stage) is None

    visit(laptop, f"/events/{event.ref}/money/")
    tap(laptop.get_by_role("button", name="Approve prizes"))
    expect(laptop.locator("ol.prizes li").first).to_be_visible(timeout=PATIENCE)
    assert sum(prize.amount for prize in Prize.objects.filter(flight__event=event)) == players * FEE * 100
    while (unpaid := laptop.get_by_role("button", name="Pay in cash")).count():
        left = unpaid.count()
        tap(unpaid.first)
        expect(unpaid).to_have_count(left - 1, timeout=PATIENCE)
    assert not Prize.objects.filter(flight__event=event, paid_at=None).exists()
    assert not Prize.objects.filter(entrant__in=gone).exists()
    assert serious_violations(laptop) == []

    champion = Prize.objects.filter(flight__event=event).order_by("-amount", "pk")[0].entrant
    name = EntrantRow.objects.with_players().get(pk=champion.pk).title
    expect(wall.locator("#wall")).to_contain_text(name, timeout=PATIENCE)
    director.close()
