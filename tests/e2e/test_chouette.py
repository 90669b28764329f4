"""A night of chouette in real browsers: four phones, six games, bad wifi, a correction."""

import re
from collections.abc import Iterator, Sequence

import pytest
from django.db.models import Sum
from playwright.sync_api import Browser, Locator, Route, expect

from clubs.models import Club, User
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.seats import open_seat
from scoring.chouettes.services.tables import add_to_table, join_table, open_table
from scoring.log.queries.writers import Author
from scoring.models import Chouette, Ledger, SheetEvent
from scoring.players.services.newcomers import Newcomer
from scoring.profiles.queries.houses import house_named
from scoring.profiles.services.houses import keep_house
from tests.accessibility import serious_violations
from tests.e2e.scorers import Scorer, both_see
from tests.e2e.settled import PATIENCE
from tests.factories import member


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


@pytest.fixture
def eva(club: Club) -> User:
    return member(club, name="Eva")


@pytest.fixture
def jon(club: Club) -> User:
    return member(club, name="Jon")


@pytest.fixture
def host(club: Club) -> User:
    return member(club, name="Ana")


@pytest.fixture
def phones(browser: Browser, server: str, host: User, jon: User, eva: User) -> Iterator[list[Phone]]:
    """Ana, Jon and Eva with a login; the fourth has none."""
    looks = ("light", "dark", "light", "dark")
    found = [
        Phone(browser, server, user, color_scheme=scheme)
        for user, scheme in zip((host, jon, eva, None), looks, strict=True)
    ]
    yield found
    for phone in found:
        phone.close()


@pytest.fixture
def pair(browser: Browser, server: str, host: User, jon: User) -> Iterator[list[Phone]]:
    """Ana and Jon."""
    found = [Phone(browser, server, host), Phone(browser, server, jon, color_scheme="dark")]
    yield found
    for phone in found:
        phone.close()


@pytest.fixture
def table(club: Club, host: User, jon: User, eva: User) -> Chouette:
    """Three who sit, by rules with settlements, for one euro a point."""
    keep_house(club=club, name="bar", title="Bar rules", values={"settlements": True}, new=True)
    found = open_table(club=club, user=host, title="Friday", house=house_named(club, "bar"), stake=100)
    for user in (host, jon, eva):
        join_table(chouette=found, user=user)
    return found


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


