"""Authentication, access and rate of helpers: their own token, and nothing else."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.views import APIView

from clubs.access import Permission, Policy
from clubs.http.rates import Rate
from clubs.models import User
from scoring.helping.services.helpers import helper_in_use
from scoring.models import Helper

SCHEME = "Bearer"


class HelperRequest(Request):
    """A request of a helper; ``user`` is its owner."""

    user: User
    auth: Helper


class HelperToken(BaseAuthentication):
    """``Authorization: Bearer mph_...``; sessions and other tokens are nobody here."""

    def authenticate(self, request: Request) -> tuple[User, Helper] | None:
        scheme, _space, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.casefold() != SCHEME.casefold():
            return None
        helper = helper_in_use(text=text.strip())
        if helper is None:
            raise AuthenticationFailed(
                _("This helper token is not valid: it was mistyped, or the helper has ended.")
            )
        return helper.user, helper

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the framework's signature
        return f'{SCHEME} realm="Midpoint helpers"'


class OfHelper(Permission):
    """API: a helper by its token."""

    policy = Policy("helper token")

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - DRF's signature
        return isinstance(request.auth, Helper)


class HelperRate(Rate):
    """One limit per helper."""

    def allow_request(self, request: Request, view: Any) -> bool:
        self.scope = "helper"
        self.rate = settings.API_RATES.get(self.scope)
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return super(Rate, self).allow_request(request, view)

    def get_cache_key(self, request: Request, view: Any) -> str:  # noqa: ARG002 - the framework's signature
        return f"api rate helper {request.auth.pk}".replace(" ", "-")


class HelperTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The scheme of helpers in the API's schema."""

    target_class = HelperToken
    name = "helper"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A helper's token, created under Me, Analysis helpers.",
        }
