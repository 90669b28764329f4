"""First start: a printed token makes its holder the first site administrator."""

import secrets
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction

from clubs.clubs.services.clubs import create_club, token_digest
from clubs.models import Club, SetupToken, User
from clubs.people.services.names import register_player
from clubs.refusals import Refused

TOKEN_VALID = timedelta(days=7)
_signer = TimestampSigner(salt="clubs.setup")


class SetupClosedRefused(Refused):
    """The token is invalid or expired, or an administrator exists."""


def new_setup_token() -> str | None:
    """A token for the setup page, or None when a site administrator exists."""
    if User.objects.site_administrators().exists():
        return None
    token = _signer.sign(secrets.token_urlsafe(24))
    SetupToken.objects.create(digest=token_digest(token))
    return token


def setup_is_open(token: str) -> bool:
    """Whether the token can create a site administrator now."""
    return (
        _signed_recently(token)
        and SetupToken.objects.filter(digest=token_digest(token)).exists()
        and not User.objects.site_administrators().exists()
    )


def first_start(
    *, token: str, email: str, name: str, password: str, club_name: str, tz: str, currency: str
) -> tuple[User, Club]:
    """Create the first site administrator, who owns the first club.

    Raises SetupClosedRefused.
    """
    with transaction.atomic():
        # All tokens are locked, to serialize setup pages, even with different tokens.
        tokens = list(SetupToken.objects.select_for_update().order_by("pk"))
        if token_digest(token) not in {known.digest for known in tokens} or not setup_is_open(token):
            raise SetupClosedRefused
        user = User.objects.create_superuser(email, password)
        # The printed token proves access to the machine: no code is needed.
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        register_player(name=name, user=user)
        club = create_club(user=user, name=club_name, tz=tz, currency=currency)
        SetupToken.objects.all().delete()
        return user, club


def _signed_recently(token: str) -> bool:
    try:
        _signer.unsign(token, max_age=TOKEN_VALID)
    except BadSignature:
        return False
    return True
