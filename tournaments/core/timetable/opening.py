"""Breaks as spans of minutes (start, end exclusive), in order."""

from collections.abc import Sequence

Span = tuple[float, float]


def opens_at(closed: Sequence[Span], minute: float) -> float:
    """This minute, or the end of the span (or adjoining spans) around it.

    >>> opens_at([(30.0, 90.0), (90.0, 100.0)], 30.0), opens_at([(30.0, 90.0)], 29.5)
    (100.0, 29.5)
    """
    for begin, end in closed:
        if begin <= minute < end:
            minute = end
    return minute
