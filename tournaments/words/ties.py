"""Ties and tie-breaks in the reader's language."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from tournaments.core.standings.choices import SETS
from tournaments.words.reasons import TIE_BREAK_NAMES

SET_NAMES: dict[str, Promise] = {
    "group": gettext_lazy("Group stage"),
    "berger": gettext_lazy("Round robin with Sonneborn-Berger"),
    "buchholz": gettext_lazy("Swiss with Buchholz"),
    "buchholz_cut": gettext_lazy("Swiss with Buchholz cut 1"),
    "direct": gettext_lazy("Swiss with direct encounter first"),
    "points": gettext_lazy("Points first"),
}
"""Names of the sets of ``tournaments.core.standings.choices``."""

_FAULTS = {
    "unknown": gettext_noop("%(stage)s: “%(key)s” is not a tie-break. Choose from: %(known)s."),
    "is_the_score": gettext_noop("%(stage)s: wins are the score itself and break no tie. Leave them out."),
    "equal_for_all": gettext_noop(
        "%(stage)s: %(name)s is equal for all who are level where everyone plays everyone. Leave it out."
    ),
    "twice": gettext_noop("%(stage)s: %(name)s is chosen twice. Choose each tie-break once."),
    "lot_not_last": gettext_noop("%(stage)s: a lot separates everyone left. Make it the last tie-break."),
}


def tie_break_name(key: str) -> str:
    """The name of a tie-break, or of another decision on a tie."""
    return _(TIE_BREAK_NAMES.get(key, key))


def in_order(keys: tuple[str, ...]) -> str:
    """Tie-breaks as one line, the first to apply first."""
    return ", ".join(map(tie_break_name, keys))


def set_title(key: str) -> str:
    """A usual set of tie-breaks with what is in it."""
    return _("%(name)s: %(tie_breaks)s") % {
        "name": SET_NAMES[key],
        "tie_breaks": in_order(SETS[key].tie_breaks),
    }


def tie_break_fault(code: str, key: str, stage: str) -> str:
    """Why a chosen tie-break makes no sense in a stage."""
    known = ", ".join(key for key in TIE_BREAK_NAMES if key != "playoff")
    return _(_FAULTS[code]) % {"stage": stage, "key": key, "name": tie_break_name(key), "known": known}
