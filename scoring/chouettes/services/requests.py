"""Reading requests to a chouette: entries, new players and corrections."""

from collections.abc import Mapping
from typing import Any

from scoring.chouettes.services.chouettes import TableEntry
from scoring.players.services.newcomers import Newcomer
from scoring.rules.chouette.events import ChouetteEvent, Joined, chouette_event_from_plain
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.sheets.services.entries import Entry, EntryRefused
from scoring.sheets.services.requests import field


def table_entries_in(body: Mapping[str, Any]) -> tuple[list[TableEntry], dict[str, Newcomer]]:
    """The entries of a body, and its new players by ref.

    A join event has the ref that the writer made up and, for a new player, ``name`` (a guest) or ``member``
    (the ref of one of the club's players). Raises EntryRefused with the index of an unreadable entry.
    """
    entries: list[TableEntry] = []
    newcomers: dict[str, Newcomer] = {}
    for at, plain in enumerate(field(body, "entries", list)):
        try:
            if not isinstance(plain, dict):
                raise InvalidValue("entry", "an entry is an object with key, kind and body")
            key, newcomer = field(plain, "key", str), _newcomer_in(plain)
            event = table_event_in(plain)
            if newcomer is not None and isinstance(event, Joined):
                newcomers[event.player] = newcomer
        except ScoringError as error:
            raise EntryRefused(at, error) from error
        entries.append(Entry(key, event))
    return entries, newcomers


def table_event_in(plain: Mapping[str, Any]) -> ChouetteEvent:
    """The event of ``{kind, body}``, without a join's new player.

    Raises InvalidValue.
    """
    kind, body = field(plain, "kind", str), field(plain, "body", dict, {})
    if kind == Joined.kind:
        body = {name: value for name, value in body.items() if name not in {"name", "member"}}
    return chouette_event_from_plain(kind, body)


def table_correction_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``correct`` in a body; the kind ``nothing`` deletes the event."""
    return {
        "after": field(body, "after", int),
        "key": field(body, "key", str),
        "seq": field(body, "seq", int),
        "event": table_event_in(body),
        "reason": field(body, "reason", str, ""),
        "cut": field(body, "cut", bool, default=False),
    }


def _newcomer_in(plain: Mapping[str, Any]) -> Newcomer | None:
    body = field(plain, "body", dict, {})
    if plain.get("kind") != Joined.kind or not ("name" in body or "member" in body):
        return None
    return Newcomer(name=field(body, "name", str, ""), ref=field(body, "member", str, ""))
