"""The address of a decision on the page of its match."""

from django.urls import reverse

from scoring.log.queries.sheets import steps_of
from scoring.models import Match


def decision_address(match: Match, seq: int) -> str:
    """The step at which an event was decided; the match's page where it has none any more (one query).

    Load the match with its sheet.
    """
    for step in steps_of(match.sheet):
        if seq in {step.seq, step.roll_seq}:
            return reverse("scoring:step", args=[match.ref, step.number])
    return match.get_absolute_url()