@pytest.mark.long
def test_four_phones_play_six_games(club: Club, phones: list[Phone]) -> None:
    ana, jon, eva, leo = phones
    keep_house(club=club, name="bar", title="Bar rules", values={"settlements": True}, new=True)

    # Ana opens a table and sits down; Jon and Eva join by its code and agree to its rules.
    ana.page.goto("/clubs/bar-point/chouettes/")
    ana.page.get_by_role("link", name="New table").first.click()
    ana.page.get_by_label("Bar rules").check()
    ana.page.get_by_role("button", name="Open table").click()
    ana.settled()
    table = Chouette.objects.get()
    for phone in (jon, eva):
        phone.page.goto("/chouettes/join/")
        phone.page.get_by_label("Table code").fill(table.code or "")
        phone.page.get_by_role("button", name="Read rules").click()
        expect(phone.page.get_by_text("settled or taken over")).to_be_visible()
        phone.page.get_by_label("I have read the rules").check()
        phone.page.get_by_role("button", name="Join table").click()
        phone.settled()
    ana.sees(eva.seq)
    three = [ana, jon, eva]

    # The throws decide the places; the first game is the box's.
    throw(ana, {"Ana": 6, "Jon": 4, "Eva": 2})
    both_see(three)
    for phone in three:
        phone.has_roles(box="Ana", captain="Jon")
    ana.tap("next")
    ana.ends("box")
    both_see(three)
    eva.has(ana=2, jon=-1, eva=-1)

    # Several cubes: both double with two taps, the box takes one and passes the other with two.
    jon.has_roles(box="Ana", captain="Eva")
    jon.tap("next")
    jon.does("crew-doubles").click()
    # Only the crew's double is offered then, and only its answers after it.
    assert buttons(jon) == ["undo", "offer-crew", "clear"]
    jon.tap("offer-crew")
    assert buttons(jon) == ["undo", "all-pass", "all-take"]
    ana.sees(jon.seq)
    expect(ana.part("dock")).to_contain_text("Ana: take at 2, or pass?")
    ana.says("Jon", "pass")
    ana.tap("rest-take")
    both_see(three)
    expect(eva.cube("Eva")).to_contain_text("2")
    expect(eva.cube("Eva")).to_have_attribute("data-where", "box")
    expect(eva.cube("Jon")).to_have_attribute("data-state", "passed")
    eva.ends("team", 2)
    both_see(three)
    jon.has(ana=-3, jon=0, eva=3)

    # Eva is the box. Leo, who has no login, joins during the game; two answer on their own phones.
    ana.has_roles(box="Eva", captain="Jon")
    eva.tap("next")
    leo.joins_as_guest(table, "Leo")
    eva.sees(leo.seq)
    eva.two_taps("box-doubles", "offer-box")
    jon.sees(eva.seq)
    jon.says("Jon", "take")
    jon.tap("record")
    ana.sees(jon.seq)
    # One cube is left: the dock alone asks, and records with one tap.
    expect(ana.page.locator(".seat .answer")).to_have_count(0)
    ana.tap("all-pass")
    both_see(phones)
    jon.ends("team")
    both_see(phones)
    leo.has(ana=-4, jon=2, eva=2, leo=0)

    # Four now, Leo ahead of who lost. Eva's cube is settled; the box beats the others.
    leo.has_roles(box="Jon", captain="Ana")
    leo.tap("next")
    leo.cube("Eva").click()
    leo.does("settle").click()
    seq = leo.seq
    leo.page.locator("#dialog-settle").get_by_role("button", name="Record settlement").click()
    leo.wait_past(seq)
    expect(leo.cube("Eva")).to_have_attribute("data-state", "settled")
    jon.sees(leo.seq)
    jon.ends("box")
    both_see(phones)
    ana.has(ana=-5, jon=3, eva=3, leo=-1)

    # A game entered wrongly is corrected: the ledger and the seats follow.
    ana.has_roles(box="Jon", captain="Leo")
    ana.tap("next")
    ana.ends("box")
    both_see(phones)
    eva.has(ana=-6, jon=6, eva=2, leo=-2)
    eva.page.locator("[data-part='log'] li").first.get_by_role("button", name="Correct").click()
    correction = eva.page.get_by_role("dialog", name="Correct an entry")
    correction.get_by_label("Winner").select_option("team")
    correction.get_by_label("Reason").fill("Leo won it")
    seq = eva.seq
    correction.get_by_role("button", name="Save correction", exact=True).click()
    eva.wait_past(seq)
    both_see(phones)
    for phone in phones:
        phone.has(ana=-4, jon=0, eva=4, leo=0)
        phone.has_roles(box="Leo", captain="Eva")

    # The last one: everybody doubles the guest in the box, who passes all.
    leo.tap("next")
    eva.sees(leo.seq)
    eva.two_taps("crew-doubles", "offer-crew")
    leo.sees(eva.seq)
    leo.two_taps("all-pass", "record")
    both_see(phones)
    for phone in phones:
        phone.has(ana=-3, jon=1, eva=5, leo=-3)
        expect(phone.part("games").locator("li")).to_have_count(6)

    expect(ana.part("payments").locator("li")).to_have_count(3)
    table.refresh_from_db()
    assert damage_of(table.sheet) is None
    games = Ledger.objects.values_list("game__number").annotate(Sum("points"), Sum("minor"))
    assert sorted(games) == [(number, 0, 0) for number in range(1, 7)]


def seated(phone: Phone, table: Chouette, dice: Sequence[int] = (6, 4, 2)) -> None:
    phone.open_table(table)
    throw(phone, dict(zip(("Ana", "Jon", "Eva"), dice, strict=True)))
    phone.tap("next")


