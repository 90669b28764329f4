"""Names and shapes of the sections of a bracket, in the reader's language."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournaments.core.brackets.shape import SectionShape

_SECTIONS = {
    "main": gettext_noop("Main"),
    "losers": gettext_noop("Losers’ side"),
    "final": gettext_noop("Grand final"),
    "third place": gettext_noop("Third place"),
    "consolation": gettext_noop("Consolation"),
    "last chance": gettext_noop("Last chance"),
}


def section_name(key: str) -> str:
    """The name of a bracket section."""
    return _(_SECTIONS.get(key, key))


def shape_sentence(shape: SectionShape) -> str:
    """A section as it would be drawn: its entrants, the matches of each round, byes."""
    words = {
        "section": section_name(shape.section),
        "entrants": shape.entrants,
        "matches": ", ".join(str(count) for count in shape.matches),
        "byes": sum(shape.byes),
    }
    if not words["byes"]:
        return _("%(section)s: %(entrants)s entrants; matches by round: %(matches)s; no byes") % words
    return (
        ngettext(
            "%(section)s: %(entrants)s entrants; matches by round: %(matches)s; %(byes)s bye",
            "%(section)s: %(entrants)s entrants; matches by round: %(matches)s; %(byes)s byes",
            sum(shape.byes),
        )
        % words
    )


def shape_summary(shapes: Sequence[SectionShape]) -> str:
    """The sections with their numbers of entrants, e.g. "Main 24, Consolation 20, Last chance 8"."""
    return ", ".join(
        _("%(section)s %(entrants)s") % {"section": section_name(each.section), "entrants": each.entrants}
        for each in shapes
    )
