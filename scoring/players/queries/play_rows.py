"""Each side's play in the newest analysed matches, for the pages that add them up.

A page reads at most `MOST_MATCHES` matches, the newest, of one label, so that none grows with a club. Only
analyses of the sheet as it stands that the viewer can see count, and only sides with one player.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from clubs.access import Viewer
from clubs.models import Player, WorkStatus
from scoring.analysis.queries.privacy import judged_for, shown_to
from scoring.models import FileAnalysis, Level, Match, RatingChange, RatingList, Seat, SidePlay
from scoring.models.analysis import current_counting
from scoring.models.match import MatchQuerySet
from scoring.theory.play_sums import DiceSums, LossTally

MOST_MATCHES = 1000
TALLY, DICE = LossTally.__slots__, DiceSums.__slots__


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One player's play in one match; ``key`` is the pk of its sums, ``worst`` their largest error."""

    key: int
    match_ref: str
    played_at: datetime
    length: int
    player_ref: str
    player: str
    opponent: str
    opponent_rating: float | None
    worst: float
    tally: LossTally
    dice: DiceSums


def newest_of_player(
    player: Player,
    *,
    matches: MatchQuerySet,
    label: str,
    viewer: Viewer,
    rating_list: RatingList | None = None,
) -> list[PlayedMatch]:
    """The player's newest analysed ones of these matches, newest first (one query).

    ``rating_list`` is the one from which the opponents' ratings at that time come.
    """
    rows = _standing(matches, label).filter(shown_to(viewer, "match"), side__seats__player=player)
    faced = RatingChange.objects.filter(match=OuterRef("match"), player=player, list=rating_list).values(
        "opponent_before"
    )[:1]
    return _values(rows.annotate(opponent_rating=Subquery(faced)), MOST_MATCHES)


def newest_of_all(matches: MatchQuerySet, *, label: str, viewer: Viewer) -> list[PlayedMatch]:
    """Both sides of the newest analysed ones of these matches, newest first (two queries)."""
    newest = list(newest_analysed(matches, label=label, viewer=viewer)[:MOST_MATCHES])
    return _values(_standing(newest, label), 2 * MOST_MATCHES)


def labels_of_player(player: Player, *, matches: MatchQuerySet, viewer: Viewer) -> dict[str, int]:
    """The labels of the player's analysed ones of these matches with their number (one query).

    The one with most matches comes first.
    """
    rows = _standing(matches).filter(shown_to(viewer, "match"), side__seats__player=player)
    return _labels(rows)


def labels_among(matches: MatchQuerySet, *, viewer: Viewer) -> list[str]:
    """The labels of the newest analysed ones of these matches, that of most matches first (two queries)."""
    return list(_labels(_standing(list(newest_analysed(matches, viewer=viewer)[:MOST_MATCHES]))))


def newest_analysed(matches: MatchQuerySet, *, viewer: Viewer, label: str = "") -> QuerySet[Match, int]:
    """The keys of those of these matches that have sums of this label, or of any; newest first.

    Both a club's matches and the sums have an index for it.
    """
    sums = SidePlay.objects.filter(match=OuterRef("pk"))
    if label:
        sums = sums.filter(label=label)
    newest = judged_for(viewer, matches).filter(Exists(sums)).newest_first()
    return newest.values_list("pk", flat=True)


def _labels(rows: QuerySet[SidePlay]) -> dict[str, int]:
    found = rows.values("label").annotate(number=Count("match", distinct=True)).order_by("-number", "label")
    return {row["label"]: row["number"] for row in found}


def _standing(matches: MatchQuerySet | Iterable[int], label: str = "") -> QuerySet[SidePlay]:
    """Sides with one player in the standing analyses of these matches, of one label or of all.

    Of several files of one label that analyse a match the newest counts.
    """
    pair = Seat.objects.filter(side=OuterRef("side"), order__gt=0)
    head = F("match__sheet__head_hash")
    newer = FileAnalysis.objects.filter(
        source__match=OuterRef("match"),
        exact_label=OuterRef("label"),
        head_hash=OuterRef("file_analysis__head_hash"),
        pk__gt=OuterRef("file_analysis"),
    )
    ours = Q(
        analysis__status=WorkStatus.DONE,
        analysis__level__gt=Level.ESTIMATE,
        analysis__counting=current_counting(),
        analysis__head_hash=head,
    )
    of_file = Q(~Exists(newer), file_analysis__counting=current_counting(), file_analysis__head_hash=head)
    of_label = SidePlay.objects.filter(label=label) if label else SidePlay.objects.all()
    return of_label.filter(ours | of_file, ~Exists(pair), match__in=matches)


def _values(rows: QuerySet[SidePlay], limit: int) -> list[PlayedMatch]:
    opponent = Seat.objects.filter(match=OuterRef("match")).exclude(side=OuterRef("side"))
    if "opponent_rating" not in rows.query.annotations:
        rows = rows.annotate(opponent_rating=Subquery(RatingChange.objects.none().values("opponent_before")))
    found: QuerySet[SidePlay, Any] = (
        rows.annotate(opponent=Subquery(opponent.values("player__person__name")[:1]))
        .order_by("-match__played_at", "-match__ref", "pk")
        .values(
            *("pk", "match__ref", "match__played_at", "match__length"),
            *("side__seats__player__ref", "side__seats__player__person__name"),
            *("opponent", "opponent_rating", "worst", *TALLY, *DICE),
        )[:limit]
    )
    return [
        PlayedMatch(
            key=row["pk"],
            match_ref=row["match__ref"],
            played_at=row["match__played_at"],
            length=row["match__length"],
            player_ref=row["side__seats__player__ref"] or "",
            player=row["side__seats__player__person__name"] or "",
            opponent=row["opponent"] or "",
            opponent_rating=row["opponent_rating"],
            worst=row["worst"],
            tally=LossTally(*(row[name] for name in TALLY)),
            dice=DiceSums(*(row[name] for name in DICE)),
        )
        for row in found
    ]
