"""Verdicts on formats for a number of entrants, in the reader's language."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.timetable.suitability import Concern, FormatJudgement, Suitability
from tournaments.words.sections import section_name


def verdict(judgement: FormatJudgement, entrants: int) -> str:
    """The verdict as a line: "Suits 24", "Possible: ..." or "Not sensible for 24: ..."."""
    reasons = "; ".join(map(reason, judgement.reasons))
    match judgement.suitability:
        case Suitability.SUITS:
            return _("Suits %(entrants)s") % {"entrants": entrants}
        case Suitability.POSSIBLE:
            return _("Possible: %(reasons)s") % {"reasons": reasons}
        case _:
            return _("Not sensible for %(entrants)s: %(reasons)s") % {
                "entrants": entrants,
                "reasons": reasons,
            }


def reason(concern: Concern) -> str:
    """One concern as a phrase."""
    count = concern.count
    words = {"count": count, "of": concern.of, "section": section_name(concern.section)}
    match concern.code:
        case "too_few_entrants":
            return _("needs at least %(count)s entrants") % words
        case "places" | "fills" | "left_over":
            return _places(concern)
        case "not_drawn":
            return _("too few entrants for: %(section)s") % words
        case "small_section":
            return _("%(section)s: only %(count)s entrants") % words
        case "matches_each":
            return ngettext("%(count)s match per player", "%(count)s matches per player", count) % words
        case "hours":
            return ngettext("takes about %(count)s hour", "takes about %(count)s hours", count) % words
        case "rematches":
            return _("%(count)s%% of the matches are rematches") % words
        case "tables":
            return _("%(count)s matches at once, but only %(of)s tables") % words
        case "first_byes":
            return _("%(count)s of %(of)s entrants have a bye in the first round") % words
        case "rests":
            return _("%(count)s of %(of)s sits out each round") % words
        case _:
            return _("%(count)s players can end unbeaten") % words


def _places(concern: Concern) -> str:
    """A concern about more entrants than a draw has places."""
    words = {"count": concern.count, "of": concern.of}
    match concern.code:
        case "places":
            return ngettext("has only %(count)s place", "has only %(count)s places", concern.count) % words
        case "fills":
            return _("%(of)s draws of %(count)s, one after the other") % words
        case _:
            return _("draws of %(count)s: %(of)s of the entrants do not fill one") % words
