"""Sentences for the reasons of a pairing, by code.

The codes are those of ``tournaments.core.stages.pairings``.
"""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.core.stages.pairings import Reason

WORDS = {
    "accelerated": gettext_noop("accelerated round: the upper half is paired with one point more"),
    "same_score": gettext_noop("same score: %(value)s"),
    "fold": gettext_noop("upper half meets lower half of the score group"),
    "floated_down": gettext_noop("%(who)s floated down: odd group"),
    "floated_up": gettext_noop("%(who)s meets a floater from above"),
    "not_floated_before": gettext_noop("%(who)s has not floated this way before"),
    "floated_again": gettext_noop("%(who)s floats again: every alternative is a worse pairing"),
    "rematch_unavoidable": gettext_noop("rematch (met %(value)s×): unavoidable in this round"),
    "protection_unavoidable": gettext_noop("protection broken: unavoidable in any pairing this close"),
    "apart_unavoidable": gettext_noop("kept apart where possible: unavoidable in this round"),
    "bye_first": gettext_noop("bye: %(who)s has not had one yet"),
    "bye_again": gettext_noop("bye number %(value)s: everyone else has had as many"),
    "bye_lowest": gettext_noop("bye: lowest score among eligible entrants"),
    "same_record": gettext_noop("same record"),
    "closest_record": gettext_noop("closest record: %(value)s apart in losses"),
    "playoff": gettext_noop("three left with the same record: playoff, bye by lot"),
    "adjacent": gettext_noop("neighbours in the standings"),
    "table": gettext_noop("round-robin table, round %(value)s"),
    "ready": gettext_noop("both free"),
    "rung": gettext_noop("neighbouring rungs"),
    "challenge": gettext_noop("challenge over %(value)s rungs"),
    "bracket": gettext_noop("the bracket"),
    "by_hand": gettext_noop("paired by the director"),
    "tie_playoff": gettext_noop("playoff between players who are level"),
}

TIE_BREAK_NAMES = {
    "buchholz": gettext_noop("Buchholz"),
    "keizer_value": gettext_noop("Value"),
    "sonneborn_berger": gettext_noop("Sonneborn-Berger"),
    "direct_encounter": gettext_noop("Direct encounter"),
    "point_difference": gettext_noop("Point difference"),
    "points_won": gettext_noop("Points won"),
    "koya": gettext_noop("Koya"),
    "buchholz_cut1": gettext_noop("Buchholz cut 1"),
    "buchholz_median": gettext_noop("Median Buchholz"),
    "real_wins": gettext_noop("Wins over the board"),
    "stavrou": gettext_noop("Stavrou"),
    "lot": gettext_noop("Lot"),
    "playoff": gettext_noop("Playoff"),
}


def sentence(reason: Reason, who: str) -> str:
    """The reason in the reader's language; ``who`` is the entrant that it is about, empty for both."""
    return _(WORDS[reason.code]) % {"value": reason.value, "who": who or _("one of them")}
