"""Who can see the analyses of a match: everyone who can see the match, or its players only.

Each player chooses for one match (``MatchPrivacy``) or for all of theirs (``PlayerPrivacy``); without a
choice the club's default holds. If either player keeps the analysis, it is kept. A kept analysis is for the
players at the match and for site administrators, not for directors. All players of a pair count. The board
record of a chouette game has no seats: it is as visible as its table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, Value
from django.utils.translation import gettext_lazy as _

from clubs.access import Viewer
from clubs.models import AnalysesShown, User
from scoring.log.queries.results import side_of
from scoring.models import Match, MatchPrivacy, PlayerPrivacy, Seat
from scoring.models.analysis import AnalysisQuerySet
from scoring.models.match import MatchQuerySet

KEPT = _("The players keep this analysis to themselves.")


@dataclass(frozen=True, slots=True)
class Choices:
    """The players' choices that decide over a match, by player (pk): True keeps its analyses to the players.

    ``own`` are for this match, ``usual`` for all matches of a player.
    """

    own: Mapping[int, bool]
    usual: Mapping[int, bool]

    def keep(self, match: Match) -> bool:
        """Whether the match's analyses are kept: the rule of ``shown_to`` for one match.

        Load it ``with_players()``, and with its club (no query).
        """
        default = match.club.analyses_shown == AnalysesShown.PLAYERS
        others = {player.pk for side in match.sides.all() for player in side.players} - self.own.keys()
        return any(self.own.values()) or any(self.usual.get(player, default) for player in others)


def analyses_seen_by(viewer: Viewer | None, analyses: AnalysisQuerySet) -> AnalysisQuerySet:
    """Those of the analyses that the viewer can see, of matches that they can see."""
    return analyses.filter(shown_to(viewer, "match"))


def judged_for(viewer: Viewer | None, matches: MatchQuerySet) -> MatchQuerySet:
    """Those of the matches whose analyses the viewer can see."""
    return matches.filter(shown_to(viewer))


def can_see_analysis(viewer: Viewer, match: Match, choices: Choices | None = None) -> bool:
    """Whether the viewer of a match can see its analyses.

    One query without ``choices``; none for its players and for site administrators. Load the match
    ``with_players()``, and with its club.
    """
    if isinstance(viewer, User) and (viewer.is_superuser or side_of(match, viewer) is not None):
        return True
    return not (choices or choices_at(match)).keep(match)


def require_analysis(viewer: Viewer, match: int) -> None:
    """Raise PermissionDenied unless the viewer can see the analyses of the match with this pk (one query)."""
    if not Match.with_boards.filter(shown_to(viewer), pk=match).exists():
        raise PermissionDenied(str(KEPT))


def choices_at(match: Match) -> Choices:
    """The choices of the match's players (one query). Load it ``with_players()``."""
    players = {player.pk for side in match.sides.all() for player in side.players}
    rows = MatchPrivacy.objects.filter(match=match).values_list("player", "keeps", Value("match"))
    general = PlayerPrivacy.objects.filter(player__in=players).values_list("player", "keeps", Value("all"))
    found: dict[str, dict[int, bool]] = {"match": {}, "all": {}}
    for player, keeps, where in rows.union(general, all=True):
        found[where][player] = keeps
    return Choices(found["match"], found["all"])


def shown_to(viewer: Viewer | None, match: str = "") -> Q:
    """The condition on a match, at this path ("" for the match itself), that its analyses are shown.

    None is the installation's own work, which leaves no match out.
    """
    if viewer is None or (isinstance(viewer, User) and viewer.is_superuser):
        return Q()
    path = f"{match}__" if match else ""
    key = match or "pk"
    # Two small sets, each hashed once; what a club's default asks is looked up for that club's matches alone.
    chosen = MatchPrivacy.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    keepers = PlayerPrivacy.objects.filter(keeps=True).values("player")
    by_player = Seat.objects.filter(~Exists(chosen), player__in=keepers)
    undecided = Seat.objects.filter(~Exists(chosen), match=OuterRef(key), player__privacy__isnull=True)
    kept: Any = Q(**{f"{key}__in": MatchPrivacy.objects.filter(keeps=True).values("match")})
    kept |= Q(**{f"{key}__in": by_player.values("match")})
    kept |= Q(**{f"{path}club__analyses_shown": AnalysesShown.PLAYERS}) & Exists(undecided)
    shown: Q = ~kept
    if not isinstance(viewer, User):
        return shown
    own = Seat.objects.filter(player__user=viewer).values("match")
    return shown | Q(**{f"{key}__in": own})
