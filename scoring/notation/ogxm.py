"""Writing OGXM: the open match format of gammonview, as JSON, through its own `gvformat`.

The match is written as `.mat` first, which `gvformat` converts: what reads OGXM reads the same plays. Not
every sheet can be told so: a game of which only the result is recorded has no plays to show.
"""

import json
from collections.abc import Mapping, Sequence

from gvformat import mat_to_ogxm

from scoring.notation.mat import write_mat
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Event

# What the converter raises for a record that it does not follow.
_REFUSALS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)


def write_ogxm(players: tuple[str, str], events: Sequence[Event], tags: Mapping[str, str]) -> bytes:
    """The match as OGXM in UTF-8 JSON.

    Raises InvalidValue for a match that the format, or `.mat`, cannot tell.
    """
    text = write_mat(players, events, tags)
    try:
        document = mat_to_ogxm(text)
    except _REFUSALS as error:
        raise InvalidValue(
            "not_in_ogxm", "this match cannot be written as OGXM: {reason}", reason=str(error)
        ) from error
    return json.dumps(document, ensure_ascii=False).encode()
