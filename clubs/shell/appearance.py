"""The three ways a page can look, and where the choice is kept."""

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

COOKIE = "appearance"
APPEARANCES: dict[str, str | Promise] = {"system": _("Auto"), "light": _("Light"), "dark": _("Dark")}


def chosen_appearance(request: HttpRequest | None) -> str:
    """What this browser's person chose: "light" or "dark", and "system" until then."""
    chosen = request.COOKIES.get(COOKIE, "") if request else ""
    return chosen if chosen in APPEARANCES else "system"
