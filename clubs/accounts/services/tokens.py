"""Personal API tokens: created once, stored as a digest, revoked by deletion."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import ApiToken, Scope, User
from clubs.refusals import Refused

# The prefix of every token, for scanners of leaked secrets.
MARK = "mp_"
TOKENS_AT_MOST = 50
_PREFIX = 8  # characters of a token that stay readable: 5 random ones, 30 bits
_USE_KEPT_EVERY = timedelta(minutes=1)


class TooManyTokensRefused(Refused):
    """A user can have at most ``TOKENS_AT_MOST`` tokens."""

    def __init__(self) -> None:
        super().__init__(
            _("You have %(number)s tokens, the maximum. Revoke one you no longer need.")
            % {"number": TOKENS_AT_MOST}
        )


def make_token(
    *, user: User, label: str, scopes: Iterable[Scope], expires_at: datetime | None
) -> tuple[ApiToken, str]:
    """Create a token; return it with its text, which is not stored.

    The text is 256 random bits, so a fast digest is enough: there is nothing to guess. Raises
    TooManyTokensRefused.
    """
    text = MARK + secrets.token_urlsafe(32)
    with transaction.atomic():
        # Locked, so that two requests at once cannot both create the last allowed token.
        User.objects.select_for_update(of=("self",)).get(pk=user.pk)
        ApiToken.objects.of_user(user).filter(expires_at__lte=now()).delete()
        if ApiToken.objects.of_user(user).count() >= TOKENS_AT_MOST:
            raise TooManyTokensRefused
        token = ApiToken.objects.create(
            user=user,
            label=" ".join(label.split()),
            prefix=text[:_PREFIX],
            digest=digest(text),
            scopes=[scope.value for scope in Scope if scope in set(scopes) | {Scope.READ}],
            expires_at=expires_at,
        )
    return token, text


def token_in_use(*, text: str) -> ApiToken | None:
    """The valid token of a text with its user loaded, or None.

    Records its use, to the minute.
    """
    token = ApiToken.objects.valid().select_related("user").filter(digest=digest(text)).first()
    if token is not None and (token.last_used_at is None or token.last_used_at < now() - _USE_KEPT_EVERY):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now())
    return token


def revoke_token(*, user: User, ref: str) -> None:
    """Revoke one of the user's tokens. Raises ApiToken.DoesNotExist."""
    ApiToken.objects.of_user(user).get(ref=ref).delete()


def digest(text: str) -> str:
    """SHA-256 of a token's text, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
