"""What players chose: who can see their analyses."""

from dataclasses import dataclass
from typing import Any

from clubs.access import Viewer
from clubs.models import AnalysesShown, Player, User
from scoring.analysis.queries.privacy import Choices, choices_at
from scoring.log.queries.results import side_of
from scoring.models import Match, MatchPrivacy, PlayerPrivacy


@dataclass(frozen=True, slots=True)
class MatchChoice:
    """A player's choice for one match.

    ``own`` is None where they left it to their general choice. ``kept`` tells what holds after both players'
    choices.
    """

    own: AnalysesShown | None
    kept: bool


def choice_of(user: User) -> AnalysesShown | None:
    """The user's general choice (one query); None leaves it to each club."""
    row = PlayerPrivacy.objects.filter(player__user=user).first()
    return None if row is None else _shown(keeps=row.keeps)


def match_choice(match: Match, viewer: Viewer, choices: Choices | None = None) -> MatchChoice | None:
    """The viewer's choice for a match; None unless they play in it (one query without ``choices``).

    Load the match ``with_players()``, and with its club.
    """
    if not isinstance(viewer, User) or match.in_chouette or side_of(match, viewer) is None:
        return None
    players = (player for side in match.sides.all() for player in side.players)
    choices = choices or choices_at(match)
    keeps = next((choices.own.get(player.pk) for player in players if player.user_id == viewer.pk), None)
    return MatchChoice(None if keeps is None else _shown(keeps=keeps), choices.keep(match))


def own_privacy(player: Player) -> dict[str, Any]:
    """The player's choices for their data export."""
    row = PlayerPrivacy.objects.filter(player=player).first()
    matches = MatchPrivacy.objects.filter(player=player).order_by("pk").values_list("match__ref", "keeps")
    return {
        "analyses": None if row is None else _shown(keeps=row.keeps).value,
        "matches": {ref: _shown(keeps=keeps).value for ref, keeps in matches},
    }


def _shown(*, keeps: bool) -> AnalysesShown:
    return AnalysesShown.PLAYERS if keeps else AnalysesShown.EVERYONE
