"""What a match came to for each player, from its judged steps: rates, cost, luck and turning points."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.matches.queries.chances import Stakes
from scoring.matches.queries.stops import Stop
from scoring.rules.events import Played
from scoring.rules.sides import Side
from scoring.theory.luck import luck_adjusted, snowie_rate


@dataclass(frozen=True, slots=True)
class Moment:
    """A step that gained or lost most: its number, and how much in normalised equity."""

    number: int
    equity: float


@dataclass(frozen=True, slots=True)
class SideSums:
    """One player's sums; ``cost`` and ``adjusted`` are match-winning chances, None in a money session.

    ``adjusted`` is the result without luck, None unless the match was won and the luck of its rolls is known.
    """

    snowie: float | None
    cost: float | None
    adjusted: float | None
    luckiest: Moment | None
    worst: Moment | None


def side_sums(stops: Sequence[Stop], *, is_over: bool) -> tuple[SideSums, SideSums]:
    """White's and Black's sums over the judged steps of a match."""
    plays = sum(stop.step.kind == Played.kind for stop in stops)
    lost, cost, luck = (_by_side() for _ in range(3))
    luckiest: dict[Side, Moment] = {}
    worst: dict[Side, Moment] = {}
    known, has_luck = True, False
    for stop in stops:
        for decision in (judgement.decision for judgement in stop.judgements):
            side, stakes, number = decision.side, Stakes.of(stop.step, decision.side), stop.step.number
            unit = stakes.cost(1.0)
            known = known and unit is not None
            if decision.counted and decision.error:
                lost[side] += decision.error
                cost[side] += decision.error * (unit or 0.0)
                if side not in worst or decision.error > worst[side].equity:
                    worst[side] = Moment(number, decision.error)
            if decision.luck is not None:
                has_luck = True
                luck[side] += decision.luck * (unit or 0.0)
                if side not in luckiest or decision.luck > luckiest[side].equity:
                    luckiest[side] = Moment(number, decision.luck)
    winner = _winner(stops) if is_over and known and has_luck else None
    white, black = (
        SideSums(
            snowie=snowie_rate(lost[side], plays),
            cost=cost[side] if known else None,
            adjusted=luck_adjusted(float(side is winner), luck[side], luck[side.other]) if winner else None,
            luckiest=luckiest.get(side),
            worst=worst.get(side),
        )
        for side in Side
    )
    return white, black


def _by_side() -> dict[Side, float]:
    return dict.fromkeys(Side, 0.0)


def _winner(stops: Sequence[Stop]) -> Side | None:
    """Who won the match on the board; None if it ended otherwise."""
    finals = [stop.step.final for stop in stops if stop.step.final is not None]
    return finals[-1].winner if finals else None
