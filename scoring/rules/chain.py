"""The hash chain of every log: each entry linked to the one before by SHA-256."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from scoring.rules.codec import canonical_bytes
from scoring.rules.events import Event, event_to_plain
from scoring.rules.match_state import MatchState, state_bytes


def link_of(
    previous: str, seq: int, kind: str, body: object, replaces: int | None = None, note_digest: str = ""
) -> str:
    """The hash of an entry: SHA-256, in hex, over the previous hash and the entry's canonical bytes.

    ``replaces`` is the seq of the entry that it replaces or takes back. The digest of its note is among the
    bytes where there is one.

    >>> link_of("", 1, "closed", {"winners": [3]})[:16]
    '54e44e26b6ac834d'
    """
    plain = {"previous": previous, "seq": seq, "kind": kind, "body": body, "replaces": replaces}
    if note_digest:
        plain["note"] = note_digest
    return sha256(canonical_bytes(plain)).hexdigest()


@dataclass(frozen=True, slots=True)
class LinkedLog:
    """A whole log of a match, ready to be stored.

    ``rows`` is JSON, ``[seq, kind, body, hash]`` for each event; ``seq`` and ``hash`` are the last event's, 0
    and empty for no events; ``state`` is what they come to, in canonical JSON.
    """

    rows: str
    seq: int
    hash: str
    state: str


def linked_log(events: Iterable[Event], state: MatchState) -> LinkedLog:
    """The log of events that the rules have accepted, and that come to ``state``."""
    rows: list[tuple[int, str, object, str]] = []
    seq, link = 0, ""
    for seq, event in enumerate(events, 1):
        kind, body = event_to_plain(event)
        link = link_of(link, seq, kind, body)
        rows.append((seq, kind, body, link))
    return LinkedLog(json.dumps(rows), seq, link, state_bytes(state).decode())
