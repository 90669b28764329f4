"""API of what a link shows, for everyone who has it."""

from typing import Any

from django.http import Http404
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from clubs.http.problem_kinds import GONE
from clubs.http.problems import refuse
from clubs.http.serializers import Strict
from scoring.analysis.api import ErrorRatesOut
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Colour, LinkShows
from scoring.sharing.queries.links import SharedMatch, link_with, shared_by
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.performance import ErrorMark

PRIVATE = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}


class StepWanted(Strict):
    """The step to show; a link to one decision shows that one."""

    step = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        default=None,
        help_text="By default the first one that the link's page shows.",
    )


class ShownCandidateOut(serializers.Serializer[Candidate]):
    """A play or cube action. ``probabilities``: win, gammon, backgammon, lost gammon, lost backgammon."""

    action = serializers.CharField()
    equity = serializers.FloatField()
    probabilities = serializers.ListField(child=serializers.FloatField())
    level = serializers.CharField()
    played = serializers.BooleanField()


class ShownDecisionOut(serializers.Serializer[Decision]):
    """A judged decision; ``error`` is the decider's equity loss, candidates best first."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in DecisionKind])
    side = serializers.ChoiceField(choices=Colour.choices)
    played = serializers.CharField(allow_blank=True)
    error = serializers.FloatField(allow_null=True)
    counted = serializers.BooleanField()
    luck = serializers.FloatField(allow_null=True)
    candidates = ShownCandidateOut(many=True)


class ShownErrorOut(serializers.Serializer[Any]):
    """An error or a blunder, and the step where it was made."""

    step = serializers.IntegerField(source="stop.step.number")
    side = serializers.ChoiceField(source="judgement.decision.side", choices=Colour.choices)
    error = serializers.FloatField(source="judgement.error")
    mark = serializers.ChoiceField(
        source="judgement.mark", choices=[ErrorMark.ERROR.value, ErrorMark.BLUNDER.value]
    )


class SharedOut(serializers.Serializer[SharedMatch]):
    """What a link shows: the match, one of its steps, and with the analysis its sums and errors.

    ``label`` is empty without an analysis; ``kept`` says that the link is for it but a player keeps it.
    ``xgid`` is empty for a position that has none. ``biggest_errors`` are all errors, the biggest first.
    """

    shows = serializers.ChoiceField(source="link.shows", choices=LinkShows.choices)
    ends_at = serializers.DateTimeField(source="link.ends_at")
    white = serializers.CharField(source="match.white.name")
    black = serializers.CharField(source="match.black.name")
    length = serializers.IntegerField(source="match.length")
    played_at = serializers.DateTimeField(source="match.played_at")
    kept = serializers.BooleanField()
    steps = serializers.SerializerMethodField(help_text="How many steps can be asked for.")
    step = serializers.SerializerMethodField(help_text="The step that is shown; 0 for a result alone.")
    game = serializers.SerializerMethodField()
    points = serializers.SerializerMethodField(help_text="White's and Black's at this step.")
    xgid = serializers.SerializerMethodField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    decisions = serializers.SerializerMethodField()
    pr = serializers.SerializerMethodField(help_text="null unless the link shows the whole analysis.")
    biggest_errors = serializers.SerializerMethodField()

    @property
    def page(self) -> MatchPage:
        page: MatchPage = self.context["page"]
        return page

    def get_steps(self, shown: SharedMatch) -> int:
        return 1 if shown.only is not None else len(self.page.steps) if self.page.has_positions else 0

    def get_step(self, _shown: SharedMatch) -> int:
        return self.page.number

    @extend_schema_field({"type": "integer", "nullable": True})
    def get_game(self, _shown: SharedMatch) -> int | None:
        return self.page.current.step.game if self.page.current else None

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_points(self, _shown: SharedMatch) -> list[int]:
        return list(self.page.scores)

    def get_xgid(self, _shown: SharedMatch) -> str:
        return self.page.xgid or ""

    def get_label(self, _shown: SharedMatch) -> str:
        return self.page.analysis.exact_label if self.page.analysis else ""

    @extend_schema_field(ShownDecisionOut(many=True))
    def get_decisions(self, _shown: SharedMatch) -> Any:
        judged = self.page.current.judgements if self.page.current else ()
        decisions: Any = [each.decision for each in judged]
        return ShownDecisionOut(decisions, many=True).data

    @extend_schema_field(ErrorRatesOut(allow_null=True))
    def get_pr(self, shown: SharedMatch) -> Any:
        if shown.only is not None or self.page.performances is None:
            return None
        return dict(zip(Colour.values, [each.pr for each in self.page.performances], strict=True))

    @extend_schema_field(ShownErrorOut(many=True))
    def get_biggest_errors(self, shown: SharedMatch) -> Any:
        return ShownErrorOut(self.page.errors if shown.only is None else [], many=True).data


class SharedLink(ApiView):
    access = {"GET": Access(Public)}

    def known_parameters(self) -> set[str]:
        return set(StepWanted().fields)

    @extend_schema(
        parameters=[StepWanted],
        responses=SharedOut,
        summary="Get what a link shows",
    )
    @sensitive_variables("secret")
    def get(self, request: Request, secret: str) -> Response:
        """``secret`` is the last part of the link's address. 410 after the link has ended.

        It does not count as an opening.
        """
        link = link_with(secret)
        if link is None:
            raise Http404(_("No link has this address. Check that you have copied all of it."))
        shown = shared_by(link)
        if shown is None:
            raise refuse(GONE, _("This link has ended. Ask for a new one."))
        asked = StepWanted(data=request.query_params)
        asked.is_valid(raise_exception=True)
        step = asked.validated_data["step"]
        page = shown.page(step)
        if step is not None and page.number != step:
            raise Http404(_("This link shows no step %(step)s.") % {"step": step})
        context = {**self.get_serializer_context(), "page": page}
        response = Response(SharedOut(shown, context=context).data)
        add_never_cache_headers(response)
        for name, value in PRIVATE.items():
            response.headers[name] = value
        return response
