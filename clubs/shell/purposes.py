"""What somebody is asked to sign in for, said by the name of the address that they wanted.

An app registers the words of its pages in ``AppConfig.ready``. Words with ``%(club)s`` are for a page of a
club that everybody may know.
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
    """Add what an app's pages are for, e.g. ``{"tournaments:calendar": "Sign in to see your calendar."}``."""
    _purposes.update(purposes)


def purpose_of(view_name: str, *, club: str) -> Words:
    """The words for an address by name; ``club`` is the club's name, "" where it must not be said."""
    words = _purposes.get(view_name, SOME_PAGE)
    return str(words) % {"club": club} if club else SOME_PAGE if "%(club)s" in str(words) else words
