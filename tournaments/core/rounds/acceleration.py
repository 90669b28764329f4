"""Accelerated first rounds of a Swiss: the upper half is paired with one virtual point more.

Source: docs/reference/tournaments.md, "Accelerated rounds". The virtual point exists for pairing only:
scores, standings and tie-breaks never contain it.
"""

from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.stage import Stage

NOBODY: frozenset[int] = frozenset()


def check_acceleration(accelerated: int, *, rounds: int | None, seeding: str) -> None:
    """Refuse accelerated rounds that make no sense.

    Raises:
        DrawRefused: ``accelerated_by_lot`` without an upper half, ``accelerated_too_long`` where no round is
            left that is paired by the scores alone, ``accelerated`` below 0.
    """
    if accelerated < 0:
        raise DrawRefused("accelerated", f"{accelerated} accelerated rounds: at least 0")
    if accelerated and seeding == "lot":
        raise DrawRefused("accelerated_by_lot", "a field drawn by lot has no upper half to accelerate")
    if accelerated and rounds is not None and accelerated >= rounds:
        raise DrawRefused(
            "accelerated_too_long",
            f"{accelerated} of {rounds} rounds accelerated: at most {rounds - 1}",
            accelerated=accelerated,
            rounds=rounds,
            most=rounds - 1,
        )


def enough_rounds(entrants: int) -> int:
    """The rounds that leave one unbeaten: ceil(log2(entrants)), at least 1."""
    return max(1, (entrants - 1).bit_length())


def upper_half(stage: Stage) -> frozenset[int]:
    """The first half of the draw order, rounded up to an even number.

    Late entrants are never in it; who withdraws or is replaced moves no one else in or out.

    >>> 2 * -(-161 // 4)
    82
    """
    drawn = len(stage.field) - stage.late
    return frozenset(stage.order[: 2 * -(-drawn // 4)])


def ahead(stage: Stage, number: int) -> frozenset[int]:
    """The entrants of a Swiss with a virtual point in a round (from 1).

    The last of the rounds that were planned when the draw was made is never accelerated.
    """
    accelerated: int = stage.options.accelerated
    if number > accelerated:
        return NOBODY
    drawn = len(stage.field) - stage.late
    planned = stage.options.rounds or enough_rounds(drawn)
    return upper_half(stage) if number < planned else NOBODY
