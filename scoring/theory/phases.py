"""The phase of the game at a position: opening, contact, race or bear-off.

Source: docs/reference/theory.md, "Phases of a game". The race begins when no checker of either side has to
pass one of the other's; the bear-off is the race of a player whose checkers are all home. Where the opening
ends is convention.
"""

from enum import StrEnum

from scoring.rules.position import OFF, STARTING_POSITION, Position

OPENING_AWAY = 6
"""Checkers of both sides away from where they started, up to which a position is of the opening."""
HOME = 6


class GamePhase(StrEnum):
    """The phases in the order in which a game goes through them."""

    OPENING = "opening"
    CONTACT = "contact"
    RACE = "race"
    BEAROFF = "bearoff"


def has_contact(position: Position) -> bool:
    """Whether a checker of either side still has to pass one of the other's.

    >>> has_contact(STARTING_POSITION), has_contact(Position.from_points({6: 3}, {5: 2}))
    (True, False)
    """
    return _rearmost(position.own) + _rearmost(position.opponent) > 24


def phase_of(position: Position) -> GamePhase:
    """The phase for the player on roll, or for the one who is seen in this position.

    >>> str(phase_of(STARTING_POSITION)), str(phase_of(Position.from_points({6: 3}, {8: 2})))
    ('opening', 'bearoff')
    >>> str(phase_of(Position.from_points({8: 2}, {6: 3})))
    'race'
    >>> str(phase_of(Position.from_points({25: 1}, {1: 2})))
    'contact'
    """
    if not has_contact(position):
        return GamePhase.BEAROFF if _rearmost(position.own) <= HOME else GamePhase.RACE
    return GamePhase.OPENING if _away(position) <= OPENING_AWAY else GamePhase.CONTACT


def _rearmost(counts: tuple[int, ...]) -> int:
    """The highest slot with a checker in the player's own numbering; 0 when all are off."""
    return max((slot for slot, count in enumerate(counts) if count and slot != OFF), default=OFF)


def _away(position: Position) -> int:
    """Checkers that are not where they started."""
    start = STARTING_POSITION.own
    return sum(
        max(0, wanted - count)
        for counts in (position.own, position.opponent)
        for wanted, count in zip(start, counts, strict=True)
    )
