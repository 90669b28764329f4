"""The shape of a bracket as it was drawn: entrants, matches and byes of each section.

Read from the graph alone, without results and without the builders: it judges a bracket of any origin.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.brackets.bracket import FINAL, Bracket
from tournaments.core.brackets.compaction import live_codes
from tournaments.core.stages.format import Fault

FEWEST = 2


@dataclass(frozen=True, slots=True)
class SectionShape:
    """A section: how many enter it, its matches and byes by round, and the byes of an entrant who wins on.

    ``fed_by`` are the rounds whose losers come, as (section, number of the round).
    """

    section: str
    entrants: int
    matches: tuple[int, ...]
    byes: tuple[int, ...]
    most_byes: int
    fewest_byes: int
    fed_by: tuple[tuple[str, int], ...] = ()


def shape_of(bracket: Bracket) -> tuple[SectionShape, ...]:
    """The sections in the order in which they begin; the grand final belongs to none."""
    live = live_codes(bracket.a, bracket.b)
    sections = [name for name in dict.fromkeys(r.section for r in bracket.rounds) if name != FINAL]
    round_of = {match: r for r in bracket.rounds for match in r.matches}
    feeding: dict[str, set[tuple[str, int]]] = defaultdict(set)
    entries: dict[str, list[int]] = {name: [] for name in sections}
    for match, slots in enumerate(zip(bracket.a, bracket.b, strict=True), 1):
        name = round_of[match].section
        if name == FINAL:
            continue
        for code in slots:
            if code < 0:
                entries[name].append(match)
            elif live[code] and (code & 1 or round_of[code >> 1].section != name):
                entries[name].append(match)
                feeding[name].add((round_of[code >> 1].section, round_of[code >> 1].number))
    byes = _byes_from(bracket, live, {match: r.section for match, r in round_of.items()})
    return tuple(
        _section(bracket, name, live, [byes[m] for m in entries[name]], feeding[name]) for name in sections
    )


def _byes_from(bracket: Bracket, live: Sequence[bool], section: Mapping[int, str]) -> list[int]:
    """For each match: the byes of an entrant who wins from it on to the end of its section."""
    byes = [0] * (bracket.size + 1)
    for match in range(bracket.size, 0, -1):
        onward = bracket.winner_goes_to(match)
        byes[match] = _is_bye(live, match)
        if onward is not None and section[onward] == section[match]:
            byes[match] += byes[onward]
    return byes


def _is_bye(live: Sequence[bool], match: int) -> int:
    """1 where one side is there and no other can be."""
    return int(live[2 * match] and not live[2 * match + 1])


def _section(
    bracket: Bracket, name: str, live: Sequence[bool], byes: Sequence[int], feeding: set[tuple[str, int]]
) -> SectionShape:
    rounds = [r for r in bracket.section(name) if any(live[2 * m] for m in r.matches)]
    return SectionShape(
        name,
        len(byes),
        tuple(sum(live[2 * m + 1] for m in r.matches) for r in rounds),
        tuple(sum(_is_bye(live, m) for m in r.matches) for r in rounds),
        max(byes, default=0),
        min(byes, default=0),
        tuple(sorted(feeding)),
    )


def shape_faults(bracket: Bracket) -> Iterator[Fault]:
    """Report sections of fewer than two entrants and byes that are stacked on some while others have none."""
    for each in shape_of(bracket):
        if each.entrants < FEWEST:
            yield Fault("small_section", f"{each.section}: {each.entrants} entrants can reach it")
        if each.most_byes > 1 and not each.fewest_byes:
            message = f"{each.section}: one entrant has {each.most_byes} byes while another has none"
            yield Fault("stacked_byes", message)
