"""A chouette in real browsers without a line, and two who enter at once."""

import pytest
from playwright.sync_api import Locator, Route, expect

from clubs.models import Club, User
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.seats import open_seat
from scoring.chouettes.services.tables import add_to_table, join_table, open_table
from scoring.log.queries.writers import Author
from scoring.models import Chouette, SheetEvent
from scoring.players.services.newcomers import Newcomer
from scoring.profiles.queries.houses import house_named
from scoring.profiles.services.houses import keep_house
from tests.e2e.chouettes.phones import Phone, seated
from tests.e2e.scorers import both_see
from tests.e2e.settled import PATIENCE


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
