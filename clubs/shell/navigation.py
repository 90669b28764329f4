"""The navigation: five places, filled by the apps that have pages for them.

An app registers its entry in ``AppConfig.ready``; a place without an entry is hidden. Apps get ready from
the bottom of the chain to its top: where two fill one place the higher app wins, because a page belongs to
the highest app whose data it shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from django.urls import reverse
from django.utils.functional import Promise


class NavPlace(StrEnum):
    """A place of the navigation, in order; the value names its icon."""

    NOW = "now"
    EVENTS = "events"
    CLUBS = "club"
    MATCHES = "matches"
    RATINGS = "ratings"
    ME = "me"
    SIGN_IN = "key"


@dataclass(frozen=True, slots=True)
class NavLink:
    """An entry of the navigation.

    ``url_name`` takes no arguments. ``members_only`` hides the entry from visitors who are not signed in,
    ``visitors_only`` from everyone else. ``also`` lists further path prefixes that belong to this place,
    with ``*`` for any part: ratings have ``("/players/", "/clubs/*/ratings/")``.
    """

    place: NavPlace
    label: str | Promise
    url_name: str
    members_only: bool = False
    visitors_only: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """An entry on one page: ``current`` is its ``aria-current``, "" elsewhere."""

    icon: str
    label: str | Promise
    url: str
    current: str


_entries: dict[NavPlace, NavLink] = {}


def register(entry: NavLink) -> None:
    """Fill a place, replacing the entry of a lower app."""
    _entries[entry.place] = entry


def entries() -> list[NavLink]:
    """The registered entries, in order."""
    return [_entries[place] for place in NavPlace if place in _entries]


def links(path: str, *, signed_in: bool, given: Sequence[NavLink] | None = None) -> list[Link]:
    """The links for a page at ``path``; ``given`` replaces the registered entries.

    The entry whose address is the longest prefix of the path is current: "page" on its own address, "true"
    below it. The address "/" is a prefix of no other page.
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
