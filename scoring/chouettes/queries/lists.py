"""Lists of the tables that a viewer can see, with their results."""

from django.db.models import Case, Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from clubs.models import Club, User
from scoring.models import Chouette, ChouettePlayer, ChouetteStatus, Ledger

MOST_TABLES = 100
MOST_OPEN = 5


def tables_in(club: Club, user: User, *, all_of_them: bool) -> QuerySet[Chouette]:
    """The user's tables in a club (``all_of_them``: every table), open ones first.

    One query.

    Each has ``players_count``, ``games_count``, ``last_game`` and, for a player of the table, ``own_points``
    and ``own_minor``.
    """
    tables = Chouette.objects.in_club(club)
    if not all_of_them:
        tables = tables.filter(pk__in=Chouette.objects.sat_at_by(user.pk).values("pk"))
    own = Ledger.objects.filter(game__chouette=OuterRef("pk"), player__player__user=user).order_by()
    sums = own.values("game__chouette")
    seated = ChouettePlayer.objects.filter(chouette=OuterRef("pk"), seated=True).order_by()
    return tables.annotate(
        players_count=Coalesce(
            Subquery(seated.values("chouette").annotate(n=Count("pk")).values("n")), Value(0)
        ),
        games_count=Count("games", filter=Q(games__end_seq__isnull=False)),
        last_game=Max("games__finished_at"),
        own_points=Subquery(sums.annotate(total=Sum("points")).values("total")),
        own_minor=Subquery(sums.annotate(total=Sum("minor")).values("total")),
        is_open=Case(When(status=ChouetteStatus.OPEN, then=Value(1)), default=Value(0)),
    ).order_by("-is_open", F("last_game").desc(nulls_first=True), "-pk")[:MOST_TABLES]


def open_tables_of(user: User) -> QuerySet[Chouette]:
    """Open tables that the user plays at or opened, newest first (one query)."""
    tables = Chouette.objects.sat_at_by(user.pk).filter(status=ChouetteStatus.OPEN)
    return tables.select_related("club").order_by("-pk")[:MOST_OPEN]
