"""Error rates from stored analyses: of a match, and of players over many matches of one engine label.

Only the analysis of a match as its sheet stands counts, if the viewer can see it; no estimate does, and only
sides with one player: a pair's error rate is nobody's own. Sums pool by addition in
``scoring.theory.performance``, never over two labels, and never over two rules of counting.
"""

from collections.abc import Iterable
from typing import Any, Protocol

from django.db.models import Case, Count, Exists, F, FloatField, OuterRef, QuerySet, Sum, Value, When
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast

from clubs.access import Viewer
from clubs.models import Club, Player, WorkStatus
from scoring.analysis.queries.privacy import analyses_seen_by, judged_for, shown_to
from scoring.models import Analysis, Colour, FileAnalysis, Level, Match, Seat
from scoring.models.analysis import AnalysisQuerySet, current_counting
from scoring.models.file_analysis import is_from_file
from scoring.models.match import MatchQuerySet
from scoring.theory.performance import Performance


class HasSummary(Protocol):
    """An analysis, or what a list tells of one."""

    @property
    def summary(self) -> Any: ...


SUMS = ("checker_loss", "checker_counted", "cube_loss", "cube_counted", "luck", "luck_rolls")


def standing_analyses(matches: Iterable[Match], viewer: Viewer | None) -> dict[int, Analysis]:
    """The deepest analysis of each match's current sheet, the newest of equals, by match pk (one query).

    Those that the viewer cannot see are left out; None is the installation itself.
    """
    rows = (
        standing_of_ours(viewer)
        .filter(match__in=[match.pk for match in matches])
        .order_by("match_id", "-level", "-finished_at", "-pk")
        .distinct("match_id")
    )
    return {row.match_id: row for row in rows}


def analysed_among(matches: MatchQuerySet, viewer: Viewer | None) -> MatchQuerySet:
    """The matches with a finished analysis of their current sheet that the viewer can see."""
    done = Analysis.objects.done().without_estimates().filter(match=OuterRef("pk"))
    done = done.filter(head_hash=OuterRef("sheet__head_hash"))
    return judged_for(viewer, matches.filter(Exists(done)))


def performance_of(analysis: HasSummary, colour: str) -> Performance:
    """One side's sums over the whole match of a finished analysis."""
    summary = analysis.summary or {}
    sums = summary.get("match", {}).get(colour, {})
    return Performance(**{name: sums[name] for name in SUMS if name in sums})


def labels_in(clubs: QuerySet[Club], viewer: Viewer | None) -> list[str]:
    """The engine labels of these clubs' analyses, the one with most matches first (one query)."""
    rows = (
        standing_of_ours(viewer)
        .filter(match__club__in=clubs)
        .values("label")
        .annotate(matches=Count("pk"))  # a label has one analysis of a match as its sheet stands
        .order_by("-matches", "label")
    )
    return [row["label"] for row in rows]


def file_labels_in(clubs: QuerySet[Club], viewer: Viewer) -> list[str]:
    """The labels of the files that analyse matches of these clubs, by the most matches (one query)."""
    found = standing_in_files(viewer).filter(source__match__club__in=clubs).values("exact_label")
    rows = found.annotate(matches=Count("pk")).order_by("-matches", "exact_label")
    return [row["exact_label"] for row in rows]


def pooled(
    players: Iterable[int], *, matches: MatchQuerySet, label: str, viewer: Viewer
) -> dict[int, Performance]:
    """Each player's sums over all of these matches that are analysed, by the player's pk (one query).

    Analyses that the viewer cannot see do not count.

    Players without an analysed match are left out.
    """
    seats = _analysed_seats(matches, label, viewer).filter(player__in=list(players))
    sums = {name: Sum(_own(name, label)) for name in SUMS}
    rows: QuerySet[Seat, Any] = seats.values("player").annotate(**sums)
    return {row["player"]: _performance(row) for row in rows}


def labels_of(player: Player, *, matches: MatchQuerySet, viewer: Viewer) -> dict[str, int]:
    """The labels of the player's analysed ones of these matches with their number, the most frequent first.

    One query.
    """
    rows = (
        standing_of_ours(viewer)
        .filter(match__in=matches.filter(seats__player=player))
        .values("label")
        .annotate(matches=Count("match", distinct=True))
        .order_by("-matches", "label")
    )
    return {row["label"]: row["matches"] for row in rows}


def standing_of_ours(viewer: Viewer | None) -> AnalysisQuerySet:
    """Our analyses of their match's current sheet that the viewer can see."""
    done = Analysis.objects.done().without_estimates().filter(counting=current_counting())
    found = done.filter(head_hash=F("match__sheet__head_hash"))
    return analyses_seen_by(viewer, found.filter(match__in_chouette=False))


def standing_in_files(viewer: Viewer) -> QuerySet[FileAnalysis]:
    """The analyses in files that judge their match's current sheet, of each label the newest of a match."""
    found = FileAnalysis.objects.filter(
        counting=current_counting(), head_hash=F("source__match__sheet__head_hash")
    )
    newer = found.filter(source__match=OuterRef("source__match"), exact_label=OuterRef("exact_label"))
    found = found.filter(~Exists(newer.filter(pk__gt=OuterRef("pk"))))
    return found.filter(shown_to(viewer, "source__match"))


def _analysed_seats(matches: MatchQuerySet, label: str, viewer: Viewer) -> QuerySet[Seat]:
    """Seats of players alone at their side, each joined to the one standing analysis of the label."""
    partner = Seat.objects.filter(side=OuterRef("side"), order__gt=0)
    alone = Seat.objects.filter(~Exists(partner), match__in=matches)
    if is_from_file(label):
        of_label = standing_in_files(viewer).filter(exact_label=label)
        return alone.filter(match__sources__analysis__in=of_label)
    return alone.filter(
        shown_to(viewer, "match"),
        match__analyses__status=WorkStatus.DONE,
        match__analyses__label=label,
        match__analyses__counting=current_counting(),
        match__analyses__level__gt=Level.ESTIMATE,
        match__analyses__head_hash=F("match__sheet__head_hash"),
    )


def _own(name: str, label: str) -> Combinable:
    """A sum of the seat's own colour in the joined analysis of the label."""
    number = FloatField()
    joined = "match__sources__analysis" if is_from_file(label) else "match__analyses"
    whole = KeyTransform("match", f"{joined}__summary")
    return Case(
        *(
            When(side__colour=colour, then=Cast(KeyTextTransform(name, KeyTransform(colour, whole)), number))
            for colour in Colour.values
        ),
        default=Value(0.0),
        output_field=number,
    )


def _performance(row: dict[str, Any]) -> Performance:
    sums = {name: row[name] or 0.0 for name in SUMS}
    return Performance(
        sums["checker_loss"],
        int(sums["checker_counted"]),
        sums["cube_loss"],
        int(sums["cube_counted"]),
        sums["luck"],
        int(sums["luck_rolls"]),
    )
