"""Sentences for refusals of draws and breaks, by code.

Codes are those of ``tournaments.core.stages.errors`` and ``tournaments.core.timetable.breaks``. The draw
knows numbers; ``tournaments.stages.services.refusals`` looks the names up. Each code has its sentences, the
most specific first; the first whose words are all known is used. A code without a sentence never occurs at a
desk.
"""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.core.stages.errors import DrawRefused
from tournaments.core.timetable.breaks import BreakRefused
from tournaments.words.written import moments_in_words

ENTRANTS = frozenset({"entrant", "opponent", "challenger", "challenged"})
"""Parameters that are an entrant's number in the draw; the word is the entrant's title."""

MATCHES = frozenset({"match", "pairing"})
"""Parameters that are a pairing's number; the word ``match`` is who plays in it."""

SENTENCES: dict[str, tuple[str, ...]] = {
    # the draw
    "too_few_entrants": (
        gettext_noop(
            "%(stage)s needs at least %(minimum)s entrants and has %(entrants)s. Add entrants first."
        ),
    ),
    # forbidden pairs
    "forbidden_pair": (
        gettext_noop(
            "%(stage)s cannot be paired: %(entrant)s and %(opponent)s would meet in round %(round)s, and "
            "they are a forbidden pair. Change the list of forbidden pairs."
        ),
    ),
    "forbidden_by_hand": (
        gettext_noop(
            "%(entrant)s and %(opponent)s are a forbidden pair. Pair them with others, or change the list of "
            "forbidden pairs."
        ),
    ),
    "forbidden_bye": (
        gettext_noop(
            "%(stage)s has no place left for %(name)s but against %(entrant)s, and they are a forbidden "
            "pair. Change the list of forbidden pairs, or substitute an entrant who has not played yet."
        ),
    ),
    # who comes late, leaves and returns
    "no_open_bye": (
        gettext_noop(
            "%(stage)s has no place left for %(name)s: no bye is available. You can substitute an "
            "entrant who has not played yet."
        ),
    ),
    "too_late": (
        gettext_noop(
            "%(name)s would have no lives left: %(stage)s gives %(lives)s, and each of its %(rounds)s "
            "rounds so far would cost one."
        ),
    ),
    "schedule_published": (
        gettext_noop(
            "The schedule of %(stage)s is published and has no place for %(name)s. You can substitute "
            "an entrant who has not played yet."
        ),
    ),
    "already_left": (
        gettext_noop(
            "%(entrant)s has withdrawn, so %(match)s cannot be replayed. Correct the result instead of "
            "undoing it."
        ),
        gettext_noop(
            "%(entrant)s has withdrawn and is not in round %(round)s. Pair the others, or reinstate "
            "%(entrant)s first."
        ),
        gettext_noop("%(entrant)s has already withdrawn."),
    ),
    "not_away": (gettext_noop("%(entrant)s has not withdrawn."),),
    "disqualified": (
        gettext_noop(
            "%(entrant)s was disqualified and cannot be reinstated. If that was a mistake, undo it in "
            "the event’s log."
        ),
    ),
    "place_taken": (
        gettext_noop("%(entrant)s cannot be reinstated: %(match)s has been played since the withdrawal."),
    ),
    "already_played": (
        gettext_noop("%(entrant)s has already played and cannot be substituted, only withdrawn."),
    ),
    # rounds by hand
    "self_pairing": (
        gettext_noop("%(entrant)s cannot play %(entrant)s. Choose another opponent or give a bye."),
    ),
    "paired_twice": (
        gettext_noop("%(entrant)s is in two pairings of round %(round)s. Pair each entrant once."),
    ),
    # absences from a round
    "absent": (
        gettext_noop(
            "%(entrant)s is absent from round %(round)s. Pair the others, or undo the absence first."
        ),
    ),
    "no_absences": (
        gettext_noop(
            "%(stage)s has no absences: only a Keizer has them. Withdraw the entrant, and reinstate them "
            "later."
        ),
    ),
    "no_next_round": (
        gettext_noop("Round %(rounds)s is the last of %(stage)s: there is none to be absent from."),
    ),
    "too_few_attend": (
        gettext_noop(
            "Without %(entrant)s fewer than %(minimum)s would play round %(round)s of %(stage)s. Undo "
            "another absence first."
        ),
    ),
    # challenges
    "not_a_ladder": (gettext_noop("%(stage)s is not a ladder and has no challenges."),),
    "not_on_ladder": (
        gettext_noop(
            "%(entrant)s has withdrawn from this ladder. Reinstated players can play challenges again."
        ),
    ),
    "playing": (gettext_noop("%(entrant)s has a match to play first: %(match)s."),),
    "out_of_reach": (
        gettext_noop(
            "%(challenged)s is %(rungs)s rungs above %(challenger)s. A challenge can reach at most %(reach)s."
        ),
        gettext_noop("%(challenged)s is not above %(challenger)s. Challenges go up the ladder."),
    ),
    # ties
    "tie_in_play": (gettext_noop("%(stage)s is still in progress. Settle ties after its last match."),),
    "not_tied": (gettext_noop("These entrants of %(stage)s are not level. Reload the page and try again."),),
    "no_difference": (
        gettext_noop("This tie-break separates none of them. Choose another, a playoff or a lot."),
    ),
    "tie_break": (gettext_noop("This tie-break is not offered for this tie. Choose one from the list."),),
    "lot_sealed": (gettext_noop("A lot among them is announced already. Draw it or undo it first."),),
    "lot_not_sealed": (gettext_noop("No lot among them is announced. Announce it first."),),
    "not_settled": (
        gettext_noop("There is no decision on this tie to undo. Reload the page and try again."),
    ),
    "playoff_begun": (
        gettext_noop("The playoff has begun (%(match)s). Its result stands; correct it at the desk."),
    ),
    # results
    "not_ready": (
        gettext_noop(
            "The draw has changed: this match is waiting for its entrants. Reload the page and try again."
        ),
    ),
    "nothing_reported": (
        gettext_noop(
            "The draw has changed: this match has no result to undo. Reload the page and try again."
        ),
    ),
}

