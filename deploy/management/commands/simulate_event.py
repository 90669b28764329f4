"""``manage.py simulate_event``: simulate an event, without a database."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.core.formats.presets import PRESETS, preset
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import Fees
from tournaments.core.stages.errors import DrawError
from tournaments.core.timetable.forecast import Conditions, Distribution, Forecast, distribution, forecast


def ratings(text: str) -> tuple[float, ...]:
    """Parse ``"1800,1650.5"`` as numbers; argparse reports the ValueError."""
    return tuple(float(word) for word in text.split(","))


class Command(BaseCommand):
    help = "Play an event with players of given strength: finish time, rematches, fairness and payouts."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", required=True, metavar="F", help=", ".join(PRESETS))
        parser.add_argument("--entrants", required=True, type=int, metavar="N")
        parser.add_argument("--seed", default="1", metavar="S", help="the same seed plays the same event")
        parser.add_argument(
            "--repeat", type=int, default=1, metavar="R", help="play R events and print distributions"
        )
        parser.add_argument(
            "--tables", type=int, metavar="T", help="tables at the venue (default: as many as needed)"
        )
        parser.add_argument("--length", type=int, default=7, metavar="P", help="match length in points")
        parser.add_argument("--no-clocks", action="store_true", help="play without clocks")
        parser.add_argument(
            "--spread", type=float, default=150.0, help="standard deviation of ratings (FIBS)"
        )
        parser.add_argument("--strengths", type=ratings, default=(), metavar="R,R,...", help="FIBS ratings")
        parser.add_argument("--entry-fee", type=int, default=0, metavar="CENTS", help="in minor units")
        parser.add_argument("--returned", type=int, default=100, metavar="%", help="share of fees paid out")
        parser.add_argument(
            "--added", type=int, default=0, metavar="CENTS", help="added money in minor units"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["repeat"] < 1:
            raise CommandError(f"--repeat {options['repeat']}: at least 1")
        if options["length"] < 1:
            raise CommandError(f"--length {options['length']}: at least 1 point")
        try:
            played = self._play(options)
        except (DrawError, PrizeRefused) as error:
            raise CommandError(str(error)) from error
        about = {"format": options["format"], "entrants": options["entrants"], "seed": options["seed"]}
        if options["repeat"] == 1:
            self._report(about, asdict(played[0]), _event_lines(played[0]), as_json=options["json"])
        else:
            summary = distribution(played)
            self._report(about, asdict(summary), _summary_lines(summary), as_json=options["json"])

    def _play(self, options: dict[str, Any]) -> list[Forecast]:
        conditions = Conditions(
            tables=options["tables"],
            clocks=not options["no_clocks"],
            length=options["length"],
            spread=options["spread"],
            strengths=options["strengths"],
            fees=Fees(entry=options["entry_fee"], returned=options["returned"]),
            added=options["added"],
        )
        chosen, entrants, seed = preset(options["format"]), options["entrants"], options["seed"]
        seeds = [seed] if options["repeat"] == 1 else [f"{seed}/{n}" for n in range(options["repeat"])]
        return [forecast(chosen, entrants, seed=each, conditions=conditions) for each in seeds]

    def _report(
        self, about: dict[str, Any], figures: dict[str, Any], lines: list[str], *, as_json: bool
    ) -> None:
        if as_json:
            self.stdout.write(json.dumps(about | figures))
            return
        self.stdout.write("{format}, {entrants} entrants, seed {seed}".format(**about))
        for line in lines:
            self.stdout.write(f"  {line}")


def _hours(minutes: float) -> str:
    return f"{int(minutes) // 60}:{int(minutes) % 60:02d} h"


def _end_of(played: Forecast) -> str:
    if played.minutes is not None:
        return f"finished after {_hours(played.minutes)}"
    evening = "" if played.evening is None else f", a round an evening, at most {_hours(played.evening)} each"
    return f"a season{evening}"


def _ends_of(summary: Distribution) -> str:
    figures = summary.minutes or summary.evening
    if figures is None:
        return "a season"
    low, median, late, high = map(_hours, figures)
    what = "finished after" if summary.minutes else "a season, the longest evening"
    return f"{what} {median} (median), {late} (90%), {low} to {high}"


def _event_lines(played: Forecast) -> list[str]:
    winners = ", ".join(f"strength {n}" for n in played.winners) or "nobody"
    return [
        (
            f"{_end_of(played)}: {played.rounds} rounds, {played.matches} matches, "
            f"{played.byes} byes, {played.rematches} rematches"
        ),
        f"won by {winners}; rank correlation of strength and place {played.fairness:.2f}",
        *_section_lines(played),
        *(f"pays {amount / 100:.2f} to strength {n}" for n, amount in played.payouts),
    ]


def _section_lines(played: Forecast | Distribution) -> list[str]:
    missing = f"; too few entrants for: {', '.join(played.not_drawn)}" if played.not_drawn else ""
    return [
        (
            f"smallest section {played.smallest_section} entrants, at most {played.most_byes} byes of one "
            f"entrant in a section, {played.prizes_without_a_win:.1%} of prizes without a win{missing}"
        )
    ]


def _summary_lines(summary: Distribution) -> list[str]:
    expected = ", ".join(f"{place:g}" for place in summary.expected_place[:8])
    return [
        f"{summary.events} events; {_ends_of(summary)}",
        (
            f"rematches {summary.rematches[1]:g} (median), {summary.rematches[3]:g} at most; "
            f"matches {summary.matches[1]:g} (median)"
        ),
        (
            f"best player wins {summary.best_wins:.1%}; rank correlation of strength and place "
            f"{summary.fairness:.2f}"
        ),
        f"expected place by strength: {expected}",
        *_section_lines(summary),
    ]
