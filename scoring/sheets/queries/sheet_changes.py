"""Changes of a sheet's view since the version a page holds.

A tenth of the whole view: the rest of the match, its rules and earlier lines are as they were. A page
of which more has changed is sent the whole view (``scoring.sheets.queries.scoresheet``) instead.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.log.queries.writers import Author
from scoring.models import Match, MatchStatus, SheetEvent
from scoring.rules.match_state import MatchState, Status, state_from_plain
from scoring.rules.match_transitions import in_game
from scoring.sheets.queries.scoresheet import (
    LINES,
    earlier_lines,
    flags_of,
    line_of,
    names_of,
    on_board,
    standing_of,
)

# After these alone, in a game that is on, it is the game of before: another one begins with its opening roll.
_WITHIN_A_GAME = frozenset({"roll", "no_roll", "play", "double", "take", "beaver", "raccoon"})


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


def missing_for(
    match: Match, author: Author | None, *, follows: int, after: int, theirs: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Changes for a page with version ``follows`` and at least ``after`` events.

    ``theirs`` are the lines after that event, which the page adds by itself. None where they are not all
    of them, correct earlier ones, or belong to more than one game: such a page needs the whole view.
    """
    state = state_from_plain(json.loads(match.sheet.state))
    are_all = 0 < len(theirs) == match.sheet.head_seq - after and 1 <= follows <= match.version
    is_one_game = match.status == MatchStatus.PLAYING and state.status is Status.PLAYING and in_game(state)
    if not (are_all and is_one_game and all(_goes_on(line) for line in theirs)):
        return None
    return {
        "follows": follows,
        "seq": match.sheet.head_seq,
        "version": match.version,
        "changes": standing_of(state, match, author),
        "keep": LINES,
        "earlier": earlier_lines(match),
    }


def _goes_on(line: Mapping[str, Any]) -> bool:
    return line["kind"] in _WITHIN_A_GAME and line["replaces"] is None