def test_a_scorer_goes_on_without_a_line_and_catches_up(table: Chouette, pair: list[Phone]) -> None:
    ana, jon = pair
    seated(ana, table)
    expect(ana.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    jon.open_table(table)
    ana.context.set_offline(True)
    ana.does("crew-doubles").click()
    ana.does("offer-crew").click()
    ana.says("Jon", "pass")
    ana.does("rest-take").click()
    expect(ana.unsent()).to_have_count(3)
    ana.page.reload()
    expect(ana.unsent()).to_have_count(3, timeout=PATIENCE)
    expect(ana.cube("Eva")).to_have_attribute("data-where", "box")
    ana.does("game-over").click()
    ana.page.locator("#dialog-over [data-winner='team'][data-win='1']").click()
    # The page has the rules of who sits where.
    ana.has_roles(box="Jon", captain="Eva")
    ana.does("next").click()
    ana.does("game-over").click()
    ana.page.locator("#dialog-over [data-winner='box'][data-win='1']").click()
    expect(ana.unsent()).to_have_count(6)
    ana.context.set_offline(False)
    expect(ana.unsent()).to_have_count(0, timeout=PATIENCE)
    ana.settled()
    both_see([ana, jon])
    jon.has(ana=-4, jon=3, eva=1)
    kinds = list(SheetEvent.objects.filter(sheet=table.sheet).order_by("seq").values_list("kind", flat=True))
    assert kinds[-7:] == ["game_start", "offer", "offer", "answer", "game_over", "game_start", "game_over"]


@pytest.mark.long
def test_what_is_tapped_while_an_entry_is_on_its_way_goes_after_it(
    table: Chouette, pair: list[Phone]
) -> None:
    """The line holds the end of a game up: the next game is begun and ended meanwhile, by a quick finger."""
    ana, _jon = pair
    seated(ana, table)
    held: list[Route] = []
    is_open = False

    def hold(route: Route) -> None:
        if is_open:
            route.continue_()
        else:
            held.append(route)

    ana.page.route("**/events/", hold)
    ana.does("game-over").click()
    ana.page.locator("#dialog-over [data-winner='team'][data-win='1']").click()
    expect(ana.unsent()).to_have_count(1, timeout=PATIENCE)
    ana.does("next").click()
    expect(ana.unsent()).to_have_count(2, timeout=PATIENCE)
    # The second tap of two in one place is no entry of its own.
    ana.does("game-over").dispatch_event("click", {"detail": 2})
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    ana.does("game-over").click()
    ana.page.locator("#dialog-over [data-winner='box'][data-win='1']").click()
    expect(ana.unsent()).to_have_count(3, timeout=PATIENCE)
    is_open = True
    held[-1].continue_()  # where the page has given up on it, it has asked again or will
    expect(ana.unsent()).to_have_count(0, timeout=PATIENCE)
    ana.settled()
    kinds = list(SheetEvent.objects.filter(sheet=table.sheet).order_by("seq").values_list("kind", flat=True))
    assert kinds[-3:] == ["game_over", "game_start", "game_over"]


@pytest.mark.long
def test_two_who_enter_at_once_look_at_it_together(table: Chouette, pair: list[Phone]) -> None:
    ana, jon = pair
    seated(ana, table)
    jon.open_table(table)
    jon.context.set_offline(True)
    jon.does("game-over").click()
    jon.page.locator("#dialog-over [data-winner='team'][data-win='1']").click()
    expect(jon.unsent()).to_have_count(1)
    ana.ends("box")
    ana.tap("next")
    jon.context.set_offline(False)
    dialog = jon.page.get_by_role("dialog", name="Conflicting entries")
    expect(dialog).to_be_visible(timeout=PATIENCE)
    # Behind it is what is recorded: game 2, which Jon's unsent result does not end.
    expect(jon.part("state")).to_have_text("Game 2")
    expect(dialog.locator("[data-mine]")).to_contain_text("The crew wins")
    expect(dialog.locator("[data-theirs]")).to_contain_text("The box wins")
    dialog.locator("[data-settle=theirs]").click()
    expect(dialog).not_to_be_visible()
    jon.settled()
    both_see([ana, jon])
    jon.has(ana=2, jon=-1, eva=-1)


@pytest.mark.long
def test_two_who_answer_at_once_each_for_themselves_both_count(table: Chouette, pair: list[Phone]) -> None:
    """Ana answers for Eva, who has no phone, while Jon's own answer is without a line."""
    ana, jon = pair
    seated(ana, table)
    ana.two_taps("box-doubles", "offer-box")
    jon.open_table(table)
    jon.context.set_offline(True)
    jon.says("Jon", "pass")
    jon.does("record").click()
    expect(jon.unsent()).to_have_count(1)
    ana.says("Eva", "take")
    ana.tap("record")
    jon.context.set_offline(False)
    expect(jon.unsent()).to_have_count(0, timeout=PATIENCE)
    both_see([ana, jon])
    expect(jon.page.get_by_role("dialog")).to_have_count(0)
    expect(ana.cube("Jon")).to_have_attribute("data-state", "passed")
    expect(ana.cube("Eva")).to_contain_text("2")


@pytest.mark.long
def test_a_seat_that_is_opened_meanwhile_is_nothing_to_decide(
    table: Chouette, pair: list[Phone], host: User
) -> None:
    """What the log notes of it no undo takes back: it differs from nothing that somebody has entered."""
    ana, jon = pair
    seated(ana, table)
    by_ana = Author(user=host)
    bob = add_to_table(chouette=table, author=by_ana, newcomer=Newcomer(name="Bob"))
    jon.open_table(table)
    jon.context.set_offline(True)
    jon.does("game-over").click()
    jon.page.locator("#dialog-over [data-winner='team'][data-win='1']").click()
    expect(jon.unsent()).to_have_count(1)
    open_seat(chouette=table, author=by_ana, player=bob.ref, key="seat")
    jon.context.set_offline(False)
    expect(jon.unsent()).to_have_count(0, timeout=PATIENCE)
    jon.settled()
    jon.has(ana=-2, jon=1, eva=1)
    kinds = list(SheetEvent.objects.filter(sheet=table.sheet).order_by("seq").values_list("kind", flat=True))
    assert kinds[-2:] == ["seat", "game_over"]


@pytest.mark.long
def test_a_player_who_joins_meanwhile_is_nothing_to_decide(table: Chouette, phones: list[Phone]) -> None:
    """Leo scans the code while the line of the phone that records is down."""
    ana, _jon, _eva, leo = phones
    seated(ana, table)
    ana.context.set_offline(True)
    ana.does("game-over").click()
    ana.page.locator("#dialog-over [data-winner='team'][data-win='1']").click()
    ana.does("next").click()
    expect(ana.unsent()).to_have_count(2)
    leo.joins_as_guest(table, "Leo")
    ana.context.set_offline(False)
    expect(ana.unsent()).to_have_count(0, timeout=PATIENCE)
    both_see([ana, leo])
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    leo.has(ana=-2, jon=1, eva=1, leo=0)
    expect(leo.cube("Leo")).to_contain_text("middle")


@pytest.mark.long
def test_what_does_not_fit_is_shown_to_who_entered_it(table: Chouette, pair: list[Phone]) -> None:
    """Ana doubles without a line; meanwhile Jon has ended the game. She says that both happened."""
    ana, jon = pair
    seated(ana, table)
    jon.open_table(table)
    ana.context.set_offline(True)
    ana.does("box-doubles").click()
    ana.does("offer-box").click()
    ana.does("all-take").click()
    ana.does("record").click()
    ana.does("game-over").click()
    ana.page.locator("#dialog-over [data-winner='box'][data-win='1']").click()
    expect(ana.unsent()).to_have_count(4)
    jon.ends("box")
    ana.context.set_offline(False)
    conflict = ana.page.get_by_role("dialog", name="Conflicting entries")
    expect(conflict).to_be_visible(timeout=PATIENCE)
    conflict.locator("[data-settle=both]").click()
    dialog = ana.page.get_by_role("dialog", name="Entry refused")
    expect(dialog).to_be_visible(timeout=PATIENCE)
    expect(dialog.locator("[data-what]")).to_contain_text("Ana doubles")
    expect(dialog.locator("[data-later]")).to_contain_text("3")
    dialog.locator("[data-forget=all]").click()
    expect(ana.unsent()).to_have_count(0, timeout=PATIENCE)
    ana.settled()
    ana.has(ana=2, jon=-1, eva=-1)
    ana.has_roles(box="Ana", captain="Eva")


@pytest.mark.long
def test_everything_at_the_table_goes_on_without_a_line(
    club: Club, host: User, jon: User, eva: User, pair: list[Phone]
) -> None:
    """Throws that tie, equal dice, an extra, a beaver, a settlement: entered offline, all accepted."""
    ana, watcher = pair
    rules = {"settlements": True, "extras": "optional", "automatic": "box_wishes"}
    keep_house(club=club, name="bar", title="Bar rules", values=rules, new=True)
    table = open_table(club=club, user=host, title="Friday", house=house_named(club, "bar"), stake=100)
    for user in (host, jon, eva):
        join_table(chouette=table, user=user)
    ana.open_table(table)
    watcher.open_table(table)
    ana.context.set_offline(True)
    count = 0

    def entered(*taps: Locator, entries: int = 1) -> None:
        nonlocal count
        for tap in taps:
            tap.click()
        count += entries
        expect(ana.unsent()).to_have_count(count, timeout=PATIENCE)

    def thrown(dice: dict[str, int]) -> None:
        ana.does("places").click()
        for name, die in dice.items():
            thrower = ana.page.locator("#dialog-places fieldset").filter(has_text=name)
            thrower.locator("label").nth(die - 1).click()
        entered(ana.page.get_by_role("button", name="Save rolls"))

    thrown({"Ana": 6, "Jon": 4, "Eva": 4})
    expect(ana.part("dock")).to_contain_text("Jon and Eva")
    thrown({"Jon": 2, "Eva": 5})
    ana.has_roles(box="Ana", captain="Eva")
    entered(ana.does("next"))
    # A step that changes stakes asks once more, elsewhere, and Cancel records nothing.
    dice = ana.page.get_by_role("button", name="Equal dice: double every cube")
    first = dice.bounding_box()
    entered(dice, ana.does("clear"), entries=0)
    entered(dice, entries=0)
    second = ana.does("confirm").bounding_box()
    assert first is not None
    assert second is not None
    assert first["y"] + first["height"] <= second["y"]
    expect(ana.part("dock")).to_contain_text("1 → 2")
    entered(ana.does("confirm"))
    expect(ana.cube("Jon")).to_contain_text("2")
    # The box doubles both; Eva passes, Jon takes, holds Eva's extra, beavers, and settles his own cube.
    entered(ana.does("box-doubles"), ana.does("offer-box"))
    ana.says("Eva", "pass")
    entered(ana.does("rest-take"), entries=2)
    extra = ana.page.get_by_role("button", name="Jon holds an extra against Eva", exact=True)
    entered(ana.does("ready-list"), extra, ana.does("confirm"))
    entered(ana.page.get_by_role("button", name="Jon beavers", exact=True), ana.does("confirm"))
    # Undo is in the dock at once.
    entered(ana.does("undo"), entries=-1)
    entered(ana.page.get_by_role("button", name="Jon beavers", exact=True), ana.does("confirm"))
    ana.seat("Jon").locator(".table-cube").first.click()
    ana.does("settle").click()
    ana.page.locator("#dialog-settle [name='points']").fill("3")
    entered(ana.page.locator("#dialog-settle").get_by_role("button", name="Record settlement"))
    expect(ana.seat("Jon").locator(".table-cube").first).to_have_attribute("data-state", "settled")
    entered(ana.does("game-over"), ana.page.locator("#dialog-over [data-winner='team'][data-win='1']"))
    ana.context.set_offline(False)
    expect(ana.unsent()).to_have_count(0, timeout=PATIENCE)
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    ana.settled()
    both_see([ana, watcher])
    table.refresh_from_db()
    assert damage_of(table.sheet) is None
    kinds = SheetEvent.objects.filter(sheet=table.sheet).order_by("seq").values_list("kind", flat=True)
    assert list(kinds)[-11:] == [
        "places", "places", "game_start", "tie", "offer", "answer", "answer", "extra", "beaver", "settle",
        "game_over",
    ]  # fmt: skip


@pytest.mark.long
def test_who_doubled_and_who_is_captain_are_put_right_in_the_log(table: Chouette, pair: list[Phone]) -> None:
    """The throws made Jon captain and Jon doubled: in truth Eva threw higher, and it was she who doubled."""
    ana, jon = pair
    seated(ana, table)
    jon.open_table(table)
    ana.cube("Jon").click()
    seq = ana.seq
    ana.does("offer-crew").click()
    ana.wait_past(seq)

    def correction(kind: str) -> Locator:
        line = ana.page.locator("[data-part='log'] li").filter(has_text=kind).first
        line.get_by_role("button", name="Correct").click()
        return ana.page.get_by_role("dialog", name="Correct an entry")

    dialog = correction("Jon doubles")
    dialog.get_by_label("Doubler").select_option(label="Eva")
    dialog.get_by_role("group", name="Cubes").get_by_label("Jon").uncheck()
    dialog.get_by_role("group", name="Cubes").get_by_label("Eva").check()
    dialog.get_by_label("Reason").fill("it was Eva")
    seq = ana.seq
    dialog.get_by_role("button", name="Save correction", exact=True).click()
    ana.wait_past(seq)
    expect(ana.cube("Eva")).to_have_attribute("data-state", "offered")
    expect(ana.cube("Jon")).to_have_attribute("data-state", "open")
    ana.has_roles(box="Ana", captain="Jon")
    dialog = correction("Rolls for places")
    assert serious_violations(ana.page) == []
    dialog.get_by_label("Eva, die 1").fill("5")
    dialog.get_by_label("Reason").fill("a five")
    seq = ana.seq
    dialog.get_by_role("button", name="Save correction", exact=True).click()
    ana.wait_past(seq)
    ana.has_roles(box="Ana", captain="Eva")
    both_see([ana, jon])
    jon.has_roles(box="Ana", captain="Eva")
    table.refresh_from_db()
    assert damage_of(table.sheet) is None


@pytest.mark.long
def test_a_guest_whose_phone_is_lost_comes_back_to_the_seat(table: Chouette, phones: list[Phone]) -> None:
    """Leo has no login. Ana opens his seat, a new phone scans her code; the code of the table is renewed."""
    ana, _jon, _eva, leo = phones
    leo.joins_as_guest(table, "Leo")
    leo.context.clear_cookies()
    # What is entered on a phone without its seat can be discarded there.
    leo.does("order").click()
    leo.page.get_by_role("button", name="Save order").click()
    leo.page.get_by_role("button", name="Discard unsent entries: 1").click()
    expect(leo.unsent()).to_have_count(0)
    ana.open_table(table)
    ana.page.get_by_role("button", name="Move seat").click()
    dialog = ana.page.get_by_role("dialog", name="Move a seat to another phone")
    dialog.get_by_label("Seat").select_option(label="Leo")
    dialog.get_by_role("button", name="Show code").click()
    link = dialog.locator("[data-link]")
    expect(link).to_be_visible(timeout=PATIENCE)
    expect(dialog.locator(".qr svg")).to_be_visible()
    leo.page.goto(link.get_attribute("href") or "")
    leo.page.get_by_role("button", name="Take this seat").click()
    leo.settled()
    expect(leo.part("log")).to_contain_text("Leo moves to another phone")
    expect(leo.page.get_by_role("button", name="Move seat")).to_be_hidden()
    ana.page.keyboard.press("Escape")
    ana.does("code").click()
    code = ana.page.locator(".join-code")
    before = code.inner_text()
    ana.page.get_by_role("button", name="Renew code").click()
    expect(code).not_to_have_text(before, timeout=PATIENCE)
    assert leo.page.goto(f"/chouettes/join/{table.code}/").status == 404  # type: ignore[union-attr]


@pytest.mark.long
def test_the_table_can_be_read_by_everybody(table: Chouette, pair: list[Phone]) -> None:
    ana, jon = pair
    seated(ana, table)
    jon.open_table(table)
    for phone in (ana, jon):
        assert serious_violations(phone.page) == []
        assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        small = phone.page.evaluate(
            """[...document.querySelectorAll('#sheet button, #sheet a, #sheet summary')]
                 .filter((each) => each.checkVisibility())
                 .map((each) => [each.textContent, each.getBoundingClientRect()])
                 .filter(([, box]) => box.height < 44 && box.width > 0).map(([text]) => text.trim())"""
        )
        assert small == []


OUT_OF_REACH = """
[...document.querySelectorAll("[data-part=dock] button, dialog[open] :is(button, label)")]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.getBoundingClientRect().right > visualViewport.width)
  .map((each) => each.textContent.trim())
"""

ABOVE_DOCK = """
[...document.querySelectorAll("[data-part=seats] .seat .name")]
  .filter((each) => each.getBoundingClientRect().bottom
    < document.querySelector("[data-part=dock]").getBoundingClientRect().top).length
"""


@pytest.mark.long
def test_a_name_without_a_space_leaves_everything_in_reach_of_a_thumb(
    browser: Browser, server: str, table: Chouette, host: User
) -> None:
    """A page that is wider than the phone has its dock below the screen."""
    for name in ("Wolfeschlegelsteinhausenbergerdorff", "Llanfairpwllgwyngyllgogerychwyrndrob", "Kim"):
        add_to_table(chouette=table, author=Author(user=host), newcomer=Newcomer(name=name))
    ana = Phone(browser, server, host, viewport={"width": 360, "height": 640}, is_mobile=True)
    ana.open_table(table)

    def fits() -> None:
        assert ana.page.evaluate("innerWidth") == 360
        assert ana.page.evaluate(OUT_OF_REACH) == []

    ana.does("places").click()
    fits()
    ana.page.keyboard.press("Escape")
    throw(ana, {"Wolfe": 1, "Llan": 2, "Ana": 6, "Jon": 5, "Eva": 4, "Kim": 3})
    ana.does("next").click()
    partners = ana.page.locator("#dialog-start").get_by_role("button")
    assert partners.all_inner_texts()[:2] == ["No partner", "Jon"]
    fits()
    seq = ana.seq
    partners.filter(has_text="Kim").click()
    ana.wait_past(seq)
    ana.does("crew-doubles").click()
    fits()
    ana.tap("offer-crew")
    fits()
    ana.does("all-take").click()
    ana.tap("record")
    fits()
    # More than two further steps are in a list, and the dock leaves the cubes in sight.
    ana.does("ready-list").click()
    fits()
    ana.page.get_by_role("button", name="Ana beavers: Wolfe").click()
    fits()
    ana.tap("confirm")
    ana.ends("box")
    fits()
    # Turned, the phone shows the seats in pairs: all six above the dock.
    ana.page.set_viewport_size({"width": 844, "height": 390})
    ana.laid_out()
    assert ana.page.evaluate(ABOVE_DOCK) == 6
    # The partner stays with the box: nobody is asked again.
    ana.tap("next")
    expect(ana.seat("Kim")).to_have_attribute("data-role", "partner")
    ana.close()


@pytest.mark.long
def test_the_second_tap_of_two_in_one_place_changes_nothing(table: Chouette, pair: list[Phone]) -> None:
    ana = pair[0]
    seated(ana, table)
    ana.does("crew-doubles").dblclick()
    expect(ana.does("offer-crew")).to_have_text("Jon and Eva double")
    ana.tap("offer-crew")
    ana.seat("Jon").locator(".answer button[value='pass']").dblclick()
    expect(ana.seat("Jon").locator(".answer [aria-pressed='true']")).to_have_text("Pass")
    ana.says("Eva", "take")
    ana.tap("record")
    expect(ana.part("dock")).to_contain_text("Ana takes: Eva; passes: Jon")
    seq = ana.seq
    ana.does("undo").dblclick()
    ana.wait_past(seq)
    expect(ana.does("all-take")).to_be_visible()
    assert ana.seq == seq + 1
    expect(ana.part("notices")).to_be_empty()
    # The second tap on "All take" is not one on the button that it brings.
    ana.does("all-take").dblclick()
    expect(ana.does("record")).to_be_visible()
    assert ana.seq == seq + 1


@pytest.mark.long
def test_a_night_can_be_kept_with_the_keyboard_alone(table: Chouette, pair: list[Phone]) -> None:
    ana = pair[0]
    seated(ana, table)
    for key in ("c", "Escape", "b"):
        ana.page.keyboard.press(key)
    expect(ana.page.locator("[data-cube][aria-pressed='true']")).to_have_count(2)
    seq = ana.seq
    ana.does("offer-box").focus()
    ana.page.keyboard.press("Enter")
    ana.wait_past(seq)
    ana.page.keyboard.press("t")
    seq = ana.seq
    ana.does("record").focus()
    ana.page.keyboard.press("Enter")
    ana.wait_past(seq)
    expect(ana.cube("Jon")).to_have_attribute("data-where", "own")
    seq = ana.seq
    ana.page.keyboard.press("u")
    ana.wait_past(seq)
    expect(ana.part("dock")).to_contain_text("Eva")


SHARING = """
navigator.share = async ({ text, files }) => { window.shared = text ?? files[0].type; };
navigator.canShare = ({ files }) => files.every(({ size }) => size > 0);
"""


@pytest.mark.long
def test_a_night_ends_with_a_summary_to_share(table: Chouette, pair: list[Phone]) -> None:
    ana = pair[0]
    ana.page.add_init_script(SHARING)  # a desktop browser has no dialog to share with
    seated(ana, table)
    ana.ends("box")
    ana.page.get_by_role("button", name="More", exact=True).click()
    seq = ana.seq
    for _dialog in ("more", "end"):
        ana.page.get_by_role("dialog").get_by_role("button", name="End chouette").click()
    ana.wait_past(seq)
    expect(ana.part("recorders")).to_have_text("No one can record: this chouette is over.")
    ana.does("summary").click()
    expect(ana.page).to_have_url(re.compile("/history/#share$"), timeout=PATIENCE)
    ana.page.get_by_role("button", name="Share text").click()
    ana.page.wait_for_function("window.shared?.includes('Eva pays Ana 1.00 EUR')")
    ana.page.get_by_role("button", name="Share picture").click()
    ana.page.wait_for_function("window.shared === 'image/png'")
    assert serious_violations(ana.page) == []
    # An upright phone shows one's own line of each game; turned, the whole table.
    whole, mine = ana.page.locator(".ledger-whole"), ana.page.locator(".ledger-mine")
    expect(mine).to_be_visible()
    expect(whole).to_be_hidden()
    ana.page.set_viewport_size({"width": 800, "height": 360})
    expect(whole).to_be_visible()
    expect(mine).to_be_hidden()


@pytest.mark.long
def test_a_night_ends_between_games_and_a_guest_can_only_read_it(
    table: Chouette, phones: list[Phone]
) -> None:
    """Leo, a guest, enters a result without a line; meanwhile Ana enters another and ends the night."""
    ana, _jon, _eva, leo = phones
    leo.joins_as_guest(table, "Leo")
    ana.open_table(table)
    throw(ana, {"Ana": 6, "Jon": 4, "Eva": 2, "Leo": 1})
    # A greeting goes once something happens at the table.
    leo.sees(ana.seq)
    expect(leo.page.get_by_text("You have joined the table")).to_have_count(0)
    ana.tap("next")
    leo.sees(ana.seq)
    ana.page.get_by_role("button", name="More", exact=True).click()
    ana.page.locator("#dialog-more").get_by_role("button", name="End chouette").click()
    ending = ana.page.locator("#dialog-end")
    expect(ending).to_contain_text("Game 1 is in progress. Record its result first, or undo its entries.")
    expect(ending.get_by_role("button", name="End chouette")).to_be_hidden()
    ana.page.keyboard.press("Escape")
    leo.context.set_offline(True)
    leo.does("game-over").click()
    leo.page.locator("#dialog-over [data-winner='team'][data-win='1']").click()
    expect(leo.unsent()).to_have_count(1)
    ana.ends("box")
    ana.page.get_by_role("button", name="More", exact=True).click()
    ana.page.locator("#dialog-more").get_by_role("button", name="End chouette").click()
    seq = ana.seq
    ending.get_by_role("button", name="End chouette").click()
    ana.wait_past(seq)
    expect(ana.does("undo")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Add a player")).to_be_hidden()
    leo.context.set_offline(False)
    dialog = leo.page.get_by_role("dialog", name="Conflicting entries")
    expect(dialog).to_contain_text("This chouette is over. Show your entries", timeout=PATIENCE)
    expect(dialog.get_by_role("button")).to_have_text(["Keep the log"])
    dialog.get_by_role("button").click()
    expect(leo.unsent()).to_have_count(0, timeout=PATIENCE)
    leo.settled()
    expect(leo.does("summary")).to_be_visible()
    expect(leo.does("undo")).to_have_count(0)
    leo.has(ana=3, jon=-1, eva=-1, leo=-1)


@pytest.mark.long
def test_a_game_is_recorded_on_the_board_from_the_table(table: Chouette, pair: list[Phone]) -> None:
    ana, jon = pair
    seated(ana, table)
    jon.open_table(table)
    ana.page.get_by_role("button", name="Record on board").click()
    expect(ana.page).to_have_url(re.compile("/matches/.*/sheet/$"), timeout=PATIENCE)
    link = jon.page.get_by_role("link", name="Open board")
    expect(link).to_be_visible(timeout=PATIENCE)
    assert (link.get_attribute("href") or "") in ana.page.url
    jon.ends("box")
    expect(jon.part("games").get_by_role("link", name="play by play")).to_be_visible()
