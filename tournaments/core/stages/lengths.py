"""Match lengths of a draw: the options name them, or else the stage does."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any


def with_lengths(options: Any, *, length: int, lengths: Sequence[int] = ()) -> Any:
    """The format's typed options with the stage's match lengths (points) where they name none.

    A format that has one length for all rounds is left without it where the stage has several: then each
    round's pairings have the stage's.
    """
    if not hasattr(options, "length"):
        return options if options.lengths else replace(options, lengths=tuple(lengths) or (length,))
    if options.length is not None or lengths:
        return options
    return replace(options, length=length)


def length_of_round(number: int, *, length: int, lengths: Sequence[int]) -> int:
    """Points to win in a round (from 1): the last of ``lengths`` is repeated, ``length`` stands without any.

    >>> [length_of_round(n, length=5, lengths=[5, 7]) for n in (1, 2, 3)]
    [5, 7, 7]
    """
    return lengths[min(number, len(lengths)) - 1] if lengths else length
