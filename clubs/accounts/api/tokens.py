"""API tokens of the signed-in user: list and revoke; created on the website only."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.accounts.services.tokens import revoke_token
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.models import ApiToken, Scope


class TokenOut(serializers.ModelSerializer[ApiToken]):
    """A token without its secret."""

    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))

    class Meta:
        model = ApiToken
        fields = ["ref", "label", "prefix", "scopes", "created_at", "last_used_at", "expires_at"]


class Tokens(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("-created_at", "pk")

    @extend_schema(responses=TokenOut(many=True), summary="List your tokens, newest first")
    def get(self, request: ApiRequest) -> Response:
        return self.listed(ApiToken.objects.of_user(request.user), TokenOut)


class Token(ApiView):
    access = {"GET": Access(SignedIn), "DELETE": Access(SignedIn, Scope.OWN)}

    @extend_schema(responses=TokenOut, summary="Get one of your tokens")
    def get(self, request: ApiRequest, token: str) -> Response:
        found = ApiToken.objects.of_user(request.user).filter(ref=token).first()
        if found is None:
            raise _no_token()
        return self.one(TokenOut, found)

    @extend_schema(responses={204: None}, summary="Revoke one of your tokens")
    def delete(self, request: ApiRequest, token: str) -> Response:
        try:
            revoke_token(user=request.user, ref=token)
        except ApiToken.DoesNotExist as error:
            raise _no_token() from error
        return Response(status=204)


def _no_token() -> Http404:
    return Http404(_("You have no such token."))
