"""Where the decision of a card stands on the page of its match."""

from django.urls import reverse

from scoring.log.queries.sheets import events_of
from scoring.models import Card
from scoring.notation.transcript import transcript


def decision_url(card: Card) -> str:
    """The address of the decision; of the match, where a correction has taken it away (one query)."""
    match = card.match
    steps = transcript((numbered.seq, numbered.event) for numbered in events_of(match.sheet))
    for step in steps:
        if card.event_seq in {step.seq, step.roll_seq}:
            return reverse("scoring:step", args=[match.ref, step.number])
    return match.get_absolute_url()
