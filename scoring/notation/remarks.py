"""Comments in ``.mat`` for events the format cannot express.

``; Midpoint: KIND BODY`` is one event of :mod:`scoring.rules.events`, its body in JSON, at its place among
the cells.  ``; Midpoint after the roll: KIND BODY`` stands before the cell of a roll and happened between
that roll and its play.  The start of the match, with all its options, stands in the head and marks a complete
record.  :data:`NOT_PLAYED` stands at the end of a record whose last roll waits for its play: without moves it
would be read as a roll whose only play nobody wrote down.
"""

import json
import re
from typing import NamedTuple

from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.events import Event, event_from_plain, event_to_plain

NOT_PLAYED = "; Midpoint: the last roll is not played"

_REMARK = re.compile(r"\s*; Midpoint(?P<rolled> after the roll)?: (?P<kind>\w+) (?P<body>.*)")


class Remark(NamedTuple):
    """An event told by a comment: its line, and whether it happened after the roll that follows."""

    line: int
    event: Event
    rolled: bool


def remark(event: Event, *, rolled: bool) -> str:
    """The comment that tells ``event``: one line of ASCII.

    >>> from scoring.rules.events import Ruled
    >>> remark(Ruled("director", "play on"), rolled=True)
    '; Midpoint after the roll: ruling {"by": "director", "text": "play on"}'
    """
    kind, body = event_to_plain(event)
    place = " after the roll" if rolled else ""
    return f"; Midpoint{place}: {kind} {json.dumps(body, sort_keys=True)}"


def read_remark(text: str, line: int) -> Remark | None:
    """The event in a comment line; None for any other comment.

    Raises :class:`InvalidNotation` with the line for a remark that tells no event.
    """
    match = _REMARK.fullmatch(text)
    if match is None:
        return None
    try:
        event = event_from_plain(match["kind"], json.loads(match["body"]))
    except (InvalidValue, ValueError, RecursionError) as error:
        raise InvalidNotation(
            "remark", "line {line}: this remark is not an event: {reason}", line=line, reason=str(error)
        ) from error
    return Remark(line, event, rolled=match["rolled"] is not None)
