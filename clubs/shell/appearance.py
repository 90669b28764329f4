"""Light, dark and automatic appearance, and its cookie."""

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

COOKIE = "appearance"
APPEARANCES: dict[str, str | Promise] = {"system": _("Auto"), "light": _("Light"), "dark": _("Dark")}


def chosen_appearance(request: HttpRequest | None) -> str:
    """The appearance chosen in this browser: "light" or "dark", else "system"."""
    chosen = request.COOKIES.get(COOKIE, "") if request else ""
    return chosen if chosen in APPEARANCES else "system"
