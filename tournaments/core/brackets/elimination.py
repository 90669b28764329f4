"""Builders of elimination brackets: knockout, its consolations and last chance, and double elimination.

A *seating* gives the entrant number at each first-round position, 0 for a bye; its length is a power of two.
Who sits where is decided in ``seeding``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.core.brackets import bracket as graph
from tournaments.core.brackets.bracket import Bracket, Builder, losers, winners
from tournaments.core.brackets.crossing import masks
from tournaments.core.brackets.losers_side import crossed, play_waves
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.seeding import SeatingOptions

Seating = Sequence[int]


@dataclass(frozen=True, slots=True)
class KnockoutOptions(SeatingOptions):
    """A main bracket and the sections its losers may play.

    ``lengths`` are match lengths in points by round, the last one repeated. ``consolation`` is ``"simple"``
    (losers of the first round) or ``"progressive"`` (losers of the first ``feeding`` rounds, each entering at
    its own consolation round; by default every round before the semi-finals). ``last_chance`` is how many
    consolation rounds feed a last chance, 0 for none.
    """

    lengths: tuple[int, ...] = ()
    third_place: bool = False
    consolation: Literal["none", "simple", "progressive"] = "none"
    feeding: int | None = None
    consolation_lengths: tuple[int, ...] = ()
    last_chance: int = 0
    last_chance_lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DoubleOptions(SeatingOptions):
    """Out at the second loss. With ``reset`` the unbeaten finalist must be beaten twice. ``last_chance`` is
    how many rounds of the losers' side feed a last chance, 0 for none.
    """

    lengths: tuple[int, ...] = ()
    losers_lengths: tuple[int, ...] = ()
    final_lengths: tuple[int, ...] = ()
    reset: bool = True
    last_chance: int = 0
    last_chance_lengths: tuple[int, ...] = ()


def _entrants(seating: Seating) -> int:
    return sum(number > 0 for number in seating)


def rounds_total(seating: Seating) -> int:
    """How many main rounds a seating needs.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two``.
    """
    size = len(seating)
    if size < 2 or size & (size - 1):
        raise DrawRefused(
            "seating_not_a_power_of_two", f"{size} positions: a bracket has 2, 4, 8, ...", size=size
        )
    return size.bit_length() - 1


def _main(builder: Builder, seating: Seating, lengths: Sequence[int]) -> list[list[int]]:
    codes = [-number for number in seating]
    rounds: list[list[int]] = []
    while len(codes) > 1:
        rounds.append(builder.play(graph.MAIN, codes, lengths))
        codes = winners(rounds[-1])
    return rounds


def _feeding_waves(main: Sequence[Sequence[int]], feeding: int) -> list[list[int]]:
    crossing = masks(len(main), feeding)
    # First-round losers meet each other: their mask moves pairs, not single entrants.
    shifts = [mask << 1 if r == 0 else mask for r, mask in enumerate(crossing)]
    return [crossed(losers(main[r]), shift) for r, shift in enumerate(shifts)]


def knockout(seating: Seating, options: KnockoutOptions) -> Bracket:
    """A single-elimination bracket with the sections that the options ask for.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two``, ``no_consolation`` (fewer than 3 entrants leave nobody to
            play one), ``feeding_out_of_range``, ``last_chance_out_of_range`` or ``no_third_place``.
    """
    total = rounds_total(seating)
    entrants = _entrants(seating)
    builder = Builder()
    main = _main(builder, seating, options.lengths)
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
    return play_waves(builder, graph.CONSOLATION, _feeding_waves(main, feeding), options.consolation_lengths)


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


def double_elimination(seating: Seating, options: DoubleOptions) -> Bracket:
    """Main and losers' side, then the final between their winners.

    The crossing delays rematches as long as any crossing can, see ``crossing``.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two`` or ``last_chance_out_of_range``.
    """
    total = rounds_total(seating)
    builder = Builder()
    main = _main(builder, seating, options.lengths)
    beaten: list[list[int]] = [[]]
    if total == 1:
        last = 2 * main[0][0] + 1
    else:
        # The final's loser enters last and has nothing to cross with.
        waves = [*_feeding_waves(main, total - 1), losers(main[-1])]
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


def entry_rounds(bracket: Bracket, section: str) -> tuple[tuple[str, int, int], ...]:
    """Which losers enter a section where.

    Each is (section they lost in, its round, the round of ``section`` they enter). For progressive
    consolation this is what the director announces: "losers of main round 2 enter consolation round 2".
    """
    inside = {m: r.number for r in bracket.section(section) for m in r.matches}
    found = {
        (source.section, source.number, inside[target])
        for source in bracket.rounds
        if source.section != section
        for match in source.matches
        if (target := bracket.loser_goes_to(match)) is not None and target in inside
    }
    order = {(r.section, r.number): i for i, r in enumerate(bracket.rounds)}
    return tuple(sorted(found, key=lambda entry: (order[entry[:2]], entry[2])))
