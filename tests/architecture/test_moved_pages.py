"""No page of an event that lives on another machine offers what is refused here.

Each event is walked by its director, a member and an entrant, from its page on along every link, before it
moves and after: what was offered is not offered any more, and no link leads to a page that is refused.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from _pytest.mark.structures import ParameterSet
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils.timezone import now

from clubs.models import Role, User
from scoring.models import Match
from scoring.sheets.services.decisions import DirectedResult
from tests.architecture.test_access_matrix import ADDRESSES
from tests.architecture.test_moved_events import CHANGING, FOR_MOVED_EVENTS, SHEETS, TO_BE_FILLED_IN
from tests.factories import ClubFactory, UserFactory, member
from tests.tiers import sized
from tests.tournaments.desk.test_sheets_of_events import reported
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import a_tie, league
from tests.tournaments.pages.test_nothing_typed_is_lost import with_doubles
from tests.tournaments.stages.test_feeding import GROUPS
from tests.tournaments.stages.test_rounds_by_hand import a_swiss
from tournaments.core.ladders.ladder import LadderOptions
from tournaments.core.prizes.pools import Fees
from tournaments.desk.queries.event_log import event_log
from tournaments.desk.services.calls import call, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.results import report_result
from tournaments.desk.services.rulings import report_conduct, rule_on
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.entries import enter
from tournaments.events.moved_events import LEADS_TO_EVENT
from tournaments.events.plans import EventPlan, StagePlan
from tournaments.events.services.events import FlightTerms, announce
from tournaments.events.tabs import TABS, address_of
from tournaments.leagues.services import propose_date
from tournaments.models import EntrantRow, Event, PairingRow, StageRow
from tournaments.money.services.prizes import approve_prizes
from tournaments.stages.services.draws import draw_stage
from tournaments.transfer.services.moves import move_away

pytestmark = pytest.mark.django_db

GATED = {row.name for row in (*CHANGING, *SHEETS)} - FOR_MOVED_EVENTS
ABOUT_EVENTS = {*LEADS_TO_EVENT, "match"}
FILES = {
    *("tournaments:print_cards", "tournaments:event_draws", "tournaments:archive", "scoring:match_pdf"),
    *("tournaments:event_file", "tournaments:overlay", "tournaments:featured"),
}
"""What a link leads to that is no page with forms."""
ALIKE = sized(1, 2)
LOOKING = sized({"director"}, {"director", "member", "entrant"})
SENDS = ("formaction", "hx-post", "hx-put", "hx-patch", "hx-delete", "data-send", "data-report")


class Occasion(NamedTuple):
    """An event with people who look at it, by their part in it."""

    event: Event
    director: User
    entrant: User


class _Offers(HTMLParser):
    """The addresses that a page sends to, and those that it links."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.sent: set[str] = set()
        self.linked: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form" and said.get("method", "").lower() == "post":
            self.sent.add(urljoin(self.path, said.get("action", "")))
        elif tag == "a" and not said.get("href", "#").startswith("#"):
            self.linked.add(urljoin(self.path, said["href"]))
        self.sent.update(urljoin(self.path, said[name]) for name in SENDS if name in said)

    def refused_when_moved(self) -> set[str]:
        """The names of what it sends to, and links, that is refused for an event on another machine."""
        return {name_of(each) for each in self.sent} & GATED | {
            name_of(each) for each in self.linked
        } & TO_BE_FILLED_IN


def name_of(address: str) -> str:
    """The name of an address of this site; empty for another's."""
    parts = urlsplit(address)
    try:
        return "" if parts.netloc else resolve(parts.path).view_name
    except Resolver404:
        return ""


def is_followed(address: str) -> bool:
    name = name_of(address)
    arguments = ADDRESSES[name].arguments if name in ADDRESSES else ()
    return name not in FILES and bool({*arguments} & ABOUT_EVENTS)


def walked(client: Client, begin: set[str]) -> Iterator[tuple[str, int, _Offers]]:
    """Each page that can be come to, with its status and what it offers; of those that are alike a few."""
    ahead, known = sorted(begin), set(begin)
    alike: Counter[str] = Counter()
    while ahead:
        address = ahead.pop()
        kind = f"{name_of(address)} {parse_qs(urlsplit(address).query).get('tab')}"
        alike[kind] += 1
        if alike[kind] > ALIKE:
            continue
        answer = client.get(address)
        if answer.status_code not in {200, 409} or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        offers = _Offers(address)
        offers.feed(answer.content.decode())
        yield address, answer.status_code, offers
        new = {urlsplit(each)._replace(fragment="").geturl() for each in offers.linked if is_followed(each)}
        ahead += sorted(new - known)
        known |= new


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def a_login(entrant: EntrantRow) -> User:
    player = entrant.players[0]
    player.user = player.user or UserFactory.create()
    player.save()
    return player.user