_PLACE = re.compile(r"%\((\w+)\)s")


def words_of(template: str) -> frozenset[str]:
    """The placeholders of a sentence."""
    return frozenset(_PLACE.findall(template))


def sentence(refused: DrawRefused, words: Mapping[str, object]) -> str | None:
    """The refusal in the reader's language, None for one that has no sentence.

    ``words`` are its parameters with names where those are numbers: of entrants under their own names, of a
    pairing under ``match``; ``stage`` is the draw's name, ``name`` that of the entrant whose ref it has.
    """
    for template in SENTENCES.get(refused.code, ()):
        if words_of(template) <= words.keys():
            return _(template) % words
    return None


def acceleration_in_words(refused: DrawRefused) -> str:
    """Why rounds cannot be accelerated, in the reader's language."""
    said = {
        "accelerated": _("Enter the number of accelerated rounds, at least 1, or leave it blank."),
        "accelerated_by_lot": _(
            "A field drawn by lot has no upper half. Seed by rating or in order of entry, or leave it blank."
        ),
        "accelerated_too_long": _(
            "%(accelerated)s of %(rounds)s rounds cannot be accelerated: the last is paired by the scores "
            "alone. Enter at most %(most)s."
        )
        if refused.params.get("most")
        else _("A Swiss of one round cannot be accelerated. Leave it blank."),
    }
    return said[refused.code] % refused.params


def break_in_words(refused: BreakRefused) -> str:
    """Why a break is invalid, in the reader's language."""
    said = {
        "most": _("An event can have at most %(most)s breaks, not %(count)s."),
        "name": _("A break name can have at most 40 characters."),
        "end": _("“%(name)s” ends before it starts."),
        "outside": _("“%(name)s” is before the event or more than a year after it starts."),
        "overlap": _("“%(name)s” and “%(other)s” overlap."),
        "no_such_time": _("%(time)s does not exist at the venue: the clocks go forward then."),
    }
    parameters = dict(refused.parameters)
    if "time" in parameters:
        parameters["time"] = moments_in_words(parameters["time"])
    return said[refused.code] % parameters if refused.code in said else str(refused)
