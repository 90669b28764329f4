"""The cells of a line in a ``.mat`` file: the words for what a player did, in every spelling met."""

import re
from enum import StrEnum
from typing import NamedTuple

from scoring.rules.sides import Side

WIDE_GAP = 3
"""So many spaces stand between two cells; fewer stand within one."""
_CELL = re.compile(
    r"(?P<dice>[1-6][-, x.]?[1-6])\s?:|(?P<no_roll>(?<!\S)0-?0\s?:(?:\s*\?+)?)"
    r"|(?<!\S)(?P<damaged>[^\s:]{1,3}):(?=\s|$)|(?<!\S)(?P<hidden>\?{3,})(?!\S)"
    r"|(?<!\S)(?:(?P<double>(?:re)?doubles?)|(?P<take>take[sn]?|accept(?:s|ed)?)"
    r"|(?P<pass>drop(?:s|ped)?|pass(?:es|ed)?|reject(?:s|ed)?|refuse[sd]?|decline[sd]?|fold(?:s|ed)?)"
    r"|(?P<beaver>beavers?)|(?P<raccoon>raccoons?)|(?P<resign>resign(?:s|ed)?|concede[sd]?|gives?\s+up)"
    r"|(?P<wins>wins?|won)|(?P<loses>loss(?:es)?|loses?|lost))\b",
    re.IGNORECASE,
)
_OF_A_ROLL = frozenset({"pass", "resign"})


class CellKind(StrEnum):
    """What a cell says."""

    ROLL = "dice"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - of a double
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN = "resign"
    WINS = "wins"
    LOSES = "loses"


_KINDS = {"damaged": CellKind.ROLL, "no_roll": CellKind.RESIGN, "hidden": CellKind.RESIGN}


class WrittenCell(NamedTuple):
    """One player's action as written; ``turn`` is the number of its row, 0 without one.

    ``side`` is None where the columns do not say whose it is.
    """

    line: int
    turn: int
    side: Side | None
    kind: CellKind
    text: str


class FoundCell(NamedTuple):
    """A cell in its line; doubtful if only its place says that it is one."""

    start: int
    kind: CellKind
    text: str
    is_doubtful: bool


def cells_in(line: str, begin: int = 0, end: int | None = None) -> list[FoundCell]:
    """The cells between two places of a line, left one first.

    ``????`` alone and ``00:``, nothing rolled, are somebody's resignation.

    >>> [(cell.kind.value, cell.text) for cell in cells_in("6-2: Cannot Move     00: ????")]
    [('dice', '62: Cannot Move'), ('resign', '00: ????')]
    """
    end = len(line) if end is None else end
    matches: list[re.Match[str]] = []
    for match in _CELL.finditer(line, begin, end):
        if not (matches and _continues(line, matches[-1], match)):
            matches.append(match)
    ends = [match.start() for match in matches] + [end]
    return [_found(line, match, after) for match, after in zip(matches, ends[1:], strict=True)]


def _continues(line: str, last: re.Match[str], match: re.Match[str]) -> bool:
    """Whether the words are the play of the roll before them: ``62: Concedes``, ``62: ????``."""
    between = line[last.end() : match.start()]
    gap = len(between) - len(between.rstrip())
    if last["dice"] is None or gap >= WIDE_GAP:
        return False
    return match["hidden"] is not None or (match.lastgroup in _OF_A_ROLL and not between.strip())


def _found(line: str, match: re.Match[str], end: int) -> FoundCell:
    group = str(match.lastgroup)
    text = line[match.start() : end].strip()
    if match["dice"]:
        text = re.sub("[-, xX.]", "", match["dice"]) + ":" + line[match.end() : end].rstrip()
    return FoundCell(
        match.start(), _KINDS.get(group) or CellKind(group), text, is_doubtful=group == "damaged"
    )
