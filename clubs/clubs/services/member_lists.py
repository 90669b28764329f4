"""Add a pasted list of players to a club: what each row would do, and doing it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.clubs.services.clubs import ClubRefused, add_player, lock_club
from clubs.lists.cells import SAMPLES, CellTable, read_cells
from clubs.lists.columns import NAMES, Field, guess_columns, has_headings, names_in
from clubs.lookalikes import skeleton
from clubs.models import Club, Role
from clubs.models.person import NAME_LENGTH, sort_key
from clubs.people.listed_names import look_alikes, players_named
from clubs.people.services.names import NameRefused, checked_name

FIELDS: tuple[Field, ...] = ("", "name", "first", "last")
"""What a column of such a list can be."""
MOST_LINES = 500
MOST_COLUMNS = 40


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A row of the list: a name, whether the club has it already, and what speaks against it."""

    number: int
    name: str
    known: bool = False
    fault: str = ""

    @property
    def state(self) -> Literal["problem", "known", "new"]:
        """What the row would do."""
        if self.fault:
            return "problem"
        return "known" if self.known else "new"


@dataclass(frozen=True, slots=True)
class ReadMembers:
    """A list as it was read: its lines, and the columns with their headings and samples."""

    lines: tuple[MemberLine, ...]
    fields: tuple[Field, ...]
    headed: bool
    headings: tuple[str, ...]
    samples: tuple[tuple[str, ...], ...]

    @property
    def nameless(self) -> str:
        """What to say if no column has the names; empty if one has."""
        if not self.lines or NAMES.intersection(self.fields):
            return ""
        return _("No column has the names. Choose “Name” for the one that has.")


@dataclass(frozen=True, slots=True)
class AddedMembers:
    """How many rows were added, were in the club before, and were left out."""

    added: int
    before: int
    left_out: int


def read_members(
    *, club: Club, text: str, columns: Sequence[str] | None = None, headed: bool | None = None
) -> ReadMembers:
    """Read a list without changing anything (at most two queries).

    ``columns`` are ``FIELDS``, by default those recognised; other columns are left out. Names match players
    of the club, ignoring case and accents. If the list is too long, the line after the last one read has a
    fault.
    """
    table = read_cells(text, most=MOST_LINES + 2)
    guess = guess_columns(table)
    fields = tuple(each if each in FIELDS else "" for each in guess.fields[:MOST_COLUMNS])
    if columns is not None and len(columns) == len(fields) and all(each in FIELDS for each in columns):
        known = {str(each): each for each in FIELDS}
        fields = tuple(known[each] for each in columns)
    is_headed = has_headings(table) if headed is None else headed
    rows = table.rows[1:] if is_headed else table.rows
    body = CellTable(rows)
    lines = _lines(club, [(row.number, " ".join(names_in(row, fields))) for row in rows[: MOST_LINES + 1]])
    if len(lines) > MOST_LINES:
        fault = _("A list has at most %(most)s players. Add the rest separately.") % {"most": MOST_LINES}
        lines[-1] = replace(lines[-1], fault=fault, known=False)
    return ReadMembers(
        tuple(lines),
        fields,
        is_headed,
        tuple(table.rows[0].cells[: len(fields)]) if is_headed and table.rows else (),
        tuple(tuple(body.column(at)[:SAMPLES]) for at in range(len(fields))),
    )


def add_members(
    *,
    club: Club,
    text: str,
    role: Role = Role.GUEST,
    columns: Sequence[str] | None = None,
    headed: bool | None = None,
    leave_out: Collection[int] = (),
) -> AddedMembers:
    """Add the new players of a list as guests or members without an account.

    Who is in the club already stays as they are, so that a list sent twice adds nobody twice. Raises
    ClubRefused for the first row that cannot be added; then nobody is added.
    """
    with transaction.atomic():
        locked = lock_club(club)
        read = read_members(club=locked, text=text, columns=columns, headed=headed)
        if not read.lines:
            raise ClubRefused(_("The list is empty."))
        if read.nameless:
            raise ClubRefused(read.nameless)
        lines = [line for line in read.lines if line.number not in leave_out]
        for line in lines:
            if line.fault:
                raise _refused(line, line.fault)
        new = [line for line in lines if not line.known]
        for line in new:
            try:
                add_player(club=locked, name=line.name, role=role)
            except NameRefused as refused:
                raise _refused(line, str(refused)) from refused
    return AddedMembers(len(new), len(lines) - len(new), len(read.lines) - len(lines))


def _refused(line: MemberLine, fault: str) -> ClubRefused:
    return ClubRefused(_("Line %(number)s: %(reason)s") % {"number": line.number, "reason": fault})


def _lines(club: Club, rows: Sequence[tuple[int, str]]) -> list[MemberLine]:
    names = {name for _number, name in rows}
    by_name = players_named(club, names)
    alike = look_alikes(club, {name for name in names if sort_key(name) not in by_name})
    seen: set[str] = set()
    looks: dict[str, str] = {}
    found = []
    for number, name in rows:
        known = sort_key(name) in by_name
        fault = _fault(name, seen, looks, {} if known else alike)
        found.append(MemberLine(number, name, known and not fault, fault))
        seen.add(sort_key(name))
        looks.setdefault(skeleton(name), name)
    return found


def _fault(name: str, seen: Collection[str], looks: Mapping[str, str], alike: Mapping[str, str]) -> str:
    """What speaks against a name; empty if nothing does.

    ``seen`` are the sort keys of the names before it, ``looks`` those names by their skeletons, ``alike`` the
    names of the club that names of the list look like.
    """
    if not name:
        return _("The name is missing.")
    if len(name) > NAME_LENGTH:
        return _("A name has at most %(most)s characters.") % {"most": NAME_LENGTH}
    try:
        checked_name(name)
    except NameRefused as refused:
        return str(refused)
    if sort_key(name) in seen:
        return _("%(name)s is on the list twice.") % {"name": name}
    if name in alike:
        return _("%(name)s looks like the member %(other)s. Correct the name, or add a town to it.") % {
            "name": name,
            "other": alike[name],
        }
    if other := looks.get(skeleton(name)):
        return _("%(name)s looks like %(other)s on this list. Correct the name, or add a town to it.") % {
            "name": name,
            "other": other,
        }
    return ""
