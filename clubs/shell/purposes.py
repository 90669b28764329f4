"""Why a visitor is asked to sign in, by the URL name of the requested page.

An app registers its purposes in ``AppConfig.ready``. Those with ``%(club)s`` are for pages of a club that
everyone can know.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise

SOME_PAGE: Words = _("Sign in to open this page.")

_purposes: dict[str, Words] = {
    "clubs:me": _("Sign in to see your account."),
    "clubs:tokens": _("Sign in to see your tokens."),
    "clubs:new_club": _("Sign in to create a club."),
    "clubs:people": _("Sign in to see the members of %(club)s."),
}


def register_purposes(purposes: dict[str, Words]) -> None:
    """Add an app's purposes by URL name.

    For example ``{"tournaments:calendar": "Sign in to see your calendar."}``.
    """
    _purposes.update(purposes)


def purpose_of(view_name: str, *, club: str) -> Words:
    """The purpose of a URL name; ``club`` is "" where the name must stay secret."""
    words = _purposes.get(view_name, SOME_PAGE)
    return str(words) % {"club": club} if club else SOME_PAGE if "%(club)s" in str(words) else words
