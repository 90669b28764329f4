"""The places of the site, five for each person, filled by the apps that have pages for them.

An app registers its entry in ``AppConfig.ready``; a place without an entry is not shown, so that every link
leads somewhere. Apps get ready from the bottom of the chain to its top: where two fill one place the higher
app wins, because a page lives in the highest app whose data it shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from django.urls import reverse
from django.utils.functional import Promise


class NavPlace(StrEnum):
    """A place of the navigation, in the order in which the bar shows them; the value names its icon."""

    NOW = "now"
    EVENTS = "events"
    CLUBS = "club"
    MATCHES = "matches"
    RATINGS = "ratings"
    ME = "me"
    SIGN_IN = "key"


@dataclass(frozen=True, slots=True)
class NavLink:
    """A link of the navigation.

    ``url_name`` takes no arguments. ``members_only`` hides the entry from visitors who are not signed in,
    ``visitors_only`` from everybody else: what a visitor looks for is a member's own.
    ``also`` lists further beginnings of paths that belong to this place, ``*`` standing for any part: ratings
    have ``("/players/", "/clubs/*/ratings/")``.
    """

    place: NavPlace
    label: str | Promise
    url_name: str
    members_only: bool = False
    visitors_only: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """An entry as one page shows it: ``current`` is what ``aria-current`` says, "" elsewhere."""

    icon: str
    label: str | Promise
    url: str
    current: str


_entries: dict[NavPlace, NavLink] = {}


def register(entry: NavLink) -> None:
    """Fill the entry's place, replacing that of an app further down the chain."""
    _entries[entry.place] = entry


def entries() -> list[NavLink]:
    """The registered entries in the order of the bar."""
    return [_entries[place] for place in NavPlace if place in _entries]


def links(path: str, *, signed_in: bool, given: Sequence[NavLink] | None = None) -> list[Link]:
    """The links for a page at ``path``; ``given`` replaces the registered entries.

    The entry whose address is the longest beginning of the path is current: "page" on the very address,
    "true" on the pages below it. The address "/" is the beginning of no other page.
    """
    shown = [
        entry
        for entry in (entries() if given is None else given)
        if not (entry.visitors_only if signed_in else entry.members_only)
    ]
    addresses = [reverse(entry.url_name) for entry in shown]
    best = max(
        (
            (len(start), address)
            for entry, address in zip(shown, addresses, strict=True)
            for start in (address, *entry.also)
            if path == start or (start != "/" and fnmatchcase(path, start + "*"))
        ),
        default=(0, ""),
    )[1]
    return [
        Link(entry.place.value, entry.label, address, _current(path, address) if address == best else "")
        for entry, address in zip(shown, addresses, strict=True)
    ]


def _current(path: str, address: str) -> str:
    return "page" if path == address else "true"
