"""A player's cards: what is due, how many there are, the next one, and the list of them."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q
from django.utils.timezone import now

from clubs.models import Player
from scoring.learning.queries.judged import judged_among
from scoring.log.queries.keyset import Order, Stretch, ref_of, stretch
from scoring.models import Card, CardAnswer, CardFill, CardSession, CardState, MatchStatus
from scoring.models.learning import CardQuerySet
from scoring.theory.cards import CardKind, wants_fine

LARGEST_FIRST = Order("-error", "pk", cursor="ref")
SHOWN = 25


@dataclass(frozen=True, slots=True)
class Counts:
    """How many mistakes a player has as cards; ``due`` are those of today."""

    due: int
    waiting: int
    learned: int
    parked: int
    retired: int

    @property
    def all(self) -> int:
        return self.waiting + self.learned + self.parked


def today() -> date:
    """The day by which cards are due, in UTC: one day for a player's devices in any time zone."""
    return now().date()


def counts_of(player: Player) -> Counts:
    """The player's mistakes by state (one query)."""
    in_state = {state.value: Count("pk", filter=Q(state=state)) for state in CardState}
    due = Count("pk", filter=Q(due__lte=today()) & ~Q(match__status=MatchStatus.VOID))
    found = Card.objects.of_player(player).mistakes().aggregate(due_now=due, **in_state)
    return Counts(
        due=found["due_now"],
        waiting=found[CardState.WAITING],
        learned=found[CardState.LEARNED],
        parked=found[CardState.PARKED],
        retired=found[CardState.RETIRED],
    )


def next_card(session: CardSession, *, but: Card | None = None) -> Card | None:
    """The card that the session asks next: due, judged, from a match that it has not asked about.

    Every fourth is a right decision, if there is one (at most two queries).
    """
    used = CardAnswer.objects.filter(session=session.pk).values("card__match")
    due = judged_among(Card.objects.of_player(session.player).due(today())).exclude(match__in=used)
    if but is not None:
        due = due.exclude(match=but.match_id)
    due = due.select_related("match__sheet")
    for kind in [CardKind.FINE, CardKind.ERROR] if wants_fine(session.asked + 1) else [CardKind.ERROR]:
        if card := due.filter(kind=kind).order_by("due", "-error", "pk").first():
            return card
    return None


def can_be_asked(card: Card) -> bool:
    """Whether the card is due and an analysis of its match stands (one query)."""
    return judged_among(Card.objects.filter(pk=card.pk).due(today())).exists()


def next_day(player: Player) -> date | None:
    """The day on which the player's next mistake comes back (one query)."""
    later = Card.objects.of_player(player).mistakes().filter(due__gt=today()).exclude(due=None)
    return later.order_by("due").values_list("due", flat=True).first()


def open_session(player: Player) -> CardSession | None:
    """The session that the player has not finished (one query)."""
    return (
        CardSession.objects.filter(player=player, finished_at=None)
        .select_related("player", "card__match__sheet")
        .first()
    )


def last_session(player: Player) -> CardSession | None:
    """The player's newest session (one query)."""
    return CardSession.objects.filter(player=player).order_by("-started_at").first()


def card_stretch(
    player: Player, *, state: str, among: CardQuerySet | None = None, after: str = "", before: str = ""
) -> Stretch[Card]:
    """The player's mistakes in a state, largest first, with their matches and players (four queries)."""
    cards = Card.objects.all() if among is None else among
    cards = cards.of_player(player).mistakes().filter(state=state)
    cards = cards.select_related("match__club", "match__result").prefetch_related(
        "match__sides__seats__player__person"
    )
    return stretch(cards, LARGEST_FIRST, cursor_of=ref_of, after=after, before=before, size=SHOWN)


def newest_fill(player: Player) -> CardFill | None:
    """The last search of the player's earlier matches, None before the first (one query)."""
    return CardFill.objects.filter(player=player).order_by("-pk").first()
