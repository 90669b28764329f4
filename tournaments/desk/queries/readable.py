"""Check that the log of an imported event can be shown."""

from collections.abc import Sequence

from clubs.refs import looks_like_ref
from scoring.rules.errors import ScoringError
from tournaments.desk.queries.event_log import desk_lines
from tournaments.log.queries.desk_log import lines
from tournaments.models import DeskEvent, Event

# Errors of a body with missing or wrongly typed values.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, ScoringError, TypeError, ValueError)


def require_readable(event: Event) -> None:
    """Raise ValueError for the first log entry that cannot be shown."""
    rows = list(lines(event))
    if _are_readable(event, rows):
        return
    # Only then one by one, because each one queries.
    for row in sorted(rows, key=lambda row: row.seq):
        if not _are_readable(event, [row]):
            raise ValueError(f"entry {row.seq} of the log: {row.kind!r} with the body {str(row.body)[:80]}")
    raise ValueError("the log cannot be read")


def _are_readable(event: Event, rows: Sequence[DeskEvent]) -> bool:
    try:
        found = desk_lines(event, rows)
    except UNREADABLE:
        return False
    # The page links to the board of the pairing, from a result always.
    refs: list[object] = [line.pairing for line in found if line.pairing or line.kind == "result"]
    return all(isinstance(ref, str) and looks_like_ref(ref) for ref in refs) and all(
        type(line.board) is int for line in found
    )
