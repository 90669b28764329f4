"""Brackets of draws made by version 1, before byes were compacted.

Draws that were made stay as they are: see ``elimination`` for how brackets are built now. Here every first
round of a section has the byes of the main draw, however few entrants come.
"""

from collections.abc import Sequence

from tournaments.core.brackets import bracket as graph
from tournaments.core.brackets.bracket import Bracket, Builder, losers, winners
from tournaments.core.brackets.elimination import (
    DoubleOptions,
    KnockoutOptions,
    Seating,
    main_rounds,
    rounds_total,
)
from tournaments.core.brackets.losers_side import crossed, feeding_waves, play_waves
from tournaments.core.stages.errors import DrawRefused


def _entrants(seating: Seating) -> int:
    return sum(number > 0 for number in seating)


def first_knockout(seating: Seating, options: KnockoutOptions) -> Bracket:
    """A single-elimination bracket with the sections that the options ask for.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two``, ``no_consolation`` (fewer than 3 entrants leave nobody to
            play one), ``feeding_out_of_range``, ``last_chance_out_of_range`` or ``no_third_place``.
    """
    total = rounds_total(seating)
    entrants = _entrants(seating)
    builder = Builder()
    main = main_rounds(builder, seating, options.lengths)
    tables = [(graph.MAIN, [graph.MAIN])]
    if options.third_place:
        if total < 2:
            raise DrawRefused(
                "no_third_place",
                "a third-place match needs two semi-finals: at least 3 entrants",
                entrants=entrants,
            )
        builder.play(graph.THIRD, losers(main[-2]), options.lengths[-1:])
        tables.append((graph.THIRD, [graph.THIRD]))
    if options.consolation != "none":
        consolation = _consolation(builder, main, options, entrants)
        tables.append((graph.CONSOLATION, [graph.CONSOLATION]))
        if options.last_chance:
            _last_chance(builder, consolation, options.last_chance, options.last_chance_lengths, entrants)
            tables.append((graph.LAST_CHANCE, [graph.LAST_CHANCE]))
    elif options.last_chance:
        raise DrawRefused("last_chance_out_of_range", "a last chance needs a consolation")
    return builder.build(tables)


def _consolation(
    builder: Builder, main: list[list[int]], options: KnockoutOptions, entrants: int
) -> list[list[int]]:
    total = len(main)
    if total < 2:
        raise DrawRefused("no_consolation", "a consolation needs at least 3 entrants", entrants=entrants)
    most = total - 1 - options.third_place
    feeding = 1 if options.consolation == "simple" else options.feeding or max(1, total - 2)
    if not 1 <= feeding <= most:
        raise DrawRefused(
            "feeding_out_of_range",
            f"{feeding} main rounds cannot feed the consolation: the first 1 to {most} of {total} can",
            feeding=feeding,
            most=most,
        )
    return play_waves(builder, graph.CONSOLATION, feeding_waves(main, feeding), options.consolation_lengths)


def _last_chance(
    builder: Builder, consolation: list[list[int]], feeding: int, lengths: Sequence[int], entrants: int
) -> None:
    most = len(consolation) - 1
    if not 1 <= feeding <= most or len(consolation[0]) < 2:
        raise DrawRefused(
            "last_chance_out_of_range",
            f"{feeding} consolation rounds cannot feed a last chance: at most {most} can",
            entrants=entrants,
            most=most,
        )
    # Every second wave enters at the other end, away from those it has just lost beside.
    waves = [
        crossed(losers(matches), len(matches) - 1 if index % 2 else 0)
        for index, matches in enumerate(consolation[:feeding])
    ]
    play_waves(builder, graph.LAST_CHANCE, waves, lengths)


def first_double_elimination(seating: Seating, options: DoubleOptions) -> Bracket:
    """Main and losers' side, then the final between their winners.

    The crossing delays rematches as long as any crossing can, see ``crossing``.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two`` or ``last_chance_out_of_range``.
    """
    total = rounds_total(seating)
    builder = Builder()
    main = main_rounds(builder, seating, options.lengths)
    beaten: list[list[int]] = [[]]
    if total == 1:
        last = 2 * main[0][0] + 1
    else:
        # The final's loser enters last and has nothing to cross with.
        waves = [*feeding_waves(main, total - 1), losers(main[-1])]
        beaten = play_waves(builder, graph.LOSERS, waves, options.losers_lengths)
        last = winners(beaten[-1])[0]
    lengths = options.final_lengths or options.lengths[-1:]
    final = builder.meet(graph.FINAL, winners(main[-1]), [last], lengths)
    reset = None
    if options.reset:
        reset = builder.meet(graph.FINAL, winners(final), losers(final), lengths)[0]
    tables = [(graph.MAIN, [graph.MAIN, graph.LOSERS, graph.FINAL])]
    if options.last_chance:
        _last_chance(builder, beaten, options.last_chance, options.last_chance_lengths, _entrants(seating))
        tables.append((graph.LAST_CHANCE, [graph.LAST_CHANCE]))
    return builder.build(tables, reset=reset)
