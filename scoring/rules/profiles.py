"""Rules profiles as values (pure).

A profile has the options of the rules engine, how a result becomes final, and the clock's terms. Those built
in name their source; a club may keep its own in the same plain form. A match keeps the profile as it was when
it began, so that a later change of a club's profile never reaches a match.

>>> profile_from_plain(profile_to_plain(BUILT_IN["wbf"])) == BUILT_IN["wbf"]
True
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.rules.codec import from_plain, to_plain
from scoring.rules.errors import InvalidValue
from scoring.rules.options import DieOnChecker, RuleOptions

LONGEST_WINDOW = 14 * 24 * 60
LONGEST_RESERVE = 3600
LONGEST_DELAY = 600
LONGEST_TEXT = 200
LONGEST_SOURCE = 1000


class ReportPolicy(StrEnum):
    """Who must confirm a result.

    ``WINNER_REPORTS``  it counts at once and is final when the loser or a director confirms it, or when the
                        objection window closes (US 4.9: the winner reports);
    ``BOTH``            both sides confirm;
    ``DESK``            a director confirms.
    """

    WINNER_REPORTS = "winner_reports"
    BOTH = "both"
    DESK = "desk"


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """A clock: seconds of reserve for each point of the match length, and seconds of delay for each turn."""

    reserve_seconds_per_point: int
    delay_seconds: int

    def __post_init__(self) -> None:
        for name, value, most in (
            ("reserve", self.reserve_seconds_per_point, LONGEST_RESERVE),
            ("delay", self.delay_seconds, LONGEST_DELAY),
        ):
            if type(value) is not int or not 0 <= value <= most:
                raise InvalidValue(
                    "clock", "a clock's {name} is 0 to {most} seconds, not {value!r}",
                    name=name, most=most, value=value,
                )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Profile:
    """One rules profile. ``objection_minutes`` is the length of the objection window after a report.

    Raises InvalidValue for a window, name, title or source that cannot be.
    """

    name: str
    title: str
    options: RuleOptions = RuleOptions()  # noqa: RUF009 - frozen
    report: ReportPolicy = ReportPolicy.WINNER_REPORTS
    objection_minutes: int = 30
    clock: ClockTerms | None = None
    source: str = ""

    def __post_init__(self) -> None:
        minutes = self.objection_minutes
        if type(minutes) is not int or not 1 <= minutes <= LONGEST_WINDOW:
            raise InvalidValue(
                "objection_minutes",
                "a dispute window must be 1 to {most} minutes, not {value!r}",
                most=LONGEST_WINDOW,
                value=minutes,
            )
        for what, text in (("name", self.name), ("title", self.title)):
            if not text.strip() or len(text) > LONGEST_TEXT:
                raise InvalidValue(
                    "profile_text", "{text!r} is not a valid {what} for a profile", text=text, what=what
                )
        if len(self.source) > LONGEST_SOURCE:
            raise InvalidValue(
                "profile_source", "a profile's source has at most {most} characters", most=LONGEST_SOURCE
            )


_CLOCK = ClockTerms(reserve_seconds_per_point=120, delay_seconds=12)

BUILT_IN: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            "wbf",
            "World Backgammon Federation",
            RuleOptions(die_on_checker=DieOnChecker.VALID),
            clock=_CLOCK,
            source="WBF rules 2.1: 3.5 (die on a checker), 4.2 iii (legal moves); clock 2 min/point, 12 s",
        ),
        Profile(
            "ukbgf",
            "UK Backgammon Federation",
            RuleOptions(penalty_majority=True),
            clock=_CLOCK,
            source="UKBGF rules: premature actions stand; penalty points above half the match length win",
        ),
        Profile(
            "us",
            "US tournament rules",
            clock=_CLOCK,
            source="US tournament rules 2008: 4.6 (premature actions stand), 4.9 (the winner reports)",
        ),
    )
}
"""The profiles that are built in, by name; the first is what a match has that asks for none."""

STANDARD_PROFILE = BUILT_IN["wbf"]


def profile_to_plain(profile: Profile) -> dict[str, Any]:
    """The profile as plain JSON data, every field written."""
    plain: dict[str, Any] = to_plain(profile, full=True)
    return plain


def profile_from_plain(plain: Mapping[str, Any]) -> Profile:
    """Undo :func:`profile_to_plain`; absent fields have their defaults. Raises InvalidValue."""
    return from_plain(Profile, plain, where="profile")
