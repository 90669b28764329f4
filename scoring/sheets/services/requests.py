"""Parse requests into entries and corrections, with typed errors."""

from collections.abc import Mapping
from typing import Any, TypeVar

from scoring.log.queries.writers import Author
from scoring.models import Match
from scoring.rules.codec import check_text
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.rules.events import Event, Voided, event_from_plain
from scoring.sheets.services.clocks import pause_clock, press_clock, set_clock, start_clock
from scoring.sheets.services.entries import LONGEST_KEY, MOST_ENTRIES, Entry, EntryRefused

T = TypeVar("T")

_WITH_AUTHOR = frozenset({"ruling", "set_length"})


def field(body: Mapping[str, Any], name: str, kind: type[T], default: T | None = None) -> T:
    """One field of a body.

    Raises InvalidValue where it is missing (without a default), of another type, or a text that no database
    stores.
    """
    value = body.get(name, default)
    if type(value) is not kind:
        raise InvalidValue("field", "{name} must be a value of type {kind}", name=name, kind=kind.__name__)
    if isinstance(value, str):
        check_text(value, where=name)
    return value


def entries_in(body: Mapping[str, Any], author: Author) -> list[Entry[Event]]:
    """The entries of a body. Raises EntryRefused with the index of an invalid one."""
    entries = []
    for at, plain in enumerate(field(body, "entries", list)):
        try:
            if not isinstance(plain, dict):
                raise InvalidValue("entry", "an entry is an object with key, kind and body")
            entries.append(Entry(field(plain, "key", str), event_in(plain, author)))
        except ScoringError as error:
            raise EntryRefused(at, error) from error
    return entries


def keys_in(body: Mapping[str, Any]) -> list[str]:
    """The valid keys of a body's entries; ``entries_in`` reports the others."""
    entries = body.get("entries")
    found = (
        [each.get("key") for each in entries[:MOST_ENTRIES] if isinstance(each, dict)]
        if isinstance(entries, list)
        else []
    )
    return [key for key in found if isinstance(key, str) and len(key) <= LONGEST_KEY and key.isprintable()]


def event_in(plain: Mapping[str, Any], author: Author) -> Event:
    """The event of ``{kind, body}``; the author replaces any ``by`` in the body."""
    kind = field(plain, "kind", str)
    body = field(plain, "body", dict, {})
    if kind in _WITH_AUTHOR:
        body = {**body, "by": name_of(author)}
    return event_from_plain(kind, body)


def correction_in(body: Mapping[str, Any], author: Author) -> dict[str, Any]:
    """The arguments of ``correct`` in a body; the kind ``voided`` removes the event."""
    kind = field(body, "kind", str)
    event = Voided() if kind == Voided.kind else event_in(body, author)
    return {
        "after": field(body, "after", int),
        "key": field(body, "key", str),
        "seq": field(body, "seq", int),
        "event": event,
        "reason": field(body, "reason", str, ""),
        "cut": field(body, "cut", bool, default=False),
    }


def move_clock(match: Match, author: Author, body: Mapping[str, Any]) -> Match:
    """Apply ``{action, side, ago_ms}`` to the match's clock.

    Raises what ``scoring.sheets.services.clocks`` raises.
    """
    action = field(body, "action", str)
    ago = field(body, "ago_ms", int, 0)
    if action == "pause":
        return pause_clock(match=match, ago_ms=ago)
    if action == "set":
        white, black = field(body, "white_ms", int), field(body, "black_ms", int)
        return set_clock(match=match, author=author, white_ms=white, black_ms=black)
    if action not in {"press", "start"}:
        raise InvalidValue("clock_action", "{action!r} is not one of start, press, pause, set", action=action)
    change = press_clock if action == "press" else start_clock
    return change(match=match, side=field(body, "side", str), ago_ms=ago)


def name_of(author: Author) -> str:
    """An opaque name of the author for the log, safe to keep after erasure."""
    if author.claim is not None:
        return f"claim {author.claim.ref}"
    return f"user {author.user.pk}" if author.user is not None else "nobody"