def beginnings(event: Event) -> set[str]:
    """The pages from which an event is come to, and those of its matches."""
    matches = Match.objects.filter(board__pairing__stage__flight__event=event)
    return {
        reverse("tournaments:now"),
        event.get_absolute_url(),
        *(address_of(event, tab) for tab in TABS),
        event.club.get_absolute_url(),
        reverse("tournaments:club_events", args=[event.club.slug]),
        reverse("tournaments:new_event", args=[event.club.slug]),
        *(reverse("tournaments:desk", args=[event.ref]),),
        *(reverse("scoring:scoresheet", args=[match.ref]) for match in matches),
        *(reverse("scoring:match", args=[match.ref]) for match in matches),
    }


# The events ------------------------------------------------------------------------------------------


def announced() -> Occasion:
    """Entries are open, with a waiting list, an invitation, a ruling and a conduct report."""
    event = an_event(3, terms=FlightTerms(Fees(500, 1000, 90), capacity=2))
    director, ana, ben = member(event.club, Role.DIRECTOR), member(event.club), member(event.club)
    enter(flight=with_doubles(event), players=[ben.player, ana.player], user=ben, own=True)
    rule_on(event=event, user=director, happened="The dice were cocked.", decision="Roll again.")
    report_conduct(event=event, about=[ben.player], text="Late again.", user=director)
    make_tables(event=event, last=2, user=director)
    return Occasion(event, director, ana)


def played() -> Occasion:
    """A knockout with matches called, begun and reported, and somebody who has left."""
    event = an_event(16, terms=FlightTerms(Fees(500, 1000, 90)))
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    make_tables(event=event, last=4, user=director)
    called, begun, told, mine, left, *_others = open_pairings(stage)
    for row in (called, begun, mine):
        call(pairing=row, user=director)
    start(pairing=begun, user=director)
    report_result(pairing=told, decision=DirectedResult("white", (3, 0)), user=director)
    leave(entrant=left.a, user=director)
    return Occasion(event, director, a_login(mine.a))


def waiting_for_a_yes() -> Occasion:
    match, black = reported()
    event = Event.objects.get(flights__stages__pairings__boards__match=match)
    return Occasion(event, member(event.club, Role.DIRECTOR), black)


def a_round_that_waits() -> Occasion:
    stage, director, rows = a_swiss()
    for row in rows:
        win(row, director)
    return Occasion(stage.flight.event, director, a_login(rows[0].a))


def a_tie_of_teams() -> Occasion:
    pairing, director = a_tie(size=4, duplicate_dice=True)
    return Occasion(pairing.stage.flight.event, director, a_login(pairing.a))


def a_league() -> Occasion:
    """A time is proposed to the entrant."""
    row = open_pairings(league("Ana", "Ben"))[0]
    theirs = EntrantRow.objects.with_players().get(pk=other_side(row).pk)
    event = row.stage.flight.event
    propose_date(pairing=row, entrant=theirs, at=now() + timedelta(days=2))
    return Occasion(event, member(event.club, Role.DIRECTOR), a_login(row.a))


def a_ladder() -> Occasion:
    stage = league("Ana", "Ben", "Cleo", stage=StagePlan("Ladder", "ladder", LadderOptions(reach=2), 3))
    event = stage.flight.event
    director, last = member(event.club, Role.DIRECTOR), stage.numbers.order_by("-number")[0].entrant
    for row in open_pairings(stage):
        win(row, director)
    return Occasion(event, director, a_login(last))


def groups_that_are_over() -> Occasion:
    """The field of the cup is complete and not confirmed."""
    event = announce(
        club=ClubFactory.create(), plan=EventPlan("Groups", now() + timedelta(hours=1), (GROUPS,))
    )
    director = member(event.club, Role.DIRECTOR)
    users = [member(event.club) for _each in range(6)]
    for user in users:
        enter(flight=flight_of(event), players=[user.player])
    draw_stage(stage=StageRow.objects.get(flight__event=event, position=1), user=director)
    open_rows = PairingRow.objects.filter(stage__flight__event=event, state="open")
    while rows := list(open_rows.select_related("stage__flight__event__club", "a", "b")):
        for row in rows:
            win(row, director, a=row.a_id < (row.b_id or 0))
    return Occasion(event, director, users[0])


