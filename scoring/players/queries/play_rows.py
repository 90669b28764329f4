"""Each side's play in the newest analysed matches, for the pages that add them up.

A page reads at most `MOST_MATCHES` matches, the newest, of one label, so that none grows with a club. Only
analyses of the sheet as it stands that the viewer can see count, and only sides with one player.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery

from clubs.access import Viewer
from clubs.models import Club, Player, WorkStatus
from scoring.analysis.queries.privacy import judged_for, shown_to
from scoring.log.queries.visible import open_to
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


def seen_sums(player: Player, *, clubs: Iterable[Club], viewer: Viewer) -> dict[str, list[int]]:
    """The keys of the player's newest sums in these visible clubs, by label; newest first (two queries).

    Only matches and analyses that the viewer can see count, `MOST_MATCHES` of a label at most. The label of
    most matches comes first, of equals the one of the newest match.
    """
    size = FIRST_LOOK
    while True:
        newest = _newest_sums(player, size)
        seen = dict(_seen_among(newest, clubs, viewer)) if newest else {}
        found = {label: [key for key in keys if key in seen] for label, keys in newest.items()}
        # Of no label there are more than were looked at, and too few of those seen.
        if all(len(keys) < size or len(found[label]) >= MOST_MATCHES for label, keys in newest.items()):
            break
        size *= FURTHER
    told = {label: keys[:MOST_MATCHES] for label, keys in found.items() if keys}
    order = sorted(told, key=lambda each: (len(told[each]), seen[told[each][0]], each), reverse=True)
    return {label: told[label] for label in order}


def newest_of_player(
    player: Player, keys: Sequence[int], *, rating_list: RatingList | None = None
) -> list[PlayedMatch]:
    """The player's matches of these sums, newest first (one query; none without keys).

    ``rating_list`` is the one from which the opponents' ratings at that time come.
    """
    faced = RatingChange.objects.filter(match=OuterRef("match"), player=player, list=rating_list).values(
        "opponent_before"
    )[:1]
    rows = SidePlay.objects.filter(pk__in=keys).annotate(opponent_rating=Subquery(faced))
    return _values(rows, len(keys), order=("-played_at", "-pk")) if keys else []


def newest_of_all(matches: MatchQuerySet, *, label: str, viewer: Viewer) -> list[PlayedMatch]:
    """Both sides of the newest analysed ones of these matches, newest first (two queries)."""
    newest = list(newest_analysed(matches, label=label, viewer=viewer)[:MOST_MATCHES])
    return _values(_standing(newest, label), 2 * MOST_MATCHES)


def _newest_sums(player: Player, size: int) -> dict[str, list[int]]:
    """The keys of the player's newest sums of each label, from the index alone (one query)."""
    first = SidePlay.objects.filter(player=player).values("label").annotate(one=Min("pk")).values("one")
    own = SidePlay.objects.filter(player=player, label=OuterRef("label"))
    newest = own.order_by("-played_at", "-pk").values("pk")[:size]
    rows = SidePlay.objects.filter(pk__in=first).annotate(keys=ArraySubquery(newest))
    return dict(rows.values_list("label", "keys"))


def _seen_among(
    newest: Mapping[str, Sequence[int]], clubs: Iterable[Club], viewer: Viewer
) -> QuerySet[SidePlay, tuple[int, datetime]]:
    """Those of these sums that stand, of visible matches and analyses, and when each match was played."""
    rows = SidePlay.objects.filter(pk__in=[key for keys in newest.values() for key in keys])
    rows = rows.filter(_stands(), open_to(viewer, "match"), shown_to(viewer, "match"))
    return rows.filter(match__club__in=[club.pk for club in clubs]).values_list("pk", "played_at")


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
    """Sides with one player in the standing analyses of these matches, of one label or of all."""
    of_label = SidePlay.objects.filter(label=label) if label else SidePlay.objects.all()
    return of_label.filter(_stands(), player__isnull=False, match__in=matches)


def _stands() -> Q:
    """The condition on sums that their analysis stands; of several files of one label the newest counts."""
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
    return ours | of_file


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
