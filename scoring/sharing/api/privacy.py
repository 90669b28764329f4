"""API of the choice who can see analyses."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import AnalysesShown, Scope
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.log.api import known_match
from scoring.models import Match
from scoring.sharing.queries.privacy import choice_of, match_choice
from scoring.sharing.services.privacy import choose_match_privacy, choose_privacy


class PrivacyOut(serializers.Serializer[Any]):
    """Who can see the analyses of your matches. Null leaves it to the club's `analyses_shown`."""

    analyses = serializers.ChoiceField(AnalysesShown.choices, allow_null=True)


class NewPrivacy(Strict):
    """Who can see the analyses."""

    analyses = serializers.ChoiceField(AnalysesShown.choices, allow_null=True)


class MyPrivacy(ApiView):
    access = {"GET": Access(SignedIn), "PUT": Access(SignedIn, Scope.OWN)}

    @extend_schema(responses=PrivacyOut, summary="Get who can see the analyses of your matches")
    def get(self, request: ApiRequest) -> Response:
        return self.one(PrivacyOut, {"analyses": choice_of(request.user)})

    @extend_schema(
        request=NewPrivacy, responses=PrivacyOut, summary="Choose who can see the analyses of your matches"
    )
    def put(self, request: ApiRequest) -> Response:
        """If either player of a match chooses `players`, only its players see the analyses."""
        choose_privacy(user=request.user, shown=_chosen(self.valid(NewPrivacy)))
        return self.one(PrivacyOut, {"analyses": choice_of(request.user)})


class MatchPrivacyOut(serializers.Serializer[Any]):
    """Who can see the analyses of a match.

    ``mine`` is your choice for this match, null if you made none or do not play in it. ``seen`` tells whether
    you can see them.
    """

    mine = serializers.ChoiceField(AnalysesShown.choices, allow_null=True)
    seen = serializers.BooleanField()


class OneMatchPrivacy(ApiView):
    access = {"GET": Access(SignedIn), "PUT": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=MatchPrivacyOut, summary="Get who can see the analyses of a match")
    def get(self, request: ApiRequest, match: str) -> Response:
        return self._of(known_match(request.user, match)[0])

    @extend_schema(
        request=NewPrivacy, responses=MatchPrivacyOut, summary="Choose who can see the analyses of a match"
    )
    def put(self, request: ApiRequest, match: str) -> Response:
        """For players of the match. Null leaves it to your general choice."""
        found, _role = known_match(request.user, match)
        choose_match_privacy(user=request.user, match=found, shown=_chosen(self.valid(NewPrivacy)))
        return self._of(found)

    def _of(self, match: Match) -> Response:
        chosen = match_choice(match, self.request.user)
        shown = {"mine": chosen and chosen.own, "seen": can_see_analysis(self.request.user, match)}
        return self.one(MatchPrivacyOut, shown)


def _chosen(body: dict[str, Any]) -> AnalysesShown | None:
    return None if body["analyses"] is None else AnalysesShown(body["analyses"])