def over() -> Occasion:
    """Of two flights one is played and its prizes are written down."""
    event = an_event(8, format_key="last_chance", terms=FlightTerms(Fees(entry=1001), percentages=(60, 40)))
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    entrant = a_login(open_pairings(stage)[0].a)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    approve_prizes(flight=flight_of(event))
    return Occasion(event, director, entrant)


OCCASIONS: dict[Callable[[], Occasion], set[str]] = {
    announced: {
        *(
            "tournaments:answer",
            "tournaments:cancel_flight",
            "tournaments:change_table",
            "tournaments:check_in",
        ),
        *("tournaments:conduct", "tournaments:draw_one", "tournaments:enter", "tournaments:enter_players"),
        *("tournaments:edit_entry", "tournaments:leave", "tournaments:ruling", "tournaments:undo"),
    },
    played: {
        *("tournaments:call_all", "tournaments:disqualify", "tournaments:edit_entry", "tournaments:late"),
        *("tournaments:pairing_action", "tournaments:penalty", "tournaments:redraw", "tournaments:result"),
        *("api:call_ready", "api:pairing_desk", "api:pairing_report", "api:penalties"),
    },
    waiting_for_a_yes: {"api:confirmations", "scoring:confirm"},
    a_round_that_waits: {"tournaments:reopen", "tournaments:round"},
    a_tie_of_teams: {"tournaments:line_up"},
    a_league: {"tournaments:meeting_time"},
    a_ladder: {"tournaments:challenge"},
    groups_that_are_over: {"tournaments:declined", "tournaments:field"},
    over: {
        *("tournaments:approve", "tournaments:deal", "tournaments:paid", "tournaments:prizes"),
        *("tournaments:copy", "tournaments:shares"),
    },
}
"""What each of them must offer before it moves, among others."""


@pytest.fixture(autouse=True)
def _no_warnings_of_what_is_refused() -> Iterator[None]:
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def in_turn() -> Iterator[ParameterSet]:
    """The long run has them all."""
    for occasion in OCCASIONS:
        marks = [] if occasion is played else [pytest.mark.long]
        yield pytest.param(occasion, id=occasion.__name__, marks=marks)


@pytest.mark.parametrize("occasion", list(in_turn()))
def test_what_is_offered_here_is_not_offered_while_the_event_is_on_another_machine(occasion):
    event, director, entrant = occasion()
    viewers = {"director": director, "member": member(event.club), "entrant": entrant}
    clients = {name: signed_in(user) for name, user in viewers.items() if name in LOOKING}
    pages: dict[str, set[str]] = {}
    offered: set[str] = set()
    for viewer, client in clients.items():
        found = list(walked(client, beginnings(event)))
        pages[viewer] = {address for address, _status, _offers in found}
        offered = offered.union(*(offers.refused_when_moved() for _address, _status, offers in found))
    assert offered >= OCCASIONS[occasion]
    move_away(event=event, to="Ana’s laptop", user=director)
    wrong = set()
    for viewer, client in clients.items():
        for address, status, offers in walked(client, pages[viewer] | beginnings(event)):
            wrong |= {(viewer, name_of(address), status, each) for each in offers.refused_when_moved()}
    assert sorted(wrong) == []


def test_the_sheet_of_a_match_that_is_on_another_machine_is_read_only_for_programs_too():
    event, director, black = waiting_for_a_yes()
    match = Match.objects.get(board__pairing__stage__flight__event=event, status="finished")
    address = reverse("api:sheet", args=[match.ref])
    clients = [signed_in(user) for user in (director, black)]
    before = [client.get(address).json() for client in clients]
    assert [each["may_write"] for each in before] == [True, True]
    assert [each["result"]["may_confirm"] for each in before] == [True, True]
    move_away(event=event, to="Ana’s laptop", user=director)
    for client, told in zip(clients, before, strict=True):
        now_told = client.get(address).json()
        assert (now_told["may_write"], now_told["actions"]) == (False, [])
        assert (now_told["result"]["may_confirm"], now_told["result"]["may_dispute"]) == (False, False)
        assert (now_told["writer"], now_told["lines"]) == (told["writer"], told["lines"])
        page = client.get(reverse("scoring:scoresheet", args=[match.ref])).content.decode()
        assert "This match was moved to another computer on" in page
        assert '"may_write": false' in page


def test_nothing_in_the_log_of_an_event_on_another_machine_can_be_undone():
    event, director, _entrant = announced()
    assert any(line.may_undo for line in event_log(event))
    move_away(event=event, to="Ana’s laptop", user=director)
    assert not any(line.may_undo for line in event_log(Event.objects.get(pk=event.pk)))
