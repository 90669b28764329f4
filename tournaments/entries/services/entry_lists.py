"""Import entries from a list (CSV): check every line, then enter all or none."""

import csv
import io
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.clubs.services.clubs import add_player, lock_club
from clubs.models import Club, Membership, Player, User
from clubs.models.person import sort_key
from clubs.people.search import members
from clubs.people.services.names import NameRefused
from scoring.models import Rating
from tournaments.entries.services.entries import enter, wrong_size
from tournaments.events.eligibility import Eligibility, eligibility_of, titled
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import EntrantMember, FeePayment, Flight

LONGEST_NAME = 100
MOST_LINES = 2000
PAYMENTS = {"": FeePayment.OPEN, **{value: FeePayment(value) for value in FeePayment.values}}


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A line of the list: players, payment and problems.

    ``new`` are names that are not in the club; ``fault`` prevents the entry; ``restriction`` is the entry
    restriction that excludes the players, which a director can override.
    """

    number: int
    names: tuple[str, ...]
    payment: FeePayment = FeePayment.OPEN
    known: tuple[Player | None, ...] = ()
    fault: str = ""
    restriction: str = ""

    @property
    def key(self) -> str:
        """Key of the line for ``admit``, independent of its position."""
        return " / ".join(_plain(name) for name in self.names)

    @property
    def new(self) -> tuple[str, ...]:
        """Names that become guests of the club."""
        return tuple(name for name, player in zip(self.names, self.known, strict=True) if player is None)


def read_list(*, flight: Flight, text: str) -> list[EntryLine]:
    """Read a list line by line without changing anything (four queries).

    A line has the names of the players and the payment, separated by semicolons, commas or tabs. Names match
    players of the club, ignoring case; others become guests. If the list is too long, the line after the last
    one read has a fault.
    """
    rows = _rows(text)
    by_name = _people_named(flight.event.club, {name for _number, cells in rows for name in cells})
    taken = {
        member.player_id: member.player.name
        for member in EntrantMember.objects.filter(flight=flight, active=True).select_related(
            "player__person"
        )
    }
    rule = _Rule.of(flight, [player.pk for players in by_name.values() for player in players])
    seen: set[str] = set()
    lines = []
    for number, cells in rows:
        line = _line(number, cells, by_name, flight)
        if not line.fault:
            line = _checked(line, taken, seen)
            line = replace(line, restriction=rule.judge(line))
        seen |= {_plain(name) for name in line.names}
        lines.append(line)
    if len(lines) > MOST_LINES:
        fault = _("A list has at most %(most)s entries. Import the rest separately.") % {"most": MOST_LINES}
        lines[-1] = replace(lines[-1], fault=fault)
    return lines


@dataclass(frozen=True, slots=True)
class _Rule:
    """The entry restrictions, with ratings and titles of players (by key)."""

    rule: Eligibility
    ratings: Mapping[int, float]
    titles: Mapping[int, int | None]

    @classmethod
    def of(cls, flight: Flight, players: Collection[int]) -> "_Rule":
        club = flight.event.club
        ratings = Rating.objects.filter(list__club=club, list__name="", player__in=players)
        titles = Membership.objects.in_club(club).filter(player__in=players).exclude(title=None)
        return cls(
            eligibility_of(flight.eligibility),
            dict(ratings.values_list("player_id", "value")),
            dict(titles.values_list("player_id", "title")),
        )

    def judge(self, line: EntryLine) -> str:
        """The restriction that excludes the players of a line; empty if none does."""
        known = [player for player in line.known if player is not None]
        values = [self.ratings[player.pk] for player in known if player.pk in self.ratings]
        rating = sum(values) / len(values) if values else None
        players = [
            (name if player is None else player.name, titled(self.titles.get(player.pk) if player else None))
            for name, player in zip(line.names, line.known, strict=True)
        ]
        return self.rule.keeps_out(rating, players)


def enter_list(
    *,
    flight: Flight,
    text: str,
    user: User | None = None,
    override: bool = False,
    admit: Collection[str] = (),
) -> int:
    """Enter all lines of a list, unknown names as guests.

    Returns the number of entries.

    A director can override the entry restrictions for the lines with a key in ``admit``, or with ``override``
    for all; the event's log lists them. Raises DeskRefused for the first line that cannot be entered; then
    nothing is entered.
    """
    with transaction.atomic():
        Flight.objects.select_for_update(no_key=True).get(pk=flight.pk)
        lines = read_list(flight=flight, text=text)
        if not lines:
            raise DeskRefused(_("The list is empty."), code="nobody")
        if any(line.new for line in lines):
            # Before the first log entry: a club is locked before its events.
            lock_club(flight.event.club)
        admitted: list[str] = []
        for line in lines:
            if line.fault:
                raise _refused(line.number, line.fault)
            try:
                players = [
                    player or add_player(club=flight.event.club, name=name).player
                    for name, player in zip(line.names, line.known, strict=True)
                ]
            except NameRefused as refused:
                raise _refused(line.number, str(refused)) from refused
            try:
                enter(flight=flight, players=players, user=user, payment=line.payment)
            except DeskRefused as refused:
                if refused.code != "not_eligible" or not (override or line.key in admit):
                    raise _refused(line.number, str(refused)) from refused
                entrant = enter(
                    flight=flight, players=players, user=user, payment=line.payment, override=True
                )
                admitted.append(entrant.ref)
        if admitted:
            note(event=flight.event, kind="admitted", user=user, flight=flight.ref, entrants=admitted)
        note(event=flight.event, kind="list_entered", user=user, flight=flight.ref, entries=len(lines))
    return len(lines)


def _people_named(club: Club, names: Collection[str]) -> Mapping[str, list[Player]]:
    """Players of the club with these names, ignoring case (one query)."""
    found: dict[str, list[Player]] = defaultdict(list)
    wanted = {sort_key(name) for name in names if len(name) <= LONGEST_NAME}
    for player in members(club).filter(person__sort_key__in=wanted).with_person().order_by("pk"):
        found[_plain(player.name)].append(player)
    return found


def _refused(number: int, reason: str) -> DeskRefused:
    return DeskRefused(_("Line %(number)s: %(reason)s") % {"number": number, "reason": reason}, code="line")


def _rows(text: str) -> list[tuple[int, list[str]]]:
    first = text.lstrip("\ufeff\n\r ").split("\n", 1)[0]
    delimiter = next((each for each in (";", "\t", ",") if each in first), ";")
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter, strict=False)
    rows = [(number, [cell.strip() for cell in cells]) for number, cells in enumerate(reader, 1)]
    return [(number, cells) for number, cells in rows if any(cells)][: MOST_LINES + 1]


def _line(number: int, cells: list[str], by_name: Mapping[str, list[Player]], flight: Flight) -> EntryLine:
    places = flight.team_size or 2
    names, rest = tuple(filter(None, cells[:places])), cells[places:]
    payment = FeePayment.OPEN
    # A single player's line may continue with the payment.
    if len(names) > 1 and flight.team_size is None and not _is_name(names[-1], names[0], by_name):
        names, rest = names[:-1], [names[-1]]
    fault = ""
    if not names:
        fault = _("The name is missing.")
    elif flight.team_size is not None and len(names) != places:
        fault = wrong_size(places, len(names))
    elif any(len(name) > LONGEST_NAME for name in names):
        fault = _("A name has at most %(most)s characters.") % {"most": LONGEST_NAME}
    elif rest and rest[0].lower() not in PAYMENTS:
        known = ", ".join(value for value in FeePayment.values if value != FeePayment.OPEN)
        fault = _("“%(word)s” is not a payment method. Use one of these: %(known)s.") % {
            "word": rest[0],
            "known": known,
        }
    else:
        payment = PAYMENTS[rest[0].lower()] if rest else FeePayment.OPEN
    alike = [by_name.get(_plain(name), []) for name in names]
    if not fault:
        several = [name for name, players in zip(names, alike, strict=True) if len(players) > 1]
        if several:
            fault = _("The club has several players named %(name)s. Enter this one by hand.") % {
                "name": several[0]
            }
    return EntryLine(number, names, payment, tuple(found[0] if found else None for found in alike), fault)


def _is_name(word: str, first: str, by_name: Mapping[str, list[Player]]) -> bool:
    """Whether a word after the first name is a partner's name."""
    if word.lower() in PAYMENTS:
        return False
    return bool(by_name.get(_plain(word))) or " " in word or first.islower() or not word.islower()


def _checked(line: EntryLine, taken: dict[int, str], seen: set[str]) -> EntryLine:
    plain = [_plain(name) for name in line.names]
    fault = ""
    if len(set(plain)) < len(plain) or seen & set(plain):
        twice = next((name for name in line.names if _plain(name) in seen), line.names[0])
        fault = _("%(name)s is on the list twice.") % {"name": twice}
    for player in line.known:
        if player is not None and player.pk in taken:
            fault = _("%(name)s is already in this event.") % {"name": taken[player.pk]}
    return replace(line, fault=fault)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
