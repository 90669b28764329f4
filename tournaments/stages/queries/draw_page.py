"""Names of rounds, sections and outcomes in the reader's language."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.rules.endings import Ending
from tournaments.core.brackets.bracket import Bracket, Round
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.stages.stage import Stage
from tournaments.words.sections import section_name

OUTCOMES = {
    Ending.PLAYED: gettext_noop("played"),
    Ending.TIME: gettext_noop("on time"),
    Ending.PENALTY: gettext_noop("by penalty"),
    Ending.RETIRED: gettext_noop("retired"),
    Ending.NO_SHOW: gettext_noop("no-show"),
    Ending.DOUBLE_NO_SHOW: gettext_noop("double no-show"),
    Ending.DISQUALIFIED: gettext_noop("disqualified"),
}


def round_title(round_: Round, bracket: Bracket) -> str:
    """The name of a bracket round, with its section unless it is the main one."""
    short = short_round_title(round_, bracket)
    if round_.section == "main" or round_.section == "final":
        return short
    section, last = section_name(round_.section), bracket.section(round_.section)[-1].number
    if round_.number < 1:
        return _("%(section)s, play-in") % {"section": section}
    if last == 1:
        return section
    if round_.number == last:
        return _("%(section)s, final") % {"section": section}
    return _("%(section)s, round %(number)s") % {"section": section, "number": round_.number}


def short_round_title(round_: Round, bracket: Bracket) -> str:
    """The name of a round below its section: the last ones by size."""
    last = bracket.section(round_.section)[-1].number
    left = last - round_.number
    if round_.number < 1:
        return _("Play-in")
    if round_.section == "final":
        return _("Grand final") if round_.number == 1 else _("Grand final, second match")
    if round_.section == "main" and (left < len(_LAST) or last == 1):
        return _(_LAST[left])
    if left == 0 and last > 1:
        return _("Final")
    if round_.section == "main" and round_.number > 1 and round_.count == 1 << left:
        return _("Round of %(number)s") % {"number": 2 * round_.count}
    return numbered_round(round_.number)


def numbered_round(number: int) -> str:
    """The name of a numbered round."""
    return _("Round %(number)s") % {"number": number}


def round_of(stage: Stage, pairing: int, number: int) -> str:
    """The name of the round of a pairing, as its bracket calls it."""
    return round_titles(stage).get(pairing) or numbered_round(number)


def round_titles(stage: Stage) -> dict[int, str]:
    """Round names by match of a drawn bracket; of other stages only those of playoffs."""
    format_ = format_of(stage.format)
    if not isinstance(format_, Elimination):
        return {n: _("Playoff") for n, pairing in stage.pairings.items() if pairing.is_playoff}
    bracket = format_.bracket(stage)
    return {match: round_title(each, bracket) for each in bracket.rounds for match in each.matches}


_LAST = (gettext_noop("Final"), gettext_noop("Semi-finals"), gettext_noop("Quarter-finals"))
