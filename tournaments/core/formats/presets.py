"""Events as directors name them: a format with its options.

The format chooser and the simulator start from these.
"""

from dataclasses import dataclass
from typing import Any, Final

from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions
from tournaments.core.formats.table import FORMATS
from tournaments.core.ladders.ladder import LadderOptions
from tournaments.core.rounds.keizer import KeizerOptions
from tournaments.core.rounds.lives import LivesOptions
from tournaments.core.rounds.monrad import MonradOptions
from tournaments.core.rounds.ready import ReadyOptions
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Season


@dataclass(frozen=True, slots=True)
class Preset:
    """A named event. ``minimum`` is the smallest field its options can be drawn with."""

    key: str
    format: str
    options: Any
    minimum: int

    @property
    def season(self) -> Season | None:
        """The kind of season that it is for; a league has its first day only when it is announced."""
        return Season.ARRANGED if self.key == "league" else FORMATS[self.format].season(self.options)


PRESETS: Final[dict[str, Preset]] = {
    preset.key: preset
    for preset in (
        Preset("knockout", "knockout", KnockoutOptions(), 2),
        Preset("knockout_lot", "knockout", KnockoutOptions(seeding="lot", byes="lot"), 2),
        Preset("third_place", "knockout", KnockoutOptions(third_place=True), 2),
        Preset("consolation", "knockout", KnockoutOptions(consolation="simple"), 2),
        Preset("progressive", "knockout", KnockoutOptions(consolation="progressive"), 2),
        Preset("last_chance", "knockout", KnockoutOptions(consolation="progressive", last_chance=1), 2),
        Preset("double", "double", DoubleOptions(), 2),
        Preset("double_no_reset", "double", DoubleOptions(reset=False), 2),
        Preset("double_last_chance", "double", DoubleOptions(last_chance=2), 2),
        Preset("swiss", "swiss", SwissOptions(), 2),
        Preset("swiss_3", "swiss", SwissOptions(rounds=3, seeding="lot"), 2),
        Preset("swiss_unbeaten", "swiss", SwissOptions(until_unbeaten=True), 2),
        Preset("lives", "lives", LivesOptions(), 2),
        Preset("lives_4", "lives", LivesOptions(lives=4, paid_places=4), 2),
        Preset("round_robin", "round_robin", RoundRobinOptions(), 2),
        Preset("double_round_robin", "round_robin", RoundRobinOptions(cycles=2), 2),
        Preset("truncated_round_robin", "round_robin", RoundRobinOptions(rounds=6), 2),
        Preset("league", "round_robin", RoundRobinOptions(days_per_round=7), 2),
        Preset("monrad", "monrad", MonradOptions(), 2),
        Preset("keizer", "keizer", KeizerOptions(), 2),
        Preset("ready", "ready", ReadyOptions(), 2),
        Preset("ladder", "ladder", LadderOptions(), 2),
    )
}


def preset(key: str) -> Preset:
    """The preset with this key; a format's own key stands for its default options.

    Raises:
        DrawRefused: ``unknown_format``.
    """
    if key in PRESETS:
        return PRESETS[key]
    if key in FORMATS:
        return Preset(key, key, FORMATS[key].options(), FORMATS[key].minimum)
    raise DrawRefused(
        "unknown_format", f"there is no format {key!r}; choose from {', '.join(PRESETS)}", format=key
    )
