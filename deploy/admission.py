"""Request limits of this site, and which requests can exceed them."""

from importlib import import_module

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import close_old_connections
from django.http import parse_cookie
from django.urls import Resolver404, resolve

from clubs.accounts.services.tokens import token_in_use
from clubs.pictures import LARGEST_PICTURE
from deploy.configuration import ConfigurationError
from deploy.limits import SMALL_BODY, Limits, Scope
from deploy.proxies import TrustedProxies
from scoring.files.forms import LARGEST_FILE, MOST_FILES
from tournaments.transfer.services.event_files import LARGEST as LARGEST_EVENT

FORM = 100_000  # bytes for the fields and the boundaries around files
UPLOADS = {
    "scoring:upload": MOST_FILES * LARGEST_FILE + FORM,
    "api:club_uploads": MOST_FILES * LARGEST_FILE + FORM,
    "scoring:match_photos": LARGEST_PICTURE + FORM,
    "api:match_photos": LARGEST_PICTURE + FORM,
    "tournaments:read_file": LARGEST_EVENT + FORM,
    "tournaments:poster": LARGEST_PICTURE + FORM,
    "api:event_poster": LARGEST_PICTURE + FORM,
}
"""Addresses that accept files from signed-in users, each with its limit in bytes."""


def limits() -> Limits:
    """The limits from the settings.

    Raises ConfigurationError for a site behind a TLS proxy that does not say which proxy that is.
    """
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        raise ConfigurationError(
            "HTTPS=true needs TRUSTED_PROXIES: the address of the TLS proxy in front, such as 127.0.0.1"
        )
    return Limits(
        request_seconds=settings.REQUEST_SECONDS,
        per_address=settings.CONNECTIONS_PER_ADDRESS,
        proxies=TrustedProxies.read(settings.TRUSTED_PROXIES),
    )


async def largest_body(scope: Scope) -> int:
    """The maximum body in bytes: higher for signed-in users where files are uploaded."""
    try:
        name = resolve(scope["path"]).view_name
    except Resolver404:
        return SMALL_BODY
    most = UPLOADS.get(name, SMALL_BODY)
    if most > SMALL_BODY and await sync_to_async(_signed_in)(scope):
        return most
    return SMALL_BODY


def _signed_in(scope: Scope) -> bool:
    """Whether the request has a valid session or token; the view checks rights."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    try:
        scheme, _space, token = headers.get(b"authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return token_in_use(text=token.strip()) is not None
        kept = parse_cookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME)
        store = import_module(settings.SESSION_ENGINE).SessionStore
        return kept is not None and SESSION_KEY in store(kept)
    finally:
        close_old_connections()
