"""What an append changes of a sheet's view, for a page that holds the view of the version before.

A tenth of the whole view: the rest of the match, its rules, names and earlier lines are as they were. A page
that holds another version is sent the whole view (``scoring.queries.scoresheet``) instead.
"""

from collections.abc import Sequence
from typing import Any

from scoring.models import Match, SheetEvent
from scoring.queries.scoresheet import LINES, earlier_lines, flags_of, line_of, names_of, on_board
from scoring.queries.writers import Author
from scoring.rules.match_state import MatchState


def changes_for(
    match: Match,
    author: Author,
    *,
    follows: int,
    before: MatchState,
    state: MatchState,
    events: Sequence[SheetEvent],
) -> dict[str, Any]:
    """The changes of the view from the version ``follows`` to the match's version now.

    ``changes`` replaces fields of the view; ``lines`` go to its end, of which the last ``keep`` stay, and
    where some do not, ``earlier`` says where they stand.
    """
    changes = on_board(state, match, author)
    if state.flags != before.flags:
        changes["flags"] = flags_of(state)
    names = names_of(match)
    return {
        "follows": follows,
        "seq": match.sheet.head_seq,
        "version": match.version,
        "changes": changes,
        "lines": [line_of(event, names) for event in events],
        "keep": LINES,
        "earlier": earlier_lines(match),
    }
