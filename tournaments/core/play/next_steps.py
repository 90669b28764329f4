"""What waits for the director of an event, in the order in which to do it.

A pure function of the state of an event: the desk shows the first step as its main button. What fills a draw
or opens a round comes before calls, because players wait for it; money comes last.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

FEWEST = 2


class StepKind(StrEnum):
    """The kinds of steps, in their order."""

    ENTER_PLAYERS = "enter_players"
    SETTLE_DISPUTE = "settle_dispute"
    SETTLE_TIE = "settle_tie"
    CONFIRM_FIELD = "confirm_field"
    DRAW = "draw"
    CONFIRM_RESULT = "confirm_result"
    CHANGE_FORBIDDEN_PAIRS = "change_forbidden_pairs"
    CHANGE_ABSENCES = "change_absences"
    PUBLISH_ROUND = "publish_round"
    CALL_MATCHES = "call_matches"
    ENTER_RESULT = "enter_result"
    DECIDE_ABSENCE = "decide_absence"
    DRAW_UNFILLED = "draw_unfilled"
    CANCEL_DIVISION = "cancel_division"
    APPROVE_PRIZES = "approve_prizes"
    APPROVE_AUCTION = "approve_auction"
    PAY_PRIZES = "pay_prizes"
    CLOSE_CASH_BOX = "close_cash_box"
    PUBLISH_EVENT = "publish_event"


ORDER = tuple(StepKind)


@dataclass(frozen=True, slots=True)
class StageState:
    """A stage of an event: ``fed`` by others or drawn among the entries, with ``entrants`` so far.

    ``complete``: every stage that feeds it is over. ``fills``: drawn with the entry that takes the last
    place. ``over``: finished or cancelled. ``round_due``: the director publishes its next round.
    ``tied``: a tie decides who is in its field.
    ``blocked``: forbidden pairs leave no pairing of its next round. ``too_few``: absences leave fewer than
    two for it.
    """

    ref: str
    flight: str
    planned: bool = False
    fed: bool = False
    complete: bool = True
    confirmed: bool = False
    entrants: int = 0
    fills: bool = False
    over: bool = False
    round_due: bool = False
    tied: bool = False
    blocked: bool = False
    too_few: bool = False


@dataclass(frozen=True, slots=True)
class EventState:
    """An event: its ``stages`` in order, matches by what is wrong with them, and flights by prizes.

    Matches are named by the ref of their pairing, flights by their ref. ``early``: long before the start.
    """

    stages: Sequence[StageState] = ()
    early: bool = False
    hidden: bool = False
    over: bool = False
    closed: bool = False
    """Cancelled or on another computer: nothing waits."""
    disputed: Sequence[str] = ()
    unconfirmed: Sequence[str] = ()
    to_call: int = 0
    out_of_time: Sequence[str] = ()
    late: Sequence[str] = ()
    to_approve: Sequence[str] = ()
    unpaid: Sequence[tuple[str, int]] = ()
    """Flights with approved prizes that are not paid, and how many."""
    auctions: Sequence[str] = ()
    """Flights whose auction has payouts to approve."""
    box_open: bool = False
    """Finished, with money that was taken, and its cash box is not closed."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """One step: ``subject`` is the ref of a stage, flight or pairing (empty: the event)."""

    kind: StepKind
    subject: str = ""
    count: int = 0


def next_steps(event: EventState) -> tuple[NextStep, ...]:
    """Everything that waits for the director, first things first."""
    if event.closed:
        return ()
    found = [*_of_matches(event), *_of_money(event)]
    if not event.over:
        found.extend(_of_draws(event))
    if event.hidden:
        found.append(NextStep(StepKind.PUBLISH_EVENT))
    return tuple(sorted(found, key=lambda step: ORDER.index(step.kind)))


def _of_draws(event: EventState) -> Iterator[NextStep]:
    seen: set[str] = set()
    unfilled = {stage.flight for stage in event.stages if stage.planned and stage.fills}
    if not event.early and all(stage.over or stage.flight in unfilled for stage in event.stages):
        yield from _unfilled(event, unfilled)
    if event.early and any(stage.planned and not stage.fed for stage in event.stages):
        yield NextStep(StepKind.ENTER_PLAYERS)
    for stage in event.stages:
        if stage.blocked:
            yield NextStep(StepKind.CHANGE_FORBIDDEN_PAIRS, stage.ref)
        elif stage.too_few:
            yield NextStep(StepKind.CHANGE_ABSENCES, stage.ref)
        elif stage.round_due:
            yield NextStep(StepKind.PUBLISH_ROUND, stage.ref)
        if not stage.planned:
            seen.add(stage.flight)
        elif stage.fed:
            if stage.complete:
                kind = StepKind.DRAW if stage.confirmed else StepKind.CONFIRM_FIELD
                yield NextStep(StepKind.SETTLE_TIE if stage.tied else kind, stage.ref, stage.entrants)
        elif stage.flight not in seen and not stage.fills:  # the groups of a flight are drawn together
            seen.add(stage.flight)
            yield from _first_draw(event, stage)


def _unfilled(event: EventState, unfilled: Collection[str]) -> Iterator[NextStep]:
    """Divisions that wait to be full when nothing else is left to play: draw them, or cancel them."""
    several = any(stage.flight not in unfilled for stage in event.stages)
    for stage in event.stages:
        if stage.flight in unfilled and not stage.fed and stage.entrants:
            if stage.entrants >= FEWEST:
                yield NextStep(StepKind.DRAW_UNFILLED, stage.ref, stage.entrants)
            if several:
                yield NextStep(StepKind.CANCEL_DIVISION, stage.flight, stage.entrants)


def _first_draw(event: EventState, stage: StageState) -> Iterator[NextStep]:
    if stage.entrants >= FEWEST:
        yield NextStep(StepKind.DRAW, stage.ref, stage.entrants)
    elif not event.early:
        yield NextStep(StepKind.ENTER_PLAYERS, stage.flight, stage.entrants)


def _of_matches(event: EventState) -> Iterator[NextStep]:
    yield from (NextStep(StepKind.SETTLE_DISPUTE, ref) for ref in event.disputed)
    yield from (NextStep(StepKind.CONFIRM_RESULT, ref) for ref in event.unconfirmed)
    if event.to_call:
        yield NextStep(StepKind.CALL_MATCHES, count=event.to_call)
    yield from (NextStep(StepKind.ENTER_RESULT, ref) for ref in event.out_of_time)
    yield from (NextStep(StepKind.DECIDE_ABSENCE, ref) for ref in event.late)


def _of_money(event: EventState) -> Iterator[NextStep]:
    yield from (NextStep(StepKind.APPROVE_PRIZES, ref) for ref in event.to_approve)
    yield from (NextStep(StepKind.APPROVE_AUCTION, ref) for ref in event.auctions)
    yield from (NextStep(StepKind.PAY_PRIZES, ref, count) for ref, count in event.unpaid)
    if event.box_open:
        yield NextStep(StepKind.CLOSE_CASH_BOX)
