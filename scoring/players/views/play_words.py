"""The names of what the Play page groups decisions by, in the reader's language."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from clubs.formats.dates import year_month
from clubs.formats.numbers import number
from scoring.players.queries.play import RATINGS, TallyLine
from scoring.theory.decisions import DecisionKind
from scoring.theory.mistakes import MistakeKind
from scoring.theory.phases import GamePhase
from scoring.theory.play_sums import ScoreKind

PHASES = {
    GamePhase.OPENING: pgettext_lazy("phase of a game", "Opening"),
    GamePhase.CONTACT: pgettext_lazy("phase of a game", "Contact"),
    GamePhase.RACE: pgettext_lazy("phase of a game", "Race"),
    GamePhase.BEAROFF: pgettext_lazy("phase of a game", "Bear-off"),
}
KINDS = {
    DecisionKind.CHECKER: gettext_lazy("Checker plays"),
    DecisionKind.DOUBLE: gettext_lazy("Double or no double"),
    DecisionKind.RESPONSE: gettext_lazy("Take or pass"),
}
SCORES = {
    ScoreKind.MONEY: gettext_lazy("Money play"),
    ScoreKind.EVEN: gettext_lazy("Level score"),
    ScoreKind.AHEAD: gettext_lazy("Ahead"),
    ScoreKind.BEHIND: gettext_lazy("Behind"),
    ScoreKind.CRAWFORD: gettext_lazy("Crawford game"),
    ScoreKind.POST_CRAWFORD: gettext_lazy("After the Crawford game"),
    ScoreKind.DMP: gettext_lazy("Double match point"),
}
MISTAKES = {
    MistakeKind.MISSED_DOUBLE: gettext_lazy("Missed double"),
    MistakeKind.MISSED_CASH: gettext_lazy("Missed cash"),
    MistakeKind.EARLY_DOUBLE: gettext_lazy("Doubled too early"),
    MistakeKind.DOUBLED_TOO_GOOD: gettext_lazy("Doubled when too good"),
    MistakeKind.WRONG_TAKE: gettext_lazy("Wrong take"),
    MistakeKind.WRONG_PASS: gettext_lazy("Wrong pass"),
    MistakeKind.MISSED_HIT: gettext_lazy("Missed hit"),
    MistakeKind.WRONG_HIT: gettext_lazy("Wrong hit"),
    MistakeKind.BROKE_ANCHOR: gettext_lazy("Broke anchor"),
    MistakeKind.KEPT_ANCHOR: gettext_lazy("Kept anchor too long"),
    MistakeKind.MISSED_POINT: gettext_lazy("Missed point"),
    MistakeKind.TOO_BOLD: gettext_lazy("Too many blots"),
    MistakeKind.TOO_SAFE: gettext_lazy("Too few blots"),
    MistakeKind.OTHER_PLAY: gettext_lazy("Other play"),
}
DICE = {
    "doubles": gettext_lazy("Doubles"),
    "sixes": gettext_lazy("Rolls with a six"),
    "pips": gettext_lazy("Pips rolled"),
    "entries": gettext_lazy("Entered from the bar"),
    "luck": gettext_lazy("Luck"),
}


def window(line: TallyLine) -> str:
    """The newest so many matches, or all of them."""
    if not line.key:
        return gettext("All")
    return ngettext("Last %(number)s match", "Last %(number)s matches", line.key) % {"number": line.key}


def month(line: TallyLine) -> str:
    return year_month(line.key)


def length(line: TallyLine) -> str:
    low, high = line.key
    if not low:
        return gettext("Money play")
    if not high:
        return gettext("%(low)s points or more") % {"low": low}
    return gettext("%(low)s to %(high)s points") % {"low": low, "high": high}


def opponent(line: TallyLine) -> str:
    """A group of opponents by their rating at the time."""
    if line.key is None:
        return gettext("Without a rating")
    if line.key == 0:
        return gettext("Below %(rating)s") % {"rating": number(RATINGS[0])}
    if line.key == len(RATINGS):
        return gettext("%(rating)s or more") % {"rating": number(RATINGS[-1])}
    low, high = RATINGS[line.key - 1], RATINGS[line.key] - 1
    return gettext("%(low)s to %(high)s") % {"low": number(low), "high": number(high)}


def named(words: dict[Any, Any]) -> Callable[[TallyLine], str]:
    """The name of a line whose key is in a table of names."""
    return lambda line: str(words[line.key])
