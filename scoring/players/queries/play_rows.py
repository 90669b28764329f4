"""Each side's play in the newest analysed matches, for the pages that add them up.

A page reads at most `MOST_MATCHES` matches, the newest, of one label, so that none grows with a club. Only
analyses of the sheet as it stands that the viewer can see count, and only sides with one player.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery

from clubs.access import Viewer
from clubs.models import Player, WorkStatus
from scoring.analysis.queries.privacy import judged_for, shown_to
from scoring.models import FileAnalysis, Level, Match, RatingChange, RatingList, Seat, SidePlay
from scoring.models.analysis import current_counting
from scoring.models.match import MatchQuerySet
from scoring.theory.play_sums import DiceSums, LossTally

MOST_MATCHES = 1000
FIRST_LOOK, FURTHER = 1200, 8
"""How many of a player's newest sums are looked at first, and how many times more if too few are seen."""
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
    """The player's newest analysed ones of these matches, newest first (two queries).

    ``rating_list`` is the one from which the opponents' ratings at that time come.
    """
    faced = RatingChange.objects.filter(match=OuterRef("match"), player=player, list=rating_list).values(
        "opponent_before"
    )[:1]
    size = FIRST_LOOK
    while True:
        keys = list(_newest_first(player, label).values_list("pk", flat=True)[:size]) if label else []
        if not keys:
            return []
        rows = _seen_among(keys, matches, viewer).annotate(opponent_rating=Subquery(faced))
        found = _values(rows, MOST_MATCHES, order=("-played_at", "-pk"))
        if len(found) == MOST_MATCHES or len(keys) < size:
            return found
        size *= FURTHER  # many that the viewer cannot see


def newest_of_all(matches: MatchQuerySet, *, label: str, viewer: Viewer) -> list[PlayedMatch]:
    """Both sides of the newest analysed ones of these matches, newest first (two queries)."""
    newest = list(newest_analysed(matches, label=label, viewer=viewer)[:MOST_MATCHES])
    return _values(_standing(newest, label), 2 * MOST_MATCHES)


def labels_of_player(player: Player, *, matches: MatchQuerySet, viewer: Viewer) -> dict[str, int]:
    """The labels of the player's analysed ones of these matches with their number, `MOST_MATCHES` at most.

    The one with most matches comes first, of equals the one of the newest match (two queries).
    """
    size = FIRST_LOOK
    while True:
        newest = _newest_sums(player, size)
        keys = [key for each in newest.values() for key in each]
        if not keys:
            return {}
        rows = _seen_among(keys, matches, viewer).values("label")
        counted = rows.annotate(number=Count("match", distinct=True), last=Max("played_at"))
        found = {row["label"]: (min(row["number"], MOST_MATCHES), row["last"]) for row in counted}
        if not any(_is_cut(len(newest[each]), size, found.get(each)) for each in newest):
            ordered = sorted(found, key=lambda each: (*found[each], each), reverse=True)
            return {each: found[each][0] for each in ordered}
        size *= FURTHER


def _is_cut(looked_at: int, size: int, found: tuple[int, datetime] | None) -> bool:
    """Whether there are more sums of a label than were looked at, and too few of those are seen."""
    return looked_at == size and (found is None or found[0] < MOST_MATCHES)


def _newest_sums(player: Player, size: int) -> dict[str, list[int]]:
    """The keys of the player's newest sums of each label, from the index alone (one query)."""
    first = SidePlay.objects.filter(player=player).values("label").annotate(one=Min("pk")).values("one")
    newest = _newest_first(player, OuterRef("label")).values("pk")[:size]
    rows = SidePlay.objects.filter(pk__in=first).annotate(keys=ArraySubquery(newest))
    return dict(rows.values_list("label", "keys"))


def _newest_first(player: Player, label: str | OuterRef) -> QuerySet[SidePlay]:
    return SidePlay.objects.filter(player=player, label=label).order_by("-played_at", "-pk")


def _seen_among(keys: Iterable[int], matches: MatchQuerySet, viewer: Viewer) -> QuerySet[SidePlay]:
    """Those of these sums that stand, of these matches, in analyses that the viewer can see."""
    rows = SidePlay.objects.filter(pk__in=list(keys))
    known = matches.filter(pk__in=rows.values("match"))
    return _standing(known).filter(shown_to(viewer, "match"), pk__in=list(keys))


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
    return of_label.filter(ours | of_file, player__isnull=False, match__in=matches)


def _values(
    rows: QuerySet[SidePlay], limit: int, *, order: Sequence[str] = ("-played_at", "-match__ref", "pk")
) -> list[PlayedMatch]:
    opponent = Seat.objects.filter(match=OuterRef("match")).exclude(side=OuterRef("side"))
    if "opponent_rating" not in rows.query.annotations:
        rows = rows.annotate(opponent_rating=Subquery(RatingChange.objects.none().values("opponent_before")))
    found: QuerySet[SidePlay, Any] = (
        rows.annotate(opponent=Subquery(opponent.values("player__person__name")[:1]))
        .order_by(*order)
        .values(
            *("pk", "match__ref", "played_at", "match__length", "player__ref", "player__person__name"),
            *("opponent", "opponent_rating", "worst", *TALLY, *DICE),
        )[:limit]
    )
    return [
        PlayedMatch(
            key=row["pk"],
            match_ref=row["match__ref"],
            played_at=row["played_at"],
            length=row["match__length"],
            player_ref=row["player__ref"] or "",
            player=row["player__person__name"] or "",
            opponent=row["opponent"] or "",
            opponent_rating=row["opponent_rating"],
            worst=row["worst"],
            tally=LossTally(*(row[name] for name in TALLY)),
            dice=DiceSums(*(row[name] for name in DICE)),
        )
        for row in found
    ]
