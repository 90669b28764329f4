"""What a draw refuses, in words of the people it is about, for translation by codes
(``tournaments.core.stages.errors``); and what is wrong with a break (``tournaments.core.timetable.breaks``).

The draw knows numbers; ``tournaments.stages.services.refusals`` looks the names up. Each code has its
sentences, those first that say most: the first whose words are known is said. A code without one is one that
nobody meets at a desk.
"""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.core.stages.errors import DrawRefused
from tournaments.core.timetable.breaks import BreakRefused
from tournaments.words.written import moments_in_words

ENTRANTS = frozenset({"entrant", "challenger", "challenged"})
"""Parameters that are an entrant's number in the draw; the word is the entrant's title."""

MATCHES = frozenset({"match", "pairing"})
"""Parameters that are a pairing's number; the word ``match`` is who plays in it."""

SENTENCES: dict[str, tuple[str, ...]] = {
    # the draw
    "too_few_entrants": (
        gettext_noop(
            "%(stage)s is drawn with at least %(minimum)s entrants and has %(entrants)s: let more in first."
        ),
    ),
    "no_third_place": (
        gettext_noop(
            "A match for third place needs two semi-finals, so at least 3 entrants: %(stage)s has "
            "%(entrants)s. Let more in first, or add a flight without one."
        ),
    ),
    "no_consolation": (
        gettext_noop(
            "A consolation needs at least 3 entrants: %(stage)s has %(entrants)s. Let more in first, or add "
            "a flight without one."
        ),
    ),
    "last_chance_out_of_range": (
        gettext_noop(
            "%(stage)s has too few entrants for its last chance: %(entrants)s. Let more in first, or add a "
            "flight without one."
        ),
    ),
    "no_rounds": (
        gettext_noop(
            "%(stage)s is to have %(rounds)s rounds: with %(entrants)s entrants, everybody has met everybody "
            "after %(possible)s. Let more in first, or add a flight with fewer rounds."
        ),
    ),
    # who comes late, leaves and returns
    "no_open_bye": (
        gettext_noop(
            "%(stage)s has no place left for %(name)s: every bye is taken or was played on. Whoever has not "
            "played yet can be replaced."
        ),
    ),
    "too_late": (
        gettext_noop(
            "%(name)s would have no life left: %(stage)s gives %(lives)s, and each of its %(rounds)s rounds "
            "so far would cost one."
        ),
    ),
    "schedule_published": (
        gettext_noop(
            "The schedule of %(stage)s is published: there is no place in it for %(name)s. Whoever has not "
            "played yet can be replaced."
        ),
    ),
    "already_left": (
        gettext_noop(
            "%(entrant)s has left, so nobody can play %(match)s again: correct the result instead of taking "
            "it back."
        ),
        gettext_noop(
            "%(entrant)s has left and is not in round %(round)s: pair the others, or let %(entrant)s come "
            "back first."
        ),
        gettext_noop("%(entrant)s has left already."),
    ),
    "not_away": (gettext_noop("%(entrant)s has not left, so there is nothing to come back from."),),
    "disqualified": (
        gettext_noop(
            "%(entrant)s was disqualified and cannot come back; a disqualification that was a mistake is "
            "taken back in the event's log."
        ),
    ),
    "place_taken": (
        gettext_noop("%(entrant)s cannot come back: %(match)s has been played on the withdrawal."),
    ),
    "already_played": (
        gettext_noop(
            "%(entrant)s has played already: nobody can take over this place. %(entrant)s can still withdraw."
        ),
    ),
    # rounds by hand
    "self_pairing": (
        gettext_noop("%(entrant)s cannot meet %(entrant)s: name somebody else, or give a bye."),
    ),
    "paired_twice": (
        gettext_noop("%(entrant)s is in two pairings of round %(round)s: pair everybody once."),
    ),
    # challenges
    "not_a_ladder": (gettext_noop("%(stage)s is not a ladder: nobody is challenged there."),),
    "not_on_ladder": (
        gettext_noop(
            "%(entrant)s has left this ladder: who comes back can challenge and be challenged again."
        ),
    ),
    "playing": (gettext_noop("%(entrant)s has a match to play first: %(match)s."),),
    "out_of_reach": (
        gettext_noop(
            "%(challenged)s is %(rungs)s rungs above %(challenger)s: a challenge reaches %(reach)s at most."
        ),
        gettext_noop("%(challenged)s is not above %(challenger)s: a challenge goes up the ladder."),
    ),
    # results
    "not_ready": (
        gettext_noop("The draw has changed since: this match waits for who plays in it. Look at it again."),
    ),
    "nothing_reported": (
        gettext_noop("The draw has changed since: this match has no result to take back. Look at it again."),
    ),
}

_PLACE = re.compile(r"%\((\w+)\)s")


def words_of(template: str) -> frozenset[str]:
    """The words that a sentence needs."""
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


def break_in_words(refused: BreakRefused) -> str:
    """Why a break cannot be, in the reader's language."""
    said = {
        "most": _("An event has at most %(most)s breaks, not %(count)s."),
        "name": _("A break has a name of at most 40 letters."),
        "end": _("“%(name)s” ends before it starts."),
        "outside": _("“%(name)s” is before the event begins, or more than a year after."),
        "overlap": _("“%(name)s” and “%(other)s” are at the same time."),
        "no_such_time": _("The venue's clock does not show %(time)s: it goes forward then."),
    }
    parameters = dict(refused.parameters)
    if "time" in parameters:
        parameters["time"] = moments_in_words(parameters["time"])
    return said[refused.code] % parameters if refused.code in said else str(refused)
