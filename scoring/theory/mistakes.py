"""What kind of mistake a wrong decision was, told from the equities and the two positions alone.

Source: docs/reference/theory.md, "Kinds of mistakes". A wrong play is compared with the best one: the first
kind of the list that holds is its kind. Only what can be read from the board is told; why a player chose a
play is not.
"""

from collections.abc import Callable
from enum import StrEnum

from scoring.rules.position import BAR, Position
from scoring.theory.decisions import Decision, DecisionKind
from scoring.theory.performance import DEFAULT_THRESHOLDS

HOME = range(1, 7)
THEIR_HOME = range(19, 25)
BLOCK = range(1, 12)


class MistakeKind(StrEnum):
    """The kinds, cube actions first."""

    MISSED_DOUBLE = "missed_double"
    MISSED_CASH = "missed_cash"
    EARLY_DOUBLE = "early_double"
    DOUBLED_TOO_GOOD = "doubled_too_good"
    WRONG_TAKE = "wrong_take"
    WRONG_PASS = "wrong_pass"  # noqa: S105 - the answer to a double, not a password
    MISSED_HIT = "missed_hit"
    WRONG_HIT = "wrong_hit"
    BROKE_ANCHOR = "broke_anchor"
    KEPT_ANCHOR = "kept_anchor"
    MISSED_POINT = "missed_point"
    TOO_BOLD = "too_bold"
    TOO_SAFE = "too_safe"
    OTHER_PLAY = "other_play"


def kind_of_mistake(decision: Decision) -> MistakeKind | None:
    """The kind of an error of at least the limit from which pages mark one; None for any other decision.

    Plays need the positions after the best candidate and the one played, without them they are "other".
    """
    if not decision.counted or (decision.error or 0.0) < DEFAULT_THRESHOLDS.error:
        return None
    if decision.kind is DecisionKind.CHECKER:
        return _wrong_play(decision)
    told = {candidate.action: candidate.equity for candidate in decision.candidates}
    if decision.kind is DecisionKind.RESPONSE:
        return MistakeKind.WRONG_PASS if told["take"] > told["pass"] else MistakeKind.WRONG_TAKE
    takes = told["double/take"] < told["double/pass"]
    if told["no double"] >= min(told["double/take"], told["double/pass"]):
        return MistakeKind.EARLY_DOUBLE if takes else MistakeKind.DOUBLED_TOO_GOOD
    return MistakeKind.MISSED_DOUBLE if takes else MistakeKind.MISSED_CASH


def _wrong_play(decision: Decision) -> MistakeKind:
    played = next((each.position for each in decision.candidates if each.played), None)
    best = decision.best.position if decision.best else None
    if not played or not best:
        return MistakeKind.OTHER_PLAY
    ours, theirs = Position.from_key(played), Position.from_key(best)
    for kind, measure, wanted in _MEASURES:
        difference = measure(theirs) - measure(ours)
        if difference * wanted > 0:
            return kind
    return MistakeKind.OTHER_PLAY


def _on_the_bar(position: Position) -> int:
    return position.opponent[BAR]


def _points_in(slots: range) -> Callable[[Position], int]:
    return lambda position: sum(position.own[slot] >= 2 for slot in slots)


def _blots(position: Position) -> int:
    """Own blots that a checker of the opponent has still to pass."""
    rearmost = min((25 - slot for slot, count in enumerate(position.opponent) if count and slot), default=25)
    return sum(position.own[slot] == 1 for slot in range(1, 25) if slot > rearmost)


_MEASURES: tuple[tuple[MistakeKind, Callable[[Position], int], int], ...] = (
    (MistakeKind.MISSED_HIT, _on_the_bar, 1),
    (MistakeKind.WRONG_HIT, _on_the_bar, -1),
    (MistakeKind.BROKE_ANCHOR, _points_in(THEIR_HOME), 1),
    (MistakeKind.KEPT_ANCHOR, _points_in(THEIR_HOME), -1),
    (MistakeKind.MISSED_POINT, _points_in(BLOCK), 1),
    (MistakeKind.TOO_BOLD, _blots, -1),
    (MistakeKind.TOO_SAFE, _blots, 1),
)
"""What is compared in this order; 1 if the best play has more of it, -1 if less."""
