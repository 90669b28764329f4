"""The bracket graph: every elimination format is one of these.

Matches are numbered from 1 in an order in which every match comes after those that feed it, which makes a
cycle unwritable. Main, consolation, last chance and the losers' side of a double elimination are sections of
one graph.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.slots import Slot, unpack

MAIN, LOSERS, FINAL, THIRD = "main", "losers", "final", "third place"
CONSOLATION, LAST_CHANCE = "consolation", "last chance"


@dataclass(frozen=True, slots=True)
class Round:
    """Consecutive matches ``first .. first + count - 1``; ``number`` counts from 1 inside the section.

    A round below 1 has no match unless a late entrant brings one: see ``compaction``. ``length`` is the match
    length in points, ``None`` when the director has not set one.
    """

    section: str
    number: int
    first: int
    count: int
    length: int | None = None

    @property
    def matches(self) -> range:
        return range(self.first, self.first + self.count)


@dataclass(frozen=True, slots=True)
class Table:
    """One ranking that the bracket decides, with its rounds.

    Losers of later rounds are placed before losers of earlier ones.
    """

    name: str
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """An immutable graph of matches.

    ``a`` and ``b`` hold the packed slots of match m at index m - 1 (see ``slots.pack``). ``reset`` is the
    number of the match that is played only when the unbeaten finalist lost the match before it.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    rounds: tuple[Round, ...]
    tables: tuple[Table, ...]
    reset: int | None = None
    _feeds: list[tuple[list[int], list[int]]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    @property
    def size(self) -> int:
        """How many matches there are, byes included."""
        return len(self.a)

    def slots(self, match: int) -> tuple[Slot, Slot]:
        """The two slots of a match.

        Raises:
            DrawRefused: ``no_such_match``.
        """
        self.require(match)
        return unpack(self.a[match - 1]), unpack(self.b[match - 1])

    def require(self, match: int) -> None:
        if not 1 <= match <= self.size:
            raise DrawRefused(
                "no_such_match", f"match {match} does not exist: this draw has {self.size}", match=match
            )

    def section(self, name: str) -> tuple[Round, ...]:
        return tuple(r for r in self.rounds if r.section == name)

    def table(self, name: str) -> Table:
        """The table with this name.

        Raises:
            DrawRefused: ``no_such_table``.
        """
        for table in self.tables:
            if table.name == name:
                return table
        raise DrawRefused("no_such_table", f"this bracket has no table {name!r}", table=name)

    def winner_goes_to(self, match: int) -> int | None:
        """The match that the winner plays next, ``None`` after the last one of a section."""
        return self._targets()[0][match] or None

    def loser_goes_to(self, match: int) -> int | None:
        """The match that the loser drops into, ``None`` when losing here is the end."""
        return self._targets()[1][match] or None

    def _targets(self) -> tuple[list[int], list[int]]:
        # Built on first use: a draw of 100,000 that is only stored never needs the reverse edges.
        if not self._feeds:
            winners, losers = [0] * (self.size + 1), [0] * (self.size + 1)
            for codes in (self.a, self.b):
                for match, code in enumerate(codes, 1):
                    if code > 0:
                        (losers if code & 1 else winners)[code >> 1] = match
            self._feeds.append((winners, losers))
        return self._feeds[0]

    def downstream(self, match: int) -> Iterator[int]:
        """Every match that depends on this one, in number order, without itself."""
        self.require(match)
        winners, losers = self._targets()
        reached = {winners[match], losers[match]}
        for later in range(match + 1, self.size + 1):
            if later in reached:
                yield later
                reached |= {winners[later], losers[later]}


@dataclass(slots=True)
class Builder:
    """Collects rounds in playing order. ``lengths`` are match lengths by round, the last one repeated."""

    a: list[int] = field(default_factory=list)
    b: list[int] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def play(self, section: str, codes: Sequence[int], lengths: Sequence[int] = ()) -> list[int]:
        """Pair neighbours: codes 0-1, 2-3, ... become a new round of the section.

        Returns the match numbers.
        """
        return self.meet(section, codes[::2], codes[1::2], lengths)

    def meet(
        self, section: str, a: Sequence[int], b: Sequence[int], lengths: Sequence[int] = ()
    ) -> list[int]:
        """Pair ``a[i]`` with ``b[i]`` in a new round of the section. Returns the match numbers."""
        first = len(self.a) + 1
        self.a.extend(a)
        self.b.extend(b)
        self.lengths[section] = tuple(lengths)
        self.rounds.append(
            self.numbered(section, 1 + sum(r.section == section for r in self.rounds), first, len(a))
        )
        return list(range(first, first + len(a)))

    def numbered(self, section: str, number: int, first: int, count: int) -> Round:
        """A round of the section with the match length of its number."""
        lengths = self.lengths[section]
        length = lengths[min(max(number, 1), len(lengths)) - 1] if lengths else None
        return Round(section, number, first, count, length)

    def build(self, tables: Sequence[tuple[str, Sequence[str]]], *, reset: int | None = None) -> Bracket:
        """The bracket, its tables given as (name, sections in the order in which they place)."""
        rounds = tuple(self.rounds)
        return Bracket(
            tuple(self.a),
            tuple(self.b),
            rounds,
            tuple(
                Table(name, tuple(r for s in sections for r in rounds if r.section == s))
                for name, sections in tables
            ),
            reset,
        )


def winners(matches: Sequence[int]) -> list[int]:
    return [2 * m for m in matches]


def losers(matches: Sequence[int]) -> list[int]:
    return [2 * m + 1 for m in matches]


def structural_faults(bracket: Bracket) -> Iterator[str]:
    """Sentences about a graph that is not a draw: a seed twice, an edge used twice or pointing forward.

    Independent of the builders, so that it can judge a bracket that came from elsewhere.
    """
    seen: set[int] = set()
    for codes in (bracket.a, bracket.b):
        for match, code in enumerate(codes, 1):
            if code > 0 and code >> 1 >= match:
                yield f"match {match} waits for match {code >> 1}, which is not before it"
            if code and code in seen:
                yield f"{unpack(code)} feeds two slots, one of them in match {match}"
            seen.add(code)
