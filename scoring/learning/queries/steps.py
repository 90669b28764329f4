"""The decision of a card on the page of its match."""

from scoring.matches.queries.addresses import decision_address
from scoring.models import Card


def decision_url(card: Card) -> str:
    """The address of the decision; of the match, where a correction has taken it away (one query)."""
    return decision_address(card.match, card.event_seq)
