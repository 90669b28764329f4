"""A player's mistakes with their answers, for cards in other programs and on paper."""

from dataclasses import dataclass

from clubs.models import Player
from scoring.learning.queries.judged import decisions_of, judged_among
from scoring.learning.queries.questions import Question
from scoring.models import Card, CardState
from scoring.theory.cards import best_of
from scoring.theory.decisions import Decision

MOST_EXPORTED = 500
"""Mistakes of a file at most, the largest."""


@dataclass(frozen=True, slots=True)
class ExportedCard:
    """A mistake with its decision as the standing analysis judges it."""

    question: Question
    decision: Decision

    @property
    def best(self) -> str:
        return best_of(self.decision)


def exported_cards(
    player: Player, *, most: int = MOST_EXPORTED, due_first: bool = False
) -> list[ExportedCard]:
    """The player's mistakes that are open, learned or parked, largest first (three queries).

    ``due_first`` puts what comes back soonest first.
    """
    cards = judged_among(Card.objects.of_player(player).mistakes()).exclude(state=CardState.RETIRED)
    cards = cards.select_related("match__sheet").order_by(*(["due"] if due_first else []), "-error", "pk")
    found = list(cards[:most])
    decisions = decisions_of(found)
    return [ExportedCard(Question(card), decisions[card.pk]) for card in found if card.pk in decisions]
