"""Builders of elimination brackets: knockout, its consolations and last chance, and double elimination.

A *seating* gives the entrant number at each first-round position, 0 for a bye; its length is a power of two.
Who sits where is decided in ``seeding``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.core.brackets import bracket as graph
from tournaments.core.brackets.bracket import Bracket, Builder, losers, winners
from tournaments.core.brackets.compaction import balanced, compact, live_codes, rounds_that_feed
from tournaments.core.brackets.losers_side import crossed, feeding_waves, play_waves
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.seeding import SeatingOptions

Seating = Sequence[int]


@dataclass(frozen=True, slots=True)
class KnockoutOptions(SeatingOptions):
    """A main bracket and the sections its losers may play.

    ``lengths`` are match lengths in points by round, the last one repeated. ``consolation`` is ``"simple"``
    (losers of the first round) or ``"progressive"`` (losers of each early round, every round entering at its
    own consolation round; by default every round before the semi-finals). ``feeding`` is how many main rounds
    feed it at least, ``None`` for the default; ``last_chance`` how many consolation rounds feed a last chance
    at least, 0 for none. More rounds feed where these give no field (``compaction.rounds_that_feed``).
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
    how many rounds of the losers' side feed a last chance at least, 0 for none.
    """

    lengths: tuple[int, ...] = ()
    losers_lengths: tuple[int, ...] = ()
    final_lengths: tuple[int, ...] = ()
    reset: bool = True
    last_chance: int = 0
    last_chance_lengths: tuple[int, ...] = ()


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


def main_rounds(builder: Builder, seating: Seating, lengths: Sequence[int]) -> list[list[int]]:
    """Build the main bracket; returns the matches of each round."""
    rounds_total(seating)
    codes = [-number for number in seating]
    rounds: list[list[int]] = []
    while len(codes) > 1:
        rounds.append(builder.play(graph.MAIN, codes, lengths))
        codes = winners(rounds[-1])
    return rounds


def knockout(seating: Seating, options: KnockoutOptions, drawn: int | None = None) -> Bracket:
    """A single-elimination bracket with the sections that the options ask for.

    ``drawn`` is how many entrants were there at the draw; those with higher numbers took byes later and
    change no other match. A section that fewer than two entrants would reach is left out.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two``; ``feeding_out_of_range`` or ``last_chance_out_of_range``
            for numbers of rounds below 1, and for a last chance without a consolation.
    """
    if options.feeding is not None and options.feeding < 1:
        message = f"{options.feeding} main rounds cannot feed a consolation: at least 1"
        raise DrawRefused("feeding_out_of_range", message, feeding=options.feeding)
    builder = Builder()
    main = main_rounds(builder, seating, options.lengths)
    drawn = max(seating) if drawn is None else drawn
    tables = [(graph.MAIN, [graph.MAIN])]
    if options.third_place and len(main) > 1 and _live_losers(builder, main[-2:-1], drawn) == [2]:
        builder.play(graph.THIRD, losers(main[-2]), options.lengths[-1:])
        tables.append((graph.THIRD, [graph.THIRD]))
    if options.consolation != "none":
        consolation = _consolation(builder, main, options, drawn)
        if consolation:
            tables.append((graph.CONSOLATION, [graph.CONSOLATION]))
        if consolation and options.last_chance:
            tables.extend(_last_chance(builder, consolation, options, drawn))
    elif options.last_chance:
        raise DrawRefused("last_chance_out_of_range", "a last chance needs a consolation")
    compact(builder, drawn)
    return builder.build(tables)


def _live_losers(builder: Builder, rounds: Sequence[Sequence[int]], drawn: int) -> list[int]:
    """How many entrants lose in each of these rounds."""
    live = live_codes(builder.a, builder.b, drawn)
    return [sum(live[code] for code in losers(matches)) for matches in rounds]


def _consolation(
    builder: Builder, main: list[list[int]], options: KnockoutOptions, drawn: int
) -> list[list[int]]:
    """The rounds of the consolation; none if fewer than two entrants would reach it."""
    usual = 1 if options.consolation == "simple" else max(1, len(main) - 2)
    most = len(main) - 1 - options.third_place
    fields = _live_losers(builder, main[: max(0, most)], drawn)
    feeding = rounds_that_feed(fields, options.feeding or usual, drawn)
    if not feeding:
        return []
    waves = feeding_waves(main, feeding)
    waves[0] = balanced(waves[0], live_codes(builder.a, builder.b, drawn))
    return play_waves(builder, graph.CONSOLATION, waves, options.consolation_lengths)


def _last_chance(
    builder: Builder, beaten: list[list[int]], options: KnockoutOptions | DoubleOptions, drawn: int
) -> Iterator[tuple[str, list[str]]]:
    """Build the last chance for those beaten in a section; nothing if fewer than two would reach it."""
    if options.last_chance < 0:
        message = f"{options.last_chance} rounds cannot feed a last chance: at least 1, or 0 for none"
        raise DrawRefused("last_chance_out_of_range", message)
    fields = _live_losers(builder, beaten, drawn)
    feeding = rounds_that_feed(fields[:-1], options.last_chance, sum(fields) + 1)
    if not feeding:
        return
    # Every second wave enters at the other end, away from those it has just lost beside.
    waves = [
        crossed(losers(matches), len(matches) - 1 if index % 2 else 0)
        for index, matches in enumerate(beaten[:feeding])
    ]
    play_waves(builder, graph.LAST_CHANCE, waves, options.last_chance_lengths)
    yield graph.LAST_CHANCE, [graph.LAST_CHANCE]


def double_elimination(seating: Seating, options: DoubleOptions, drawn: int | None = None) -> Bracket:
    """Main and losers' side, then the final between their winners.

    The crossing delays rematches as long as any crossing can, see ``crossing``. ``drawn`` as in ``knockout``.

    Raises:
        DrawRefused: ``seating_not_a_power_of_two``.
    """
    builder = Builder()
    main = main_rounds(builder, seating, options.lengths)
    drawn = max(seating) if drawn is None else drawn
    beaten: list[list[int]] = []
    if len(main) == 1:
        last = 2 * main[0][0] + 1
    else:
        # The final's loser enters last and has nothing to cross with.
        waves = [*feeding_waves(main, len(main) - 1), losers(main[-1])]
        waves[0] = balanced(waves[0], live_codes(builder.a, builder.b, drawn))
        beaten = play_waves(builder, graph.LOSERS, waves, options.losers_lengths)
        last = winners(beaten[-1])[0]
    lengths = options.final_lengths or options.lengths[-1:]
    final = builder.meet(graph.FINAL, winners(main[-1]), [last], lengths)
    reset = None
    if options.reset:
        reset = builder.meet(graph.FINAL, winners(final), losers(final), lengths)[0]
    tables = [(graph.MAIN, [graph.MAIN, graph.LOSERS, graph.FINAL])]
    if beaten and options.last_chance:
        tables.extend(_last_chance(builder, beaten, options, drawn))
    compact(builder, drawn)
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
