"""The desk in real browsers: two touches, keys, a lost line, and two directors at once."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from clubs.models import Club, Role, User
from scoring.rules.events import ScoreRecorded
from scoring.sheets.services.decisions import DirectedResult
from tests.e2e.settled import PATIENCE, settle, tap, visit
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory, UserFactory, member
from tests.tournaments.desk.test_hostile import report
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side
from tournaments.desk.services.calls import call
from tournaments.desk.services.results import report_result
from tournaments.desk.services.tables import make_tables
from tournaments.models import DeskEvent, Event, PairingRow
from tournaments.stages.services.rounds import let_rounds_wait

MOST_TABS = 60


@pytest.fixture
def club(transactional_db: None) -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point")
    return found


@pytest.fixture
def director(club: Club) -> User:
    return member(club, Role.DIRECTOR, name="Dora")


@pytest.fixture
def event(club: Club) -> Event:
    found = an_event(8, club=club)
    drawn(found)
    make_tables(event=found, last=3, user=None)
    return found


@pytest.fixture
def phone(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(base_url=server, viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def matches(event: Event) -> list[PairingRow]:
    stage = event.flights.get().stages.get()
    return open_pairings(stage)


def desk(page: Page, server: str, event: Event, user: User) -> None:
    sign_in(page, server, user)
    visit(page, f"/events/{event.ref}/desk/")
    expect(page.locator("#desk")).to_be_visible()


def row_of(page: Page, pairing: PairingRow):
    return page.locator(f"#match-{pairing.ref}")


def test_a_director_calls_and_records_with_the_keyboard_alone(
    page: Page, server: str, event: Event, director: User
) -> None:
    desk(page, server, event, director)
    page.locator("#desk").focus()
    press(page, "c")
    expect(page.locator(".desk-match.called")).to_have_count(3, timeout=PATIENCE)
    settle(page)
    page.locator("#desk").focus()
    press(page, "j", "r")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    tap(dialog.get_by_role("button", name="3–1"))
    expect(page.locator(".desk-match.called")).to_have_count(2, timeout=PATIENCE)
    assert DeskEvent.objects.filter(event=event, kind="result").count() == 1


def test_a_phone_without_a_line_keeps_its_entries_and_sends_each_once(
    phone: Page, server: str, event: Event, director: User
) -> None:
    first, second, third, _fourth = matches(event)
    desk(phone, server, event, director)
    expect(phone.locator("html")).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    phone.context.set_offline(True)
    row_of(phone, first).get_by_role("button", name="Call", exact=True).click()
    for row in (first, second, third):
        row_of(phone, row).get_by_role("link", name="Result").click()
        phone.get_by_role("dialog").get_by_role("button", name="3–0").click()
    expect(phone.locator("html")).to_have_attribute("data-unsent", "4")
    # Meanwhile another director records one of them otherwise.
    report_result(pairing=third, decision=DirectedResult("black", (0, 3)), user=director)
    phone.context.set_offline(False)
    expect(phone.locator("html")).not_to_have_attribute("data-unsent", "4", timeout=PATIENCE)
    expect(phone.locator("#overtaken")).to_be_visible(timeout=PATIENCE)
    expect(phone.locator("[data-overtaken] li")).to_have_count(1)
    expect(phone.locator("#overtaken")).to_contain_text(third.a.title)
    results = DeskEvent.objects.filter(event=event, kind="result").order_by("seq")
    assert [row.body["pairing"] for row in results] == [third.ref, first.ref, second.ref]
    assert DeskEvent.objects.filter(event=event, kind="called").count() == 1


@pytest.mark.long
def test_what_a_director_entered_is_never_sent_as_somebody_else(
    phone: Page, server: str, event: Event, director: User, club: Club
) -> None:
    other = member(club, Role.DIRECTOR, name="Carl")
    first = matches(event)[0]
    desk(phone, server, event, director)
    phone.context.set_offline(True)
    row_of(phone, first).get_by_role("link", name="Result").click()
    phone.get_by_role("dialog").get_by_role("button", name="3–0").click()
    expect(phone.locator("html")).to_have_attribute("data-unsent", "1")
    # Somebody else signs in behind the open page: what it kept stays where it is.
    sign_in(phone, server, other)
    phone.context.set_offline(False)
    expect(phone.locator("#desk-notices")).to_contain_text("Sign in again", timeout=PATIENCE)
    expect(phone.locator("html")).to_have_attribute("data-unsent", "1")
    phone.goto(f"/events/{event.ref}/desk/")
    expect(phone.locator("#desk-notices")).to_contain_text(
        "Unsent entries of another user on this device: 1", timeout=PATIENCE
    )
    visit(phone, "/me/")
    tap(phone.get_by_role("button", name="Sign out"))
    warning = phone.get_by_role("dialog", name="Unsent entries").get_by_role("link")
    expect(warning).to_have_attribute("href", f"/events/{event.ref}/desk/")
    assert not DeskEvent.objects.filter(event=event, kind="result").exists()
    sign_in(phone, server, director)
    phone.goto(f"/events/{event.ref}/desk/")
    expect(row_of(phone, first)).to_have_count(0, timeout=PATIENCE)
    assert DeskEvent.objects.get(event=event, kind="result").user == director


@pytest.mark.long
def test_a_refusal_of_the_person_keeps_the_entry(
    phone: Page, server: str, event: Event, director: User
) -> None:
    first = matches(event)[0]
    desk(phone, server, event, director)
    phone.route("**/api/v1/pairings/**", lambda route: route.fulfill(status=403, json={"detail": "No."}))
    row_of(phone, first).get_by_role("link", name="Result").click()
    phone.get_by_role("dialog").get_by_role("button", name="3–0").click()
    expect(phone.locator("#desk-notices")).to_contain_text("Sign in again", timeout=PATIENCE)
    expect(phone.locator("#overtaken")).to_be_hidden()
    phone.unroute("**/api/v1/pairings/**")
    phone.reload()
    expect(row_of(phone, first)).to_have_count(0, timeout=PATIENCE)
    assert DeskEvent.objects.filter(event=event, kind="result").count() == 1


@pytest.mark.long
def test_a_second_director_sees_the_call_without_reloading(
    page: Page, server: str, event: Event, director: User
) -> None:
    desk(page, server, event, director)
    first = matches(event)[0]
    call(pairing=first, user=director, table=2)
    expect(row_of(page, first)).to_contain_text("table 2", timeout=PATIENCE)


@pytest.mark.long
def test_a_player_reads_table_and_opponent_on_the_own_phone(
    phone: Page, server: str, event: Event, director: User
) -> None:
    first = matches(event)[0]
    user = UserFactory.create()
    player = first.a.members.get().player
    player.user = user
    player.save()
    sign_in(phone, server, user)
    phone.goto(f"/events/{event.ref}/")
    expect(phone.locator(".my-matches")).to_contain_text("you will be called")
    call(pairing=first, user=director, table=2)
    expect(phone.locator(".my-matches")).to_contain_text(
        f"Table 2 against {other_side(first).title}", timeout=PATIENCE
    )


def tab_to(page: Page, place: Locator) -> None:
    """Go to a control as somebody without a mouse does."""
    settle(page)
    expect(place).to_have_count(1)
    for _press in range(MOST_TABS):
        if place.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {place}")


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other, beginning on a page from which nothing takes the focus any more."""
    settle(page)
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_what_else_a_match_offers_opens_below_without_moving_its_word(
    page: Page, server: str, event: Event, director: User, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    desk(page, server, event, director)
    row = page.locator(".desk-match").first
    more = row.locator(".more > summary")
    before = more.bounding_box()
    more.click()
    headings = row.get_by_role("heading", level=3)
    expect(headings).to_have_text(["Outcome", "Penalty", "Table", "Broadcast", "Disqualify"])
    assert more.bounding_box() == before
    assert before
    for heading in headings.all():
        box = heading.bounding_box()
        assert box
        assert box["y"] >= before["y"] + before["height"]


@pytest.mark.long
def test_a_whole_round_is_run_with_the_keyboard_alone(
    page: Page, server: str, club: Club, director: User
) -> None:
    event = an_event(6, club=club, format_key="swiss_3")
    stage = event.flights.get().stages.get()
    let_rounds_wait(stage=stage, wait=True, user=director)
    make_tables(event=event, last=4, user=None)
    desk(page, server, event, director)
    home = page.url
    expect(page.locator("#desk")).to_be_focused()

    # Check-in: the focus moves to the next player, never to the undo.
    press(page, "i")
    for left in range(6, 0, -1):
        button = page.get_by_role("button", name="Check in")
        expect(button).to_have_count(left, timeout=PATIENCE)
        expect(button.first).to_be_focused(timeout=PATIENCE)
        press(page, "Enter")
    expect(page.get_by_role("button", name="Undo check-in")).to_have_count(6, timeout=PATIENCE)
    # The old page hears of the draw too, and is on its way out.
    with page.expect_navigation():
        press(page, "d", "Enter")
    expect(page.locator(".desk-match.ready")).to_have_count(3, timeout=PATIENCE)
    assert page.url == home

    # Call, undo, call all, and another table for one.
    expect(page.locator("#desk")).to_be_focused()
    press(page, "j", "t")
    expect(page.locator(".desk-match.called")).to_have_count(1, timeout=PATIENCE)
    press(page, "u")
    expect(page.locator(".desk-match.called")).to_have_count(0, timeout=PATIENCE)
    press(page, "c")
    expect(page.locator(".desk-match.called")).to_have_count(3, timeout=PATIENCE)
    first, second, third = open_pairings(stage)
    row_of(page, first).focus()
    press(page, "m")
    expect(row_of(page, first).locator("select[name=table]")).to_be_focused()
    press(page, "Escape")
    expect(row_of(page, first)).to_be_focused()
    press(page, "m", "Tab", "Enter")
    expect(row_of(page, first).locator(".table-number")).to_have_text("table 4", timeout=PATIENCE)
    press(page, "Escape", "b")
    expect(page.locator("#table-1 summary")).to_be_focused()
    press(page, "b")
    expect(page.locator("#table-2 summary")).to_be_focused()
    press(page, "Escape")
    expect(page.locator("#desk")).to_be_focused()

    # Start, a penalty, a ruling, the result.
    press(page, "j", "s")
    expect(page.locator(".desk-match.playing")).to_have_count(1, timeout=PATIENCE)
    playing = PairingRow.objects.get(stage=stage, started_at__isnull=False)
    row_of(page, playing).focus()
    press(page, "p")
    expect(row_of(page, playing).locator("[data-key=p]")).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#latest-results")).to_contain_text("1 point to", timeout=PATIENCE)
    row_of(page, playing).focus()
    press(page, "g")
    tab_to(page, page.get_by_label("What happened"))
    page.keyboard.type("A die lay on a checker.")
    tab_to(page, page.get_by_label("Rule", exact=True))
    page.keyboard.type("Die on")
    tab_to(page, page.get_by_label("Decision"))
    page.keyboard.type("It counts.")
    tab_to(page, page.get_by_role("button", name="Record ruling"))
    press(page, "Enter")
    expect(page.get_by_role("heading", name=re.compile(r"^Ruling \d+$"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".clause")).to_contain_text("A die that lies flat on a checker is valid.")
    page.goto(home)
    row_of(page, playing).focus()
    press(page, "r")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "Enter")
    expect(row_of(page, playing)).to_have_count(0, timeout=PATIENCE)

    # What a player reported is accepted; of the last match somebody did not come.
    reported, missed = (row for row in (first, second, third) if row.pk != playing.pk)
    report(reported, ScoreRecorded(3, 0))
    page.goto(home)
    row_of(page, reported).focus()
    press(page, "y")
    expect(row_of(page, reported)).to_have_count(0, timeout=PATIENCE)
    row_of(page, missed).focus()
    press(page, "n")
    expect(page.get_by_text("Who is absent?")).to_be_visible()
    tab_to(page, page.locator(".who-is-absent a").first)
    press(page, "Enter")
    tab_to(page, page.get_by_role("button", name="This match only"))
    press(page, "Enter")
    page.wait_for_url(home)

    # The next round, published from the keyboard.
    expect(page.locator("#desk")).to_be_focused()
    press(page, "x")
    tab_to(page, page.get_by_role("button", name="Publish suggested pairings"))
    press(page, "Enter")
    page.wait_for_url(home)
    assert PairingRow.objects.filter(stage=stage, round=2).count() == 3
    kinds = set(DeskEvent.objects.filter(event=event).values_list("kind", flat=True))
    assert {"check_in", "called", "undone", "moved", "started", "penalty", "ruling", "result"} <= kinds
    expect(page.locator("#desk")).to_be_focused()
    press(page, "?")
    expect(page.locator(".keys")).to_have_attribute("open", "")
