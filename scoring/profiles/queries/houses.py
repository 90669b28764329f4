"""House rules available to a club's chouettes."""

from dataclasses import dataclass

from clubs.models import Club
from scoring.models import HouseRules
from scoring.profiles.queries.house_words import HouseInWords, house_in_words
from scoring.rules.chouette.options import HOUSES, ChouetteOptions
from scoring.rules.chouette.session_state import SessionState, rules_digest
from scoring.rules.codec import from_plain
from scoring.rules.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class House:
    """Named house rules. ``title`` is the club's, empty for built-in ones."""

    name: str
    options: ChouetteOptions
    title: str = ""


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules a new player agrees to.

    Current ones, announced ones, and the digest of both.
    """

    house: HouseInWords
    announced: HouseInWords | None
    digest: str


BUILT_IN = {
    name.replace("_", "-"): House(name.replace("_", "-"), options) for name, options in HOUSES.items()
}


def houses_of(club: Club) -> list[House]:
    """House rules for new tables.

    Built-in ones, then the club's by name, none retired (one query).
    """
    return [*BUILT_IN.values(), *(house_of(row) for row in own_houses(club) if row.retired_at is None)]


def own_houses(club: Club) -> list[HouseRules]:
    """The club's house rules by name, retired ones included (one query)."""
    return list(HouseRules.objects.in_club(club).order_by("name"))


def house_of(row: HouseRules) -> House:
    """House rules from their row."""
    return House(row.name, options_from_plain(row.values), row.title)


def rules_at(club: Club, state: SessionState) -> TableRules:
    """A table's rules in words (one query)."""
    titles = {row.name: row.title for row in own_houses(club)}
    house = house_in_words(state.name, titles.get(state.name, ""), state.options)
    coming, announced = state.announced, None
    if coming is not None:
        announced = house_in_words(coming.name, titles.get(coming.name, ""), coming.options)
    return TableRules(house, announced, rules_digest(state))


def options_from_plain(plain: object) -> ChouetteOptions:
    """House rules from plain data, with defaults for missing options.

    Raises InvalidValue.
    """
    return from_plain(ChouetteOptions, plain, where="house")


def house_named(club: Club, name: str) -> House:
    """The house rules of this name, for a new table.

    Raises InvalidValue for unknown or retired ones.
    """
    houses = {house.name: house for house in houses_of(club)}
    if name in houses:
        return houses[name]
    known = ", ".join(houses)
    raise InvalidValue(
        "house_name", "this club has no house rules {name!r}: choose from {known}", name=name, known=known
    )
