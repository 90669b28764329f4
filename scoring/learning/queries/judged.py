"""The decisions that cards refer to, as the standing analyses judge them."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from scoring.analysis.queries.analyses import decision_of
from scoring.analysis.queries.performances import analysed_among, standing_analyses
from scoring.models import Card, DecisionRow, Match
from scoring.models.learning import CardQuerySet
from scoring.theory.decisions import Decision


def judged_among(cards: CardQuerySet) -> CardQuerySet:
    """The cards of matches with an analysis of their sheet as it stands."""
    return cards.filter(Exists(analysed_among(Match.objects.filter(pk=OuterRef("match")), None)))


def decisions_of(cards: Iterable[Card]) -> dict[int, Decision]:
    """Each card's decision by the card's pk; without those that no standing analysis has (two queries)."""
    wanted = list(cards)
    analyses = standing_analyses({card.match for card in wanted}, None)
    found = DecisionRow.objects.filter(
        analysis__in=[analysis.pk for analysis in analyses.values()],
        event_seq__in={card.event_seq for card in wanted},
    )
    rows = {(row.analysis_id, row.event_seq, row.kind): row for row in found.order_by("analysis", "-number")}
    decisions = {}
    for card in wanted:
        analysis = analyses.get(card.match_id)
        row = rows.get((analysis.pk, card.event_seq, card.decision)) if analysis else None
        if row is not None:
            decisions[card.pk] = decision_of(row)
    return decisions


def decision_on(card: Card) -> Decision | None:
    """The card's decision, None while no analysis of the match stands."""
    return decisions_of([card]).get(card.pk)
