"""The tie-breaks that an event can choose, the usual sets of them, and which are useless where.

Sources: docs/reference/tournaments.md, "Tie-breaks".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LOT: Final = "lot"

OFFERED: Final = (
    "direct_encounter",
    "point_difference",
    "points_won",
    "sonneborn_berger",
    "koya",
    "buchholz",
    "buchholz_cut1",
    "buchholz_median",
    "real_wins",
    "stavrou",
    LOT,
)
"""In the order they are offered. ``wins`` is missing: it is the score where no match is drawn."""

SAME_OPPONENTS: Final = frozenset({"buchholz", "buchholz_cut1", "buchholz_median"})
"""Equal for all who are level where everyone meets everyone: they have had the same opponents."""


@dataclass(frozen=True, slots=True)
class TieBreakSet:
    """A usual set of tie-breaks, in order; ``round_robin`` for those made for groups."""

    key: str
    tie_breaks: tuple[str, ...]
    round_robin: bool = False


SETS: Final = {
    each.key: each
    for each in (
        TieBreakSet("group", ("direct_encounter", "point_difference", "points_won"), round_robin=True),
        TieBreakSet("berger", ("direct_encounter", "sonneborn_berger", "koya"), round_robin=True),
        TieBreakSet("buchholz", ("buchholz", "sonneborn_berger", "direct_encounter")),
        TieBreakSet("buchholz_cut", ("buchholz_cut1", "buchholz", "direct_encounter")),
        TieBreakSet("direct", ("direct_encounter", "buchholz_cut1")),
        TieBreakSet("points", ("point_difference", "points_won", "direct_encounter"), round_robin=True),
    )
}


def offered(*, complete_round_robin: bool) -> tuple[str, ...]:
    """The tie-breaks that can separate entrants there, in the order they are offered."""
    if not complete_round_robin:
        return OFFERED
    return tuple(key for key in OFFERED if key not in SAME_OPPONENTS)


def tie_break_faults(keys: Sequence[str], *, complete_round_robin: bool) -> Iterator[tuple[str, str]]:
    """Why a choice makes no sense: pairs of a code and the tie-break.

    Codes: ``unknown``, ``is_the_score``, ``equal_for_all``, ``twice``, ``lot_not_last``.
    """
    for place, key in enumerate(keys):
        if key == "wins":
            yield "is_the_score", key
        elif key not in OFFERED:
            yield "unknown", key
        elif complete_round_robin and key in SAME_OPPONENTS:
            yield "equal_for_all", key
        if key in keys[:place]:
            yield "twice", key
        if key == LOT and place < len(keys) - 1:
            yield "lot_not_last", key
