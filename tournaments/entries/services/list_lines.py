"""Read a pasted list of entries: what each column is, and what each row would do."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from django.utils.translation import gettext as _

from clubs.currency import minor_digits
from clubs.formats.money import money
from clubs.lists.cells import SAMPLES, CellRow, CellTable, read_cells
from clubs.lists.columns import NAMES, names_in
from clubs.lists.values import fee_in, folded
from clubs.models import Membership, Player
from clubs.models.person import NAME_LENGTH, sort_key
from clubs.people.listed_names import look_alikes, players_named
from scoring.models import Rating
from tournaments.core.prizes.dues import price
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import Fees
from tournaments.entries.services.entries import EntryDetails, check_pools, wrong_size
from tournaments.entries.services.list_columns import ChosenColumns, choose_columns
from tournaments.entries.services.list_values import (
    RowFault,
    club_in,
    email_in,
    pools_in,
    rating_in,
    seed_in,
)
from tournaments.events.eligibility import eligibility_of, pools_of, titled
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantMember, Event, FeePayment, Flight

LONGEST_NAME = NAME_LENGTH
MOST_LINES = 2000


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A row of the list: players, division, fees and problems.

    ``fault`` prevents the entry; ``restriction`` is the entry restriction that excludes the players, which a
    director can override; ``entered`` says that exactly these players are in the division.
    """

    number: int
    names: tuple[str, ...]
    flight: Flight
    payment: FeePayment = FeePayment.OPEN
    pools: tuple[str, ...] = ()
    details: EntryDetails = field(default_factory=EntryDetails)
    known: tuple[Player | None, ...] = ()
    fault: str = ""
    restriction: str = ""
    entered: bool = False

    @property
    def key(self) -> str:
        """Key of the line for ``admit``, independent of its position."""
        return " / ".join(_plain(name) for name in self.names)

    @property
    def new(self) -> tuple[str, ...]:
        """Names that become guests of the club."""
        return tuple(name for name, player in zip(self.names, self.known, strict=True) if player is None)

    @property
    def state(self) -> Literal["problem", "entered", "known", "new"]:
        """What the row would do."""
        if self.entered:
            return "entered"
        if self.fault or self.restriction:
            return "problem"
        return "new" if self.new else "known"


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list as it was read: its lines, and the columns with their headings and samples."""

    lines: tuple[EntryLine, ...]
    columns: ChosenColumns
    samples: tuple[tuple[str, ...], ...] = ()

    @property
    def nameless(self) -> str:
        """What to say if no column has the names; empty if one has."""
        if not self.lines or NAMES.intersection(self.columns.fields):
            return ""
        return _("No column has the names. Choose “Name” for the one that has.")


def read_list(
    *,
    flight: Flight,
    text: str,
    columns: Sequence[str] | None = None,
    headed: bool | None = None,
    paid_by: FeePayment = FeePayment.CASH,
) -> ReadList:
    """Read a list without changing anything (a constant number of queries).

    ``columns`` are fields of ``clubs.lists.columns``, by default those that the club chose for
    such a list, or those recognised. Names match players of the club, ignoring case and accents; others
    become guests. Rows without a division are for ``flight``. If the list is too long, the line after the
    last one read has a fault.
    """
    table = read_cells(text, most=MOST_LINES + 2)
    flights = _flights(flight)
    chosen = choose_columns(table, flight, flights, asked=columns, headed=headed)
    rows = table.rows[1:] if chosen.headed else table.rows
    reader = _Reader.load(flight, flights, chosen, rows[: MOST_LINES + 1], paid_by)
    lines = reader.lines(rows[: MOST_LINES + 1])
    if len(lines) > MOST_LINES:
        fault = _("A list has at most %(most)s entries. Import the rest separately.") % {"most": MOST_LINES}
        lines[-1] = replace(lines[-1], fault=fault, entered=False)
    body = CellTable(rows)
    return ReadList(
        lines=tuple(lines),
        columns=chosen,
        samples=tuple(tuple(body.column(at)[:SAMPLES]) for at in range(len(chosen.fields))),
    )


def _flights(flight: Flight) -> list[Flight]:
    """The divisions of the event (one query), with the event and club of this one."""
    found = list(Flight.objects.filter(event=flight.event_id).order_by("position"))
    for each in found:
        each.event = flight.event
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    """What the rows are compared with: players, entries, ratings and titles of the club."""

    flight: Flight
    divisions: Mapping[str, Flight]
    columns: ChosenColumns
    by_name: Mapping[str, list[Player]]
    alike: Mapping[str, str]
    entered: Mapping[tuple[int, int], tuple[int, str]]
    teams: Mapping[int, frozenset[int]]
    ratings: Mapping[int, float]
    titles: Mapping[int, int | None]
    paid_by: FeePayment
    digits: int

    @classmethod
    def load(
        cls,
        flight: Flight,
        flights: Sequence[Flight],
        columns: ChosenColumns,
        rows: Sequence[CellRow],
        paid_by: FeePayment,
    ) -> "_Reader":
        event = flight.event
        names = {name for row in rows for name in names_in(row, columns.fields)}
        by_name = players_named(event.club, names)
        entered, teams = _entered(event)
        players = [player.pk for found in by_name.values() for player in found]
        ratings = Rating.objects.filter(list__club=event.club_id, list__name="", player__in=players)
        titles = Membership.objects.in_club(event.club).filter(player__in=players).exclude(title=None)
        return cls(
            flight,
            {folded(each.name): each for each in flights if each.name},
            columns,
            by_name,
            look_alikes(event.club, {name for name in names if sort_key(name) not in by_name}),
            entered,
            teams,
            dict(ratings.values_list("player_id", "value")),
            dict(titles.values_list("player_id", "title")),
            paid_by,
            minor_digits(event.club.currency),
        )

    def lines(self, rows: Sequence[CellRow]) -> list[EntryLine]:
        seen: set[str] = set()
        found = []
        for row in rows:
            line = self._checked(self._read(row), seen)
            seen |= {sort_key(name) for name in line.names}
            found.append(line)
        return found

    def _read(self, row: CellRow) -> EntryLine:
        """The values of a row; the first that cannot be read is the fault."""
        cells: dict[str, list[tuple[str, str]]] = defaultdict(list)
        headings = [*self.columns.headings, *[""] * len(self.columns.fields)]
        for name, cell, heading in zip(self.columns.fields, row.cells, headings, strict=False):
            if name and cell:
                cells[name].append((cell, heading))
        names = names_in(row, self.columns.fields)
        # In a list without headings a single player's line can go on with the payment.
        if len(names) > 1 and self.flight.team_size is None and not self.columns.headed:
            last = cells["name"][-1][0]
            if not _is_name(last, names[0], self.by_name):
                names, cells["fee"] = names[:-1], [(last, ""), *cells["fee"]]
        line = EntryLine(row.number, tuple(names), self.flight)
        try:
            return self._with_values(line, {name: found for name, found in cells.items() if found})
        except RowFault as fault:
            return replace(line, known=self._known(names), fault=str(fault))

    def _known(self, names: Sequence[str]) -> tuple[Player | None, ...]:
        found = [self.by_name.get(sort_key(name), []) for name in names]
        return tuple(players[0] if len(players) == 1 else None for players in found)

    def _with_values(self, line: EntryLine, cells: Mapping[str, list[tuple[str, str]]]) -> EntryLine:
        text = {name: found[0][0] for name, found in cells.items()}
        flight = self._division(text.get("division", ""))
        line = replace(line, flight=flight, known=self._known(line.names))
        _check_names(line, self.by_name, self.alike)
        rating = rating_in(text["rating"]) if "rating" in text else None
        pools = pools_in(cells.get("pools", []), [pool.key for pool in pools_of(flight.pools)])
        shown = rating if rating is not None else self._rating_of(line)
        try:
            check_pools(flight, shown, pools)
        except (DeskRefused, PrizeRefused) as refused:
            raise RowFault(str(refused)) from refused
        payment, outstanding = self._fees(flight, pools, text.get("fee", ""))
        details = EntryDetails(
            rating=rating,
            seed=seed_in(text["seed"]) if "seed" in text else None,
            from_club=club_in(text.get("club", "")),
            email=email_in(text.get("email", "")),
            outstanding=outstanding,
        )
        return replace(line, payment=payment, pools=tuple(pools), details=details)

    def _division(self, text: str) -> Flight:
        if not text:
            return self.flight
        found = self.divisions.get(folded(text))
        if found is None:
            known = ", ".join(each.name for each in self.divisions.values())
            raise RowFault(
                _("There is no division “%(name)s”. Use one of these: %(known)s.")
                % {"name": text, "known": known}
            )
        return found

    def _fees(self, flight: Flight, pools: Sequence[str], text: str) -> tuple[FeePayment, int]:
        """How the fees were paid, and what of them is outstanding."""
        said = fee_in(text)
        if said is None:
            known = ", ".join(value for value in FeePayment.values if value != FeePayment.OPEN)
            raise RowFault(
                _("“%(word)s” is not a payment. Use an amount or one of these: yes, %(known)s.")
                % {"word": text, "known": known}
            )
        if said.amount is None:
            return self.paid_by if said.payment == "paid" else FeePayment(said.payment), 0
        fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
        due = price(fees, pools_of(flight.pools), pools)
        amount = said.amount.scaleb(self.digits)
        if amount != int(amount) or amount > due:
            currency = flight.event.club.currency
            raise RowFault(
                _("The fees are %(due)s, not %(amount)s. Correct the amount or the side pools.")
                % {"due": money(due, currency), "amount": text}
            )
        return self.paid_by, due - int(amount)

    def _rating_of(self, line: EntryLine) -> float | None:
        known = [player for player in line.known if player is not None]
        values = [self.ratings[player.pk] for player in known if player.pk in self.ratings]
        return sum(values) / len(values) if values else None

    def _checked(self, line: EntryLine, seen: Collection[str]) -> EntryLine:
        """The line with what speaks against it: twice on the list, entered already, a restriction."""
        keys = [sort_key(name) for name in line.names]
        if len(set(keys)) < len(keys) or set(keys) & set(seen):
            twice = next((name for name in line.names if sort_key(name) in seen), line.names[0])
            return replace(line, fault=_("%(name)s is on the list twice.") % {"name": twice})
        places = [self.entered.get((line.flight.pk, player.pk)) for player in line.known if player]
        here = [place for place in places if place is not None]
        if here:
            team = self.teams[here[0][0]]
            if len(places) == len(line.known) and team == {player.pk for player in line.known if player}:
                return replace(line, entered=True, fault="")
            return replace(line, fault=_("%(name)s is already in this event.") % {"name": here[0][1]})
        if line.fault:
            return line
        return replace(line, restriction=self._judge(line))

    def _judge(self, line: EntryLine) -> str:
        """The restriction that excludes the players of a line; empty if none does."""
        rating = self._rating_of(line) if line.details.rating is None else line.details.rating
        players = [
            (name if player is None else player.name, titled(self.titles.get(player.pk) if player else None))
            for name, player in zip(line.names, line.known, strict=True)
        ]
        return eligibility_of(line.flight.eligibility).keeps_out(rating, players)


def _check_names(line: EntryLine, by_name: Mapping[str, list[Player]], alike: Mapping[str, str]) -> None:
    places = line.flight.team_size
    if not line.names:
        raise RowFault(_("The name is missing."))
    if places is not None and len(line.names) != places:
        raise RowFault(wrong_size(places, len(line.names)))
    for name in line.names:
        if len(name) > LONGEST_NAME:
            raise RowFault(_("A name has at most %(most)s characters.") % {"most": LONGEST_NAME})
        if len(by_name.get(sort_key(name), [])) > 1:
            raise RowFault(
                _("The club has several players named %(name)s. Enter this one by hand.") % {"name": name}
            )
        if name in alike:
            raise RowFault(
                _("%(name)s looks like the member %(other)s. Correct the name, or add a town to it.")
                % {"name": name, "other": alike[name]}
            )


def _entered(event: Event) -> tuple[dict[tuple[int, int], tuple[int, str]], dict[int, frozenset[int]]]:
    """Entrants by flight and player, with the player's name; and the players of each (one query)."""
    rows = EntrantMember.objects.filter(flight__event=event, active=True).select_related("player__person")
    entered: dict[tuple[int, int], tuple[int, str]] = {}
    teams: defaultdict[int, set[int]] = defaultdict(set)
    for row in rows:
        entered[row.flight_id, row.player_id] = (row.entrant_id, row.player.name)
        teams[row.entrant_id].add(row.player_id)
    return entered, {pk: frozenset(players) for pk, players in teams.items()}


def _is_name(word: str, first: str, by_name: Mapping[str, Any]) -> bool:
    """Whether a word after the first name is a partner's name."""
    if fee_in(word) is not None:
        return False
    return sort_key(word) in by_name or " " in word or first.islower() or not word.islower()


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
