"""Some of a helper's decisions, computed again by our own engine and compared."""

from collections.abc import Iterator, Sequence
from math import ceil
from random import Random

from scoring.theory.decisions import Candidate, Decision

LEAST = 5
"""Questions of a sample, however small the share; all if there are fewer."""


def drawn(seed: str, questions: int, share: float) -> list[int]:
    """The numbers of the questions that are computed again, ascending.

    >>> drawn("a", 4, 0.1)
    [0, 1, 2, 3]
    >>> len(drawn("a", 150, 0.1))
    15
    """
    number = min(questions, max(LEAST, ceil(questions * share)))
    return sorted(Random(seed).sample(range(questions), number))  # noqa: S311 - the seed is the secret


def first_difference(ours: Sequence[Decision], theirs: Sequence[Decision], tolerance: float) -> str:
    """Where two judgements of the same decisions differ by more than ``tolerance``, in words; else ""."""
    if len(ours) != len(theirs):
        return f"{len(theirs)} decisions instead of {len(ours)}"
    for own, other in zip(ours, theirs, strict=True):
        for what in _differences(own, other, tolerance):
            return f"game {own.game}, ply {own.ply}: {what}"
    return ""


def _differences(own: Decision, other: Decision, tolerance: float) -> Iterator[str]:
    if (own.ref, own.kind, own.played, own.legal) != (other.ref, other.kind, other.played, other.legal):
        yield "another decision"
    yield from _unequal("loss", own.error, other.error, tolerance)
    yield from _unequal("luck", own.luck, other.luck, tolerance)
    found = {(each.action, each.position): each for each in other.candidates}
    for candidate in own.candidates:
        match = found.get((candidate.action, candidate.position))
        if match is None:
            # Of plays that are equally good, another one can be the last that is listed.
            if candidate.played or candidate is not own.candidates[-1]:
                yield f"{candidate.action!r} is missing"
            continue
        yield from _unequal_candidates(candidate, match, tolerance)


def _unequal_candidates(own: Candidate, other: Candidate, tolerance: float) -> Iterator[str]:
    if own.level != other.level:
        yield f"{own.action!r} at {other.level} instead of {own.level}"
    yield from _unequal(f"equity of {own.action!r}", own.equity, other.equity, tolerance)
    if (own.probabilities is None) is not (other.probabilities is None):
        yield f"chances of {own.action!r}"
    for one, another in zip(own.probabilities or (), other.probabilities or (), strict=True):
        yield from _unequal(f"chances of {own.action!r}", one, another, tolerance)


def _unequal(what: str, own: float | None, other: float | None, tolerance: float) -> Iterator[str]:
    if own is None or other is None:
        if own is not other:
            yield f"{what} {other} instead of {own}"
    elif not abs(own - other) <= tolerance:
        yield f"{what} {other:.4f} instead of {own:.4f}"
