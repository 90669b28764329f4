"""A night of chouette in real browsers: four phones, six games, a correction, and how it ends."""

import re

import pytest
from django.db.models import Sum
from playwright.sync_api import Locator, expect

from clubs.models import Club
from scoring.chouettes.services.damage import damage_of
from scoring.models import Chouette, Ledger, SheetEvent
from scoring.profiles.services.houses import keep_house
from tests.accessibility import serious_violations
from tests.e2e.chouettes.phones import Phone, buttons, seated, throw
from tests.e2e.scorers import both_see
from tests.e2e.settled import PATIENCE


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
    # While an answer is missing nothing is filled to be tapped; with all answers only *Record* is there.
    expect(ana.does("rest-take")).to_contain_class("secondary")
    assert buttons(ana) == ["undo", "rest-take"]
    ana.says("Eva", "take")
    expect(ana.does("record")).not_to_contain_class("secondary")
    assert buttons(ana) == ["undo", "record"]
    ana.says("Eva", "take")
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
def test_two_who_mark_a_payment_count_once_and_it_can_be_taken_back(
    table: Chouette, pair: list[Phone]
) -> None:
    """Jon marks his payment without a line, twice; meanwhile Ana marks it, and Eva's."""
    ana, jon = pair
    seated(ana, table)
    ana.ends("box")
    jon.open_table(table)
    jon.sees(ana.seq)
    jons = jon.part("payments").get_by_role("listitem").filter(has_text="Jon pays Ana")
    jon.context.set_offline(True)
    jons.get_by_role("button", name="Mark paid").dblclick()
    expect(jons).to_contain_text("unsent")
    expect(jon.unsent()).to_have_count(1)
    expect(jon.unsent()).to_contain_text("Jon has paid Ana.")
    for words in ("Jon pays Ana", "Eva pays Ana"):
        seq = ana.seq
        row = ana.part("payments").get_by_role("listitem").filter(has_text=words)
        row.get_by_role("button", name="Mark paid").click()
        ana.wait_past(seq)
        expect(row.get_by_role("button", name="Paid")).to_be_visible()
    jon.context.set_offline(False)
    expect(jon.unsent()).to_have_count(0, timeout=PATIENCE)
    jon.sees(ana.seq)
    expect(jon.part("notices")).to_contain_text("Someone else has already recorded this.")
    jon.part("notices").get_by_role("button", name="Dismiss").click()
    expect(jon.part("notices")).to_have_text("")
    expect(jon.page.get_by_role("dialog")).to_have_count(0)
    expect(jon.part("payments").get_by_role("button")).to_have_text(["Paid", "Paid"])
    assert SheetEvent.objects.filter(sheet=table.sheet, kind="paid").count() == 2
    # What was not paid after all is taken back, and marked again on the summary.
    jons.get_by_role("button", name="Paid").click()
    asked = jon.page.get_by_role("dialog", name="Paid")
    expect(asked).to_contain_text("Jon pays Ana 1.00 EUR")
    jon.context.set_offline(True)
    asked.get_by_role("button", name="Not paid").click()
    expect(asked).to_contain_text("This needs a connection.")
    expect(jon.part("notices")).not_to_contain_text("This needs a connection.")
    jon.context.set_offline(False)
    seq = jon.seq
    asked.get_by_role("button", name="Not paid").click()
    jon.wait_past(seq)
    expect(jon.part("payments").get_by_role("button")).to_have_text(["Mark paid", "Paid"])
    jon.page.goto(f"/chouettes/{table.ref}/history/")
    jon.page.get_by_role("button", name="Mark paid").click()
    expect(jon.page.locator("#night-text")).to_contain_text("Jon pays Ana 1.00 EUR (paid)")
    assert serious_violations(jon.page) == []
    jon.page.locator(".payments summary").first.click()
    jon.page.get_by_role("button", name="Not paid").click()
    expect(jon.page.get_by_role("button", name="Mark paid")).to_be_visible()


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
