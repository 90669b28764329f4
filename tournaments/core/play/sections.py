"""What became of the sections of a stage: fields, byes, and prizes without a win."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.core.brackets.bracket import CONSOLATION, FINAL, LAST_CHANCE, MAIN, THIRD
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.resolve import BracketStatus
from tournaments.core.formats.table import format_of
from tournaments.core.play.winning import entrants_with_a_win, prize_places
from tournaments.core.prizes.payouts import PERCENTAGES, Award, paid_places, pay_places
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place

POOL = 100_00
"""A nominal pool for each table, to see who would be paid."""


@dataclass(frozen=True, slots=True)
class SectionFigures:
    """A section as it was played: entrants, matches, and byes in all, most and fewest of one entrant."""

    section: str
    entrants: int
    matches: int
    byes: int
    most_byes: int
    fewest_byes: int


@dataclass(frozen=True, slots=True)
class PlayedSections:
    """The sections of a stage that was played.

    ``not_drawn`` are those that the options ask for and too few entrants could reach. Of all paid entrants
    (each table of the stage pays its usual places) ``prizes_without_a_win`` is the share who won no match
    of that table. ``without_a_winner`` are the tables in which no one has won a match over the board.
    """

    sections: tuple[SectionFigures, ...]
    not_drawn: tuple[str, ...]
    prizes_without_a_win: float
    without_a_winner: tuple[str, ...] = ()

    @property
    def smallest(self) -> int:
        return min(each.entrants for each in self.sections)

    @property
    def most_byes(self) -> int:
        return max(each.most_byes for each in self.sections)


def played_sections(stage: Stage) -> PlayedSections:
    """The figures of a finished stage."""
    chosen = format_of(stage.format)
    found = _of_bracket(chosen, stage) if isinstance(chosen, Elimination) else [_of_rounds(stage)]
    drawn = {each.section for each in found}
    awards = [(name, award) for name, places in _tables(stage) for award in _awards(stage, name, places)]
    idle = sum(not _won(stage, name, award.entrant) for name, award in awards)
    return PlayedSections(
        tuple(found),
        tuple(name for name in _asked_for(stage) if name not in drawn),
        round(idle / len(awards), 4) if awards else 0.0,
        tuple(name for name, _places in _tables(stage) if not entrants_with_a_win(stage, name)),
    )


def _asked_for(stage: Stage) -> Iterator[str]:
    options = stage.options
    if getattr(options, "third_place", False):
        yield THIRD
    if getattr(options, "consolation", "none") != "none":
        yield CONSOLATION
    if getattr(options, "last_chance", 0):
        yield LAST_CHANCE


def _of_bracket(chosen: Elimination, stage: Stage) -> list[SectionFigures]:
    state = chosen.resolution(stage)
    found = []
    for name in dict.fromkeys(r.section for r in state.bracket.rounds if r.section != FINAL):
        inside = [match for r in state.bracket.section(name) for match in r.matches]
        entrants = {n for match in inside for n in (state.a[match], state.b[match]) if n > 0}
        byes = Counter(
            max(state.a[match], state.b[match])
            for match in inside
            if state.status(match) is BracketStatus.BYE
        )
        found.append(_figures(name, entrants, sum(match in stage.outcomes for match in inside), byes))
    return found


def _of_rounds(stage: Stage) -> SectionFigures:
    byes = Counter(p.a for p in stage.pairings.values() if p.is_bye)
    return _figures(MAIN, set(range(1, len(stage.field) + 1)), len(stage.outcomes), byes)


def _figures(name: str, entrants: set[int], matches: int, byes: Counter[int]) -> SectionFigures:
    each = [byes[n] for n in entrants]
    return SectionFigures(name, len(entrants), matches, sum(each), max(each, default=0), min(each, default=0))


def _tables(stage: Stage) -> Iterator[tuple[str, tuple[Place, ...]]]:
    chosen = format_of(stage.format)
    yield MAIN, chosen.places(stage)
    if isinstance(chosen, Elimination):
        for table in chosen.bracket(stage).tables[1:]:
            yield table.name, chosen.table(stage, table.name)


def _awards(stage: Stage, name: str, places: tuple[Place, ...]) -> tuple[Award, ...]:
    paid = prize_places(places, entrants_with_a_win(stage, name))
    return pay_places(POOL, PERCENTAGES[paid_places(len(places))], paid, source=name) if paid else ()


def _won(stage: Stage, name: str, entrant: int) -> bool:
    """Whether the entrant won a match of the table, counted without ``play.winning``.

    Over the board, or by forfeit in a main table where none was won over the board.
    """
    chosen = format_of(stage.format)
    inside = set(stage.outcomes)
    if isinstance(chosen, Elimination):
        tables = {table.name: table.rounds for table in chosen.bracket(stage).tables}
        inside = {match for r in tables[name] for match in r.matches}
    counted = [o for match, o in stage.outcomes.items() if match in inside]
    forfeits = name == MAIN and not any(o.played for o in counted)
    return any(o.winner == entrant and (o.played or forfeits) for o in counted)
