"""A result that the desk decides: its draw is locked, and the result follows into the stage that is held.

A decision is written on the match's sheet and comes into the draw from there, as any result does
(``outcomes.follow_match``). Whoever decides has locked the stage before, to hold it against what the
director has seen: it is not looked up and locked a second time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from tournaments.models import Pairing, Stage
from tournaments.services.stages import lock_for_result


@dataclass(frozen=True, slots=True)
class Held:
    """The locked stage of a pairing under decision; ``decided``: also where others have played on it."""

    pairing: int
    stage: Stage
    decided: bool


_held: ContextVar[Held | None] = ContextVar("held", default=None)


@contextmanager
def result_held(pairing: Pairing, *, seen: int | None = None, decided: bool = False) -> Iterator[Stage]:
    """The pairing's stage, locked; within, the pairing's result follows into it.

    The caller holds the match's sheet, in a transaction that ends after this. Raises StaleError when the
    stage's log is not at ``seen``.
    """
    stage = lock_for_result(pairing, seen=seen)
    token = _held.set(Held(pairing.pk, stage, decided))
    try:
        yield stage
    finally:
        _held.reset(token)


def held_for(pairing: Pairing) -> Held | None:
    """What is held for this pairing's result, None where nobody decides it."""
    held = _held.get()
    return held if held is not None and held.pairing == pairing.pk else None
