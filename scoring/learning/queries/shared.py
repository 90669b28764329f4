"""What members let a club see of their mistakes: for a coach, and for the position of the week."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from clubs.models import Club, Membership, Player, Role, User
from scoring.analysis.queries.privacy import shown_to
from scoring.learning.queries.cards import today
from scoring.models import Card, CardEnd, CardSharing, CardState, MatchStatus, WeekAnswer, WeekPosition
from scoring.models.learning import CardQuerySet


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """How many members gave an answer; ``part`` is their share, 0 to 1."""

    given: str
    number: int
    part: float


def week_of(day: date) -> date:
    """The Monday of a day's week.

    >>> week_of(date(2026, 11, 27))
    datetime.date(2026, 11, 23)
    """
    return day - timedelta(days=day.weekday())


def sharing_in(club: Club, **consents: bool) -> QuerySet[CardSharing]:
    """The consents of the club's present members, e.g. ``quiz=True``."""
    member = Membership.objects.filter(club=club, player=OuterRef("player"))
    return CardSharing.objects.filter(Exists(member), club=club, **consents)


def shared_cards(club: Club, **consents: bool) -> CardQuerySet:
    """Mistakes in the club's matches of members who share them so, where no player keeps the analysis."""
    players = sharing_in(club, **consents).values("player")
    cards = Card.objects.mistakes().filter(player__in=players, match__club=club)
    return cards.filter(shown_to(AnonymousUser(), "match")).exclude(match__status=MatchStatus.VOID)


def sharing_of(player: Player) -> list[tuple[Club, CardSharing]]:
    """The player's clubs with what they share in each (two queries)."""
    memberships = Membership.objects.filter(player=player).select_related("club")
    kept = {each.club_id: each for each in CardSharing.objects.filter(player=player)}
    return [
        (each.club, kept.get(each.club_id) or CardSharing(player=player, club=each.club))
        for each in memberships.order_by("club__name", "pk")
    ]


def coached_players(club: Club) -> QuerySet[Player]:
    """Members who let directors see their mistakes, with the numbers of open, learned and parked ones."""
    shared = shared_cards(club, coach=True).values("pk")
    counts = {
        state.value: Count("cards", filter=Q(cards__state=state, cards__in=shared))
        for state in (CardState.WAITING, CardState.LEARNED, CardState.PARKED)
    }
    players = Player.objects.filter(pk__in=sharing_in(club, coach=True).values("player"))
    return players.select_related("person").annotate(**counts)


def coached_player(club: Club, ref: str) -> Player | None:
    """The member of a ref, if they let directors see their mistakes."""
    return coached_players(club).filter(ref=ref).first()


def may_coach(user: User, card: Card) -> bool:
    """Whether the user directs the club of the card's match, and its player lets directors see it."""
    directs = Membership.objects.filter(club=card.match.club_id, player__user=user, role__gte=Role.DIRECTOR)
    return directs.exists() and shared_cards(card.match.club, coach=True).filter(pk=card.pk).exists()


def current_position(club: Club) -> WeekPosition | None:
    """The club's position of this week, while its player still shares it (one query)."""
    return position_of(club, week_of(today()))


def position_of(club: Club, week: date) -> WeekPosition | None:
    """The position of the week that begins on this Monday, while its player still shares it (one query).

    It stays when a deeper analysis finds no mistake in it: only a correction of the match takes it away.
    """
    found = _shown_positions(club).filter(week=week)
    return found.select_related("club", "card__match__sheet").first()


def earlier_position(club: Club, text: str) -> WeekPosition | None:
    """The position of an earlier week, given as the date of its Monday; None where there is none."""
    try:
        week = date.fromisoformat(text)
    except ValueError:
        return None
    return position_of(club, week) if week < week_of(today()) else None


def weeks_beside(club: Club, week: date) -> tuple[date | None, date | None]:
    """The weeks of the club's positions before and after this one, up to the present week (two queries)."""
    weeks = _shown_positions(club).filter(week__lte=week_of(today())).values_list("week", flat=True)
    before = weeks.filter(week__lt=week).order_by("-week").first()
    return before, weeks.filter(week__gt=week).order_by("week").first()


def _shown_positions(club: Club) -> QuerySet[WeekPosition]:
    cards = shared_cards(club, quiz=True).exclude(end=CardEnd.CORRECTED)
    return WeekPosition.objects.filter(club=club, card__in=cards)


def answer_of(position: WeekPosition, user: User) -> WeekAnswer | None:
    """The user's answer to a position (one query)."""
    return WeekAnswer.objects.filter(position=position, player__user=user).first()


def shares_of(position: WeekPosition) -> list[AnswerShare]:
    """All answers to a position, the most frequent first (one query)."""
    given = Counter(position.answers.values_list("given", flat=True))
    return [
        AnswerShare(text, number, number / given.total())
        for text, number in sorted(given.items(), key=lambda each: (-each[1], each[0]))
    ]
