"""What the analyses of matches say in lists: the label and the sums of one analysis of each match.

An analysis of ours comes first, then the one that a match file brings. No estimate is told.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, Value

from clubs.access import Viewer
from scoring.analysis.queries.performances import standing_in_files, standing_of_ours
from scoring.analysis.queries.privacy import judged_for
from scoring.models import Analysis, Match
from scoring.models.match import MatchQuerySet


@dataclass(frozen=True, slots=True)
class ListedAnalysis:
    """The exact label of an analysis, and its summary as ``Analysis.summary`` has it."""

    label: str
    summary: dict[str, Any] | None


def told_of(analysis: Analysis | None) -> ListedAnalysis | None:
    """What one of our analyses says; None for an estimate."""
    return ListedAnalysis(analysis.label, analysis.summary) if analysis and not analysis.is_estimate else None


def told_about(matches: Iterable[Match], viewer: Viewer) -> dict[int, ListedAnalysis]:
    """What the analyses that the viewer can see say of these matches, by match pk (one query)."""
    pks = [match.pk for match in matches]
    ours = (
        standing_of_ours(viewer)
        .filter(match__in=pks)
        .order_by("match_id", "-level", "-finished_at", "-pk")
        .distinct("match_id")
        .annotate(of_file=Value(value=False))
        .values_list("of_file", "match_id", "label", "summary")
    )
    of_files = (
        standing_in_files(viewer)
        .filter(source__match__in=pks)
        .order_by("source__match_id", "-program", "-source__at", "-pk")  # xg, stated, gnubg
        .distinct("source__match_id")
        .annotate(of_file=Value(value=True))
        .values_list("of_file", "source__match_id", "exact_label", "summary")
    )
    found: dict[int, ListedAnalysis] = {}
    for _of_file, pk, label, summary in sorted(ours.union(of_files, all=True), key=lambda row: row[0]):
        found.setdefault(pk, ListedAnalysis(label, summary))
    return found


def judged_among(matches: MatchQuerySet, viewer: Viewer) -> MatchQuerySet:
    """The matches that ``told_about`` has something to say of."""
    ours = Analysis.objects.done().without_estimates().filter(match=OuterRef("pk"))
    ours = ours.filter(head_hash=OuterRef("sheet__head_hash"))
    of_files = standing_in_files(viewer).values("source__match")
    return judged_for(viewer, matches.filter(Exists(ours) | Q(pk__in=of_files)))
