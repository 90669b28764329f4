"""API of the cube at one step of a match: the doubling window at the score."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from scoring.analysis.queries.privacy import require_analysis
from scoring.log.api import known_match
from scoring.matches.queries.match_page import MatchPage
from scoring.theory.cube_window import CubeWindow


class CubeWindowOut(serializers.Serializer[CubeWindow]):
    """Chances to win the game, 0 to 1, for a cube that is dead once it is turned.

    The take points are the taker's, the others the doubler's. All but the first are at the gammon rates of
    the position.
    """

    take_point = serializers.FloatField()
    take_point_with_gammons = serializers.FloatField()
    doubling_point = serializers.FloatField()
    cash_point = serializers.FloatField()
    too_good_point = serializers.FloatField(allow_null=True, help_text="null: never too good.")


class StepCubeOut(serializers.Serializer[Any]):
    """The cube decisions at a step; ``label`` is that of the analysis with the chances."""

    step = serializers.IntegerField()
    label = serializers.CharField(allow_blank=True, help_text="Empty before an analysis.")  # type: ignore[assignment]
    window = CubeWindowOut(
        allow_null=True,
        help_text="null: no cube decision, no chances, money play, or the Crawford game.",
    )


class StepCube(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=StepCubeOut, summary="Get the doubling window at a step")
    def get(self, request: Request, match: str, step: int) -> Response:
        """The window of the cube decision at this step of the match.

        403 where the players keep the analysis.
        """
        found, _role = known_match(request.user, match)
        require_analysis(request.user, found.pk)
        page = MatchPage(found, step, judged=True)
        if page.number != step:
            raise Http404(_("There is no step %(step)s in this match.") % {"step": step})
        verdicts = [page.verdict, *(page.current.others if page.current else [])]
        windows = (each.window for each in verdicts if each is not None)
        return self.one(
            StepCubeOut,
            {
                "step": step,
                "label": page.analysis.exact_label if page.analysis else "",
                "window": next((each for each in windows if each is not None), None),
            },
        )
