"""Two machines in one database: this one is put away while the test is on another, empty one."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management import call_command

from clubs.models import Club, Role, User
from tests.emptying import empty_tables
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event, drawn, pairing, win
from tournaments.core.prizes.pools import Fees
from tournaments.desk.services.rulings import appeal, decide_appeal, report_conduct, rule_on
from tournaments.events.services.events import FlightTerms
from tournaments.models import Event
from tournaments.transfer.services.event_files import digest_of
from tournaments.transfer.services.moves import bring_here, move_away

LAPTOP = "Ana's laptop"


def played(results: int = 2) -> tuple[Event, User]:
    """A knockout of four of whose matches some are played."""
    event = an_event(4, format_key="double", terms=FlightTerms(Fees(entry=1000)))
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for number in range(1, results + 1):
        win(pairing(stage, number), director)
    return event, director


def written() -> tuple[Event, User]:
    """An event with a ruling, its appeal, a conduct report, and results with reasons, by Dora."""
    event = an_event(4, format_key="double")
    dora = member(event.club, Role.DIRECTOR, name="Dora")
    stage = drawn(event)
    win(pairing(stage, 1), dora, reason="said at the desk")
    ruling = rule_on(event=event, user=dora, happened="A die fell.", decision="Roll again.", rule="4.2")
    committee = [member(event.club, name=f"Judge {number}").player for number in range(3)]
    appeal(event=event, ruling=ruling.seq, committee=committee, user=dora, reason="It was flat.")
    decide_appeal(event=event, ruling=ruling.seq, upheld=True, decision="It was not.", user=dora)
    report_conduct(event=event, about=committee[:1], text="Threw the cube.", user=dora)
    return Event.objects.get(), dora


def away(event: Event, user: User | None = None) -> str:
    """The file of an event that goes to another machine."""
    return move_away(event=event, to=LAPTOP, user=user)


def back(event: Event, text: str, user: User | None = None) -> Event:
    """The event after its file has been read where it is known."""
    return bring_here(club=event.club, text=text, user=user)


def elsewhere() -> Club:
    """Another installation: nothing is there but a club."""
    empty_tables()
    return ClubFactory.create()


@contextmanager
def another_machine(tmp_path: Path) -> Iterator[Club]:
    """An empty installation for a while; then this one is here again as it was."""
    kept = tmp_path / "home.xml"
    # JSON would cut the times to milliseconds.
    call_command("dumpdata", "clubs", "scoring", "tournaments", format="xml", output=str(kept), verbosity=0)
    yield elsewhere()
    empty_tables()
    call_command("loaddata", str(kept), verbosity=0)


def at_the_venue(tmp_path: Path, text: str, act: Callable[[Event, User], Any]) -> str:
    """The file that comes back from another machine, on which somebody has acted."""
    with another_machine(tmp_path) as club:
        vera = member(club, Role.DIRECTOR, name="Vera")
        there = bring_here(club=club, text=text, user=vera)
        act(there, vera)
        return away(Event.objects.get(), vera)


def altered(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """The file with a change, signed anew."""
    body = json.loads(text)
    change(body)
    body["digest"] = digest_of(body)
    return json.dumps(body)
