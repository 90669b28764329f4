"""What the analyses of matches say in lists: the label and the sums of one analysis of each match.

An analysis of ours comes first, then the one that a match file brings. No estimate is told.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, JSONObject

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
    rows = Match.with_boards.filter(pk__in=[match.pk for match in matches]).annotate(told=told_to(viewer))
    found = ((pk, listed(told)) for pk, told in rows.values_list("pk", "told"))
    return {pk: each for pk, each in found if each is not None}


def told_to(viewer: Viewer) -> Combinable:
    """What an analysis that the viewer can see says of each match of a query, for :func:`listed`."""
    ours = standing_of_ours(viewer).filter(match=OuterRef("pk")).order_by("-level", "-finished_at", "-pk")
    in_files = standing_in_files(viewer).filter(source__match=OuterRef("pk"))
    in_files = in_files.order_by("-program", "-source__at", "-pk")  # xg, stated, gnubg
    return Coalesce(
        Subquery(ours.values(told=JSONObject(label="label", summary="summary"))[:1]),
        Subquery(in_files.values(told=JSONObject(label="exact_label", summary="summary"))[:1]),
    )


def listed(told: Mapping[str, Any] | None) -> ListedAnalysis | None:
    """What :func:`told_to` has found of a match."""
    return None if told is None else ListedAnalysis(told["label"], told["summary"])


def judged_among(matches: MatchQuerySet, viewer: Viewer) -> MatchQuerySet:
    """The matches that ``told_about`` has something to say of."""
    ours = Analysis.objects.done().without_estimates().filter(match=OuterRef("pk"))
    ours = ours.filter(head_hash=OuterRef("sheet__head_hash"))
    of_files = standing_in_files(viewer).values("source__match")
    return judged_for(viewer, matches.filter(Exists(ours) | Q(pk__in=of_files)))
