"""API for standings."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from tournaments.events.access import known_stage
from tournaments.models import StageStatus
from tournaments.stages.queries.entrant_results import EntrantResult, entrant_results
from tournaments.stages.queries.stage_picture import Picture, picture_of
from tournaments.stages.services.stages import load


class TieBreakOut(serializers.Serializer[Any]):
    """One tie-break of a row; higher is better.

    `direct_encounter` is the rank among those tied, 0 if their encounters do not separate them.
    """

    key = serializers.CharField()
    value = serializers.FloatField()


class StandingResultOut(serializers.Serializer[Any]):
    """A match of an entrant; `points` are their own, null where none were played for."""

    match = serializers.IntegerField(help_text="The number of the match in the draw.")
    round = serializers.CharField()
    opponent = serializers.CharField(help_text="A ref.")
    points = serializers.IntegerField(allow_null=True)
    opponent_points = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField(allow_null=True, help_text="Null until the match is decided.")


class StandingRowOut(serializers.Serializer[Any]):
    """An entrant's place, shared from `first` to `last`.

    Brackets have no score and no tie-breaks.
    """

    entrant = serializers.CharField(help_text="A ref.")
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    withdrawn = serializers.BooleanField(help_text="Withdrawn or disqualified.")
    score = serializers.FloatField(
        allow_null=True, help_text="Wins and byes; points in a Keizer, whose values are among the tie-breaks."
    )
    tie_breaks = TieBreakOut(many=True)
    won = serializers.IntegerField(help_text="Matches won; byes do not count.")
    lost = serializers.IntegerField()
    results = StandingResultOut(many=True)


class StandingsOut(serializers.Serializer[Any]):
    """The standings of a stage; empty before the draw and before any result."""

    final = serializers.BooleanField()
    rows = StandingRowOut(many=True)


class StageStandings(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=StandingsOut, summary="Get the standings of a stage, with tie-breaks")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        if found.drawn_at is None:
            return self.one(StandingsOut, {"final": False, "rows": []})
        picture = picture_of(found, load(found))
        final = found.status == StageStatus.FINISHED
        return self.one(StandingsOut, {"final": final, "rows": list(_rows(picture))})


def _rows(picture: Picture) -> Iterator[dict[str, Any]]:
    results = entrant_results(picture)
    won, lost = picture.records
    scored = {row.place.entrant: row for row in picture.table}
    for place in picture.places:
        row = scored.get(place.entrant)
        yield {
            "entrant": picture.names[place.entrant].ref,
            "first": place.first,
            "last": place.last,
            "withdrawn": place.entrant in picture.value.gone,
            "score": row.score if row else None,
            "tie_breaks": [{"key": key, "value": value} for key, value in row.values] if row else [],
            "won": won[place.entrant],
            "lost": lost[place.entrant],
            "results": [_result(picture, each) for each in results[place.entrant]],
        }


def _result(picture: Picture, result: EntrantResult) -> dict[str, Any]:
    return {
        "match": result.match,
        "round": result.round,
        "opponent": picture.names[result.opponent].ref,
        "points": result.own,
        "opponent_points": result.other,
        "won": result.won,
    }
