"""A result that the desk decides: its draw is locked, and the result follows into the stage that is held.

A decision is written on the match's sheet and comes into the draw from there, as any result does
(``outcomes.follow_match``). Whoever decides has locked the stage before, to hold it against what the
director has seen: neither it nor the pairing is looked up a second time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from scoring.models import Match
from tournaments.models import Pairing, Stage
from tournaments.stages.services.stages import lock_for_result


@dataclass(frozen=True, slots=True)
class Held:
    """A match under decision: its pairing as it is now, on its locked stage; ``decided``: also where others
    have played on it.
    """

    match: int
    pairing: Pairing
    stage: Stage
    decided: bool


_held: ContextVar[Held | None] = ContextVar("held", default=None)


@contextmanager
def result_held(
    pairing: Pairing, match: Match, *, seen: int | None = None, decided: bool = False
) -> Iterator[Held]:
    """The pairing with its stage, locked; within, the result of this match of it follows into that stage.

    The caller holds the match with its sheet, in a transaction that ends after this, and notes the decision
    in the event's log (``desk_log.note``): by that the open pages learn of it. Raises StaleError when the
    stage's log is not at ``seen``.
    """
    stage = lock_for_result(pairing, seen=seen)
    with stage_held(stage, pairing, match, decided=decided) as held:
        yield held


@contextmanager
def stage_held(stage: Stage, pairing: Pairing, match: Match, *, decided: bool = False) -> Iterator[Held]:
    """The same for a stage that the caller has locked already, with every sheet that will be written on.

    Without it the result would look for later sheets to lock while the stage is held: whoever has one of
    those waits for the stage.
    """
    held = Held(match.pk, pairing, stage, decided)
    token = _held.set(held)
    try:
        yield held
    finally:
        _held.reset(token)


def held_for(match: Match) -> Held | None:
    """What is held for this match's result, None where nobody decides it."""
    held = _held.get()
    return held if held is not None and held.match == match.pk else None
