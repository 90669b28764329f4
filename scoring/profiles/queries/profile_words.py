"""Rules profiles in sentences, as the scoresheet shows them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.log.queries.results import BACKDATED
from scoring.rules.options import DieOnChecker, MovesPolicy, PrematureCube, PrematureRoll, RuleOptions
from scoring.rules.profiles import BUILT_IN, Profile, ReportPolicy

PLAYS: Mapping[MovesPolicy, str | Promise] = {
    MovesPolicy.LEGAL: gettext_lazy("An illegal play that is noticed in time must be corrected."),
    MovesPolicy.RESPONSIBLE: gettext_lazy("The opponent decides whether an illegal play stands."),
    MovesPolicy.ACCEPT_OR_DEMAND: gettext_lazy(
        "The opponent accepts an illegal play or demands its correction."
    ),
}
ROLLS: Mapping[PrematureRoll, str | Promise] = {
    PrematureRoll.STANDS: gettext_lazy("A premature roll stands."),
    PrematureRoll.VOID: gettext_lazy("A premature roll is void."),
    PrematureRoll.OPPONENT_CHOICE: gettext_lazy("The opponent decides whether a premature roll stands."),
}
CUBES: Mapping[PrematureCube, str | Promise] = {
    PrematureCube.STANDS: gettext_lazy("A premature double stands."),
    PrematureCube.VOID: gettext_lazy("A premature double is void."),
}
DICE: Mapping[DieOnChecker, str | Promise] = {
    DieOnChecker.COCKED: gettext_lazy("A die on a checker is cocked: both are rolled again."),
    DieOnChecker.VALID: gettext_lazy("A die that lies flat on a checker is valid."),
}


def profile_title(profile: Profile) -> str:
    """The title, translated for built-in profiles."""
    titles = {
        "wbf": _("World Backgammon Federation"),
        "ukbgf": _("UK Backgammon Federation"),
        "us": _("US tournament rules"),
    }
    built_in = BUILT_IN.get(profile.name)
    if built_in is not None and built_in.title == profile.title:
        return titles[profile.name]
    return profile.title


@dataclass(frozen=True, slots=True)
class ProfileInWords:
    """A rules profile in words."""

    name: str
    title: str
    source: str
    rules: list[str]


def told(profile: Profile) -> ProfileInWords:
    """A rules profile in words."""
    return ProfileInWords(profile.name, profile_title(profile), profile.source, sentences(profile))


def sentences(profile: Profile) -> list[str]:
    """The profile's rules, one sentence each, then those of every profile."""
    return [*clauses(profile).values(), *_everywhere()]


def clauses(profile: Profile) -> dict[str, str]:
    """The profile's rules, one sentence each, by clause name."""
    options = profile.options
    lines = _cube(options) | _irregularities(options) | _reporting(profile) | _clock(profile)
    return {name: str(line) for name, line in lines.items()}


def _cube(options: RuleOptions) -> dict[str, str | Promise]:
    if not options.cube:
        return {"cube": _("No doubling cube.")}
    lines: dict[str, str | Promise] = {
        "crawford": _("Crawford rule.") if options.crawford else _("No Crawford rule.")
    }
    if options.holland:
        lines["holland"] = _(
            "Holland rule: after the Crawford game, no double until each side has rolled twice."
        )
    if options.max_cube is not None:
        lines["max_cube"] = _("The cube stops at %(cube)s.") % {"cube": options.max_cube}
    if options.forbid_dead_cube:
        lines["forbid_dead_cube"] = _("A double that cannot help the doubler is refused.")
    money = [
        _("Jacoby") if options.jacoby else _("no Jacoby"),
        _("beavers") if options.beavers else _("no beavers"),
        _("raccoons") if options.raccoons else _("no raccoons"),
        ngettext("%(n)s automatic double", "%(n)s automatic doubles", options.automatic_doubles)
        % {"n": options.automatic_doubles},
    ]
    lines["money"] = _("Money play: %(rules)s.") % {"rules": ", ".join(money)}
    return lines


def _irregularities(options: RuleOptions) -> dict[str, str | Promise]:
    lines = {
        "moves_policy": PLAYS[options.moves_policy],
        "premature_roll": ROLLS[options.premature_roll],
        "premature_cube": CUBES[options.premature_cube],
        "die_on_checker": DICE[options.die_on_checker],
    }
    if options.penalty_majority:
        lines["penalty_majority"] = _("Penalty points above half the match length win the match.")
    return lines


def _reporting(profile: Profile) -> dict[str, str | Promise]:
    minutes = profile.objection_minutes
    window = ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    told = {
        ReportPolicy.WINNER_REPORTS: _(
            "The winner reports. In an event match, or one that a director opened, the result is final"
            " when the loser or a director confirms it, or after %(window)s without a dispute. Other matches"
            " need confirmation from the other side or a director."
        )
        % {"window": window},
        ReportPolicy.BOTH: _("Both sides confirm the result."),
        ReportPolicy.DESK: _("A director confirms results at the desk."),
    }
    return {"report": told[profile.report]}


def _everywhere() -> list[str]:
    """Rules of every profile: who reports a result, and which dates need a director."""
    return [
        _(
            "Only the players, directors and anyone with a scoring link can report a result. Both sides"
            " are notified at once."
        ),
        ngettext(
            "A director must confirm a match dated more than %(n)s day back or before a player joined.",
            "A director must confirm a match dated more than %(n)s days back or before a player joined.",
            BACKDATED.days,
        )
        % {"n": BACKDATED.days},
    ]


def _clock(profile: Profile) -> dict[str, str | Promise]:
    if profile.clock is None:
        return {}
    seconds = {
        "reserve": profile.clock.reserve_seconds_per_point,
        "delay": profile.clock.delay_seconds,
    }
    words = _("Clock: %(reserve)s seconds per point of match length, %(delay)s seconds delay per turn.")
    return {"clock": words % seconds}
