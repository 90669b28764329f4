"""Positions of a match as its decisions were faced."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.log.queries.sheets import steps_of
from scoring.models import Match
from scoring.notation.xgid import Xgid, decode_xgid, encode_xgid, xgid_at
from scoring.rules.errors import ScoringError
from scoring.rules.position import Position
from scoring.rules.sides import Side
from scoring.theory.cards import FacedRoll
from scoring.theory.decisions import DecisionKind


@dataclass(frozen=True, slots=True)
class Positions:
    """The XGIDs of a match by the event that decided, before its roll and after it."""

    plays: Mapping[int, str]
    rolls: Mapping[int, str]
    cubes: Mapping[int, str]

    def at(self, seq: int, kind: DecisionKind) -> str:
        """The XGID of the decision at an event; "" where there is none, as for an irregular position."""
        if kind is DecisionKind.CHECKER:
            return self.plays.get(seq, "")
        return self.cubes.get(seq) or self.rolls.get(seq, "")


def positions_of(match: Match) -> Positions:
    """The positions that were faced in a match as its sheet stands (one query)."""
    plays, rolls, cubes = {}, {}, {}
    for step in steps_of(match.sheet):
        try:
            xgid = xgid_at(step.before, step.score)
        except ScoringError:  # an irregular position has no XGID
            continue
        if step.roll is None:
            cubes[step.seq] = xgid
        else:
            plays[step.seq] = xgid
            if step.roll_seq is not None:
                rolls[step.roll_seq] = encode_xgid(replace(decode_xgid(xgid), roll=None))
    return Positions(plays, rolls, cubes)


def faced_by(xgid: Xgid) -> FacedRoll | None:
    """The position and roll of a checker decision, None without a roll."""
    return FacedRoll(seen_by_roller(xgid), xgid.roll) if xgid.roll else None


def seen_by_roller(xgid: Xgid) -> Position:
    """The position in the numbering of the side on roll."""
    return xgid.position if xgid.turn is Side.WHITE else xgid.position.flipped()
