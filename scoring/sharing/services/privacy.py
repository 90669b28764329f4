"""A player's choice of who can see the analyses of their matches."""

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import AnalysesShown, User
from clubs.people.services.names import player_of
from clubs.refusals import Refused
from scoring.log.queries.results import side_of
from scoring.models import Match, MatchPrivacy, PlayerPrivacy


class PrivacyRefused(Refused):
    """The choice is not this user's; the message says whose it is."""


@transaction.atomic
def choose_privacy(*, user: User, shown: AnalysesShown | None) -> None:
    """Choose who can see the analyses of the user's matches; None leaves it to each club.

    Idempotent; of two choices at once the later holds.
    """
    player = player_of(user=user)
    if shown is None:
        PlayerPrivacy.objects.filter(player=player).delete()
        return
    PlayerPrivacy.objects.bulk_create(
        [PlayerPrivacy(player=player, keeps=shown == AnalysesShown.PLAYERS, at=now())],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["keeps", "at"],
    )


def choose_match_privacy(*, user: User, match: Match, shown: AnalysesShown | None) -> None:
    """Choose who can see the analyses of one match; None leaves it to the user's general choice.

    Load the match ``with_players()``. Idempotent; of two choices at once the later holds. Raises
    PrivacyRefused unless the user plays in the match.
    """
    if side_of(match, user) is None:
        raise PrivacyRefused(_("Only its players can choose who sees the analysis of this match."))
    player = user.player
    if shown is None:
        MatchPrivacy.objects.filter(match=match, player=player).delete()
        return
    MatchPrivacy.objects.bulk_create(
        [MatchPrivacy(match=match, player=player, keeps=shown == AnalysesShown.PLAYERS, at=now())],
        update_conflicts=True,
        unique_fields=["match", "player"],
        update_fields=["keeps", "at"],
    )
