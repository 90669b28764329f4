"""API of the format chooser."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from tournaments.core.brackets.shape import SectionShape
from tournaments.core.timetable.forecast import Conditions
from tournaments.core.timetable.suitability import Concern, Suitability
from tournaments.events.announcements import MOST_FEEDING
from tournaments.events.forms.chooser import LONGEST, MOST_ENTRANTS
from tournaments.events.queries.chooser import FeedingRounds, FormatLine, compared
from tournaments.events.queries.template_verdicts import TemplateLine, judged_templates
from tournaments.words.suitability import reason


class FormatsAsked(serializers.Serializer[Any]):
    """A field to compare formats for."""

    entrants = serializers.IntegerField(min_value=2, max_value=MOST_ENTRANTS)
    length = serializers.IntegerField(min_value=1, max_value=LONGEST, default=5)
    tables = serializers.IntegerField(min_value=1, max_value=64, required=False)
    clocks = serializers.BooleanField(default=True)
    consolation_rounds = serializers.IntegerField(
        min_value=1, max_value=MOST_FEEDING, required=False, help_text="Feed a consolation at least."
    )
    last_chance_rounds = serializers.IntegerField(
        min_value=1, max_value=MOST_FEEDING, required=False, help_text="Feed a last chance at least."
    )


class ConcernOut(serializers.Serializer[Concern]):
    """A reason against a format: a stable code, its numbers, and a phrase in your language."""

    code = serializers.CharField()
    count = serializers.IntegerField()
    of = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)
    text = serializers.SerializerMethodField()

    def get_text(self, concern: Concern) -> str:
        return reason(concern)


class FedByOut(serializers.Serializer[Any]):
    """A round whose losers enter a section."""

    section = serializers.SerializerMethodField()
    round = serializers.SerializerMethodField()

    def get_section(self, fed: tuple[str, int]) -> str:
        return fed[0]

    def get_round(self, fed: tuple[str, int]) -> int:
        return fed[1]


class SectionShapeOut(serializers.Serializer[SectionShape]):
    """A section as it would be drawn; `matches` and `byes` are by round."""

    section = serializers.CharField()
    entrants = serializers.IntegerField()
    matches = serializers.ListField(child=serializers.IntegerField())
    byes = serializers.ListField(child=serializers.IntegerField())
    most_byes = serializers.IntegerField()
    fed_by = FedByOut(many=True)


class FormatOut(serializers.Serializer[FormatLine]):
    """A format for the field: the verdict with its reasons, the drawn shape, and a forecast.

    The forecast is null where the verdict needs no simulation. `best_wins` is in percent.
    """

    format = serializers.CharField(source="key")
    name = serializers.CharField()
    suitability = serializers.ChoiceField(choices=[each.value for each in Suitability])
    verdict = serializers.CharField()
    reasons = ConcernOut(source="judgement.reasons", many=True)
    sections = SectionShapeOut(source="judgement.sections", many=True)
    not_drawn = serializers.ListField(source="judgement.not_drawn", child=serializers.CharField())
    minutes_median = serializers.IntegerField(source="usually", allow_null=True)
    minutes_p90 = serializers.IntegerField(source="at_worst", allow_null=True)
    matches_each = serializers.FloatField(allow_null=True)
    best_wins = serializers.IntegerField(allow_null=True)


class TemplateOut(serializers.Serializer[TemplateLine]):
    """A template for the field: the verdict on its stages and its places, with the reasons."""

    template = serializers.CharField(source="key")
    name = serializers.CharField()
    suitability = serializers.ChoiceField(choices=[each.value for each in Suitability])
    verdict = serializers.CharField()
    reasons = ConcernOut(source="judgement.reasons", many=True)


class FormatsOut(serializers.Serializer[Any]):
    """Every format compared, those that suit first, and every template."""

    entrants = serializers.IntegerField()
    formats = FormatOut(many=True)
    templates = TemplateOut(many=True)


class Formats(ApiView):
    access = {"GET": Access(Public)}

    def known_parameters(self) -> set[str]:
        return set(FormatsAsked().fields)

    @extend_schema(parameters=[FormatsAsked], responses=FormatsOut, summary="Compare formats")
    def get(self, request: Request) -> Response:
        """Says which formats and templates suit a number of entrants, and why others do not; simulated."""
        asked = FormatsAsked(data=request.query_params)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        field = (
            data["entrants"],
            Conditions(tables=data.get("tables"), clocks=data["clocks"], length=data["length"]),
            FeedingRounds(data.get("consolation_rounds"), data.get("last_chance_rounds")),
        )
        answer = {"formats": compared(*field), "templates": judged_templates(*field)}
        return self.one(FormatsOut, {"entrants": data["entrants"], **answer})
