"""API authentication: by token, or by the session of the website."""

from django.utils.translation import gettext as _
from rest_framework.authentication import SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.services.tokens import token_in_use
from clubs.models import ApiToken, User

SCHEME = "Bearer"


class TokenOrSession(SessionAuthentication):
    """``Authorization: Bearer <token>``, or the session cookie with CSRF protection.

    A token that is sent is decisive: an invalid one is refused, even with a valid session.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken | None] | None:
        header = get_authorization_header(request)
        if not header:
            found: tuple[User, None] | None = super().authenticate(request)
            return found
        scheme, _space, text = header.decode("latin-1").partition(" ")
        if scheme.casefold() != SCHEME.casefold():
            raise AuthenticationFailed(
                _("“%(scheme)s” is not supported. Send “Authorization: Bearer <token>”.")
                % {"scheme": scheme[:20]}
            )
        token = token_in_use(text=text.strip())
        if token is None:
            raise AuthenticationFailed(_("This token is not valid. It may be mistyped, revoked or expired."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the framework's signature
        return f'{SCHEME} realm="Midpoint"'
