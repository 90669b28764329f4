"""Deadlines on autopilot: what is overdue in a league or ladder, and what becomes of it."""

from datetime import date

from tournaments.core.stages.outcomes import Ended, Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Reported, Stage


def overdue(stage: Stage, today: date) -> tuple[Pairing, ...]:
    """Open pairings whose last day is over."""
    return tuple(p for p in stage.open_pairings() if p.deadline is not None and p.deadline < today)


def due_within(stage: Stage, today: date, days: int) -> tuple[Pairing, ...]:
    """Open pairings to remind of: their last day is today or within so many days."""
    return tuple(
        p for p in stage.open_pairings() if p.deadline is not None and 0 <= (p.deadline - today).days <= days
    )


def expire(stage: Stage, today: date) -> Stage:
    """Overdue pairings end as double no-shows; a director can correct each to a walkover for the side
    that tried.
    """
    return stage.after(
        *(Reported(p.number, Outcome(p.a, p.b, Ended.DOUBLE_NO_SHOW)) for p in overdue(stage, today))
    )
