"""API of two labels of a match side by side."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from clubs.http.serializers import Strict
from scoring.analysis.api import ErrorRatesOut
from scoring.analysis.queries.label_words import label_words
from scoring.analysis.queries.privacy import require_analysis
from scoring.log.api import known_match
from scoring.matches.queries.label_pairs import (
    DifferenceRow,
    LabelPair,
    LabelSide,
    label_pair,
    labels_of_match,
    side_of,
)
from scoring.models import Colour, Match
from scoring.theory.decisions import Decision


class PairWanted(Strict):
    """Refs of two analyses or file analyses of the match, and the number of the first difference."""

    one = serializers.CharField(required=False, help_text="By default the one that the match page shows.")
    two = serializers.CharField(required=False, help_text="By default the next one.")
    start = serializers.IntegerField(required=False, min_value=0, default=0)


class LabelSideOut(serializers.Serializer[LabelSide]):
    """One label. Its figures do not compare with the other's."""

    ref = serializers.CharField(source="analysis.ref")
    label = serializers.CharField(source="analysis.exact_label")  # type: ignore[assignment]
    label_words = serializers.SerializerMethodField()
    counting = serializers.CharField(source="analysis.counting")
    pr = serializers.SerializerMethodField()
    checker_pr = serializers.SerializerMethodField()
    cube_pr = serializers.SerializerMethodField()

    def get_label_words(self, side: LabelSide) -> str:
        return label_words(side.analysis.exact_label)

    @extend_schema_field(ErrorRatesOut)
    def get_pr(self, side: LabelSide) -> Any:
        return dict(zip(Colour.values, [each.pr for each in side.performances], strict=True))

    @extend_schema_field(ErrorRatesOut)
    def get_checker_pr(self, side: LabelSide) -> Any:
        return dict(zip(Colour.values, [each.checker_pr for each in side.performances], strict=True))

    @extend_schema_field(ErrorRatesOut)
    def get_cube_pr(self, side: LabelSide) -> Any:
        return dict(zip(Colour.values, [each.cube_pr for each in side.performances], strict=True))


class VerdictOut(serializers.Serializer[Decision]):
    """What one label says of a decision; ``loss`` is null where it sees nothing to choose."""

    best = serializers.CharField(source="best.action", default=None, allow_null=True)
    loss = serializers.FloatField(source="error", allow_null=True)
    level = serializers.CharField(source="best.level", default=None, allow_null=True)
    counted = serializers.BooleanField()


class DifferenceOut(serializers.Serializer[DifferenceRow]):
    """A decision that the labels judge differently; ``size`` is the difference of the losses."""

    step = serializers.IntegerField(source="step.number")
    event_seq = serializers.CharField(source="difference.first.ref")
    game = serializers.IntegerField(source="step.game")
    side = serializers.ChoiceField(source="difference.first.side", choices=Colour.choices)
    kind = serializers.CharField(source="difference.first.kind")
    played = serializers.CharField(source="difference.first.played")
    size = serializers.FloatField(source="difference.size")
    one = VerdictOut(source="difference.first")
    two = VerdictOut(source="difference.second")


class LabelPairOut(serializers.Serializer[Any]):
    """The labels of a match, and two of them side by side, the largest differences first, 20 at a time.

    ``one`` and ``two`` are null while fewer than two labels have judged the match.
    """

    labels = LabelSideOut(many=True)
    one = LabelSideOut(allow_null=True)
    two = LabelSideOut(allow_null=True)
    total = serializers.IntegerField()
    items = DifferenceOut(many=True)
    next = serializers.URLField(allow_null=True)


class MatchLabels(ApiView):
    access = {"GET": Access(Public)}

    def known_parameters(self) -> set[str]:
        return set(PairWanted().fields)

    @extend_schema(
        parameters=[PairWanted],
        responses=LabelPairOut,
        summary="Compare two analyses of a match",
    )
    def get(self, request: Request, match: str) -> Response:
        """Every label that has judged the match as it stands, and where two of them differ first.

        403 where the players keep them to themselves.
        """
        found, _role = known_match(request.user, match)
        require_analysis(request.user, found.pk)
        asked = PairWanted(data=request.query_params)
        asked.is_valid(raise_exception=True)
        one, two = (asked.validated_data.get(name, "") for name in ("one", "two"))
        labels = labels_of_match(found)
        for ref in {one, two} - {"", *(each.ref for each in labels)}:
            raise Http404(_("There is no analysis %(ref)s of this match.") % {"ref": ref})
        pair = label_pair(found, labels, one, two, start=asked.validated_data["start"])
        return self.one(
            LabelPairOut,
            {
                "labels": [side_of(each) for each in labels],
                "one": pair.sides[0] if pair else None,
                "two": pair.sides[1] if pair else None,
                "total": pair.total if pair else 0,
                "items": pair.rows if pair else [],
                "next": self._next(found, pair),
            },
        )

    def _next(self, match: Match, pair: LabelPair | None) -> str | None:
        if pair is None or pair.next is None:
            return None
        one, two = (side.analysis.ref for side in pair.sides)
        path = f"{reverse('api:match_labels', args=[match.ref])}?one={one}&two={two}&start={pair.next}"
        return str(self.request.build_absolute_uri(path))
