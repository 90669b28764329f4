"""What waits for the director at the desk, by the state of its event; ``step_words`` says it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.next_steps import EventState, StageState, next_steps
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.payouts import Award
from tournaments.desk.queries.desk_lines import DeskLine, DeskPage, DeskState, DeskStep
from tournaments.desk.queries.desk_rows import MoneyAtDesk, StagesAtDesk
from tournaments.desk.queries.pace import Reader
from tournaments.desk.queries.step_words import StepWords
from tournaments.models import (
    EntrantRow,
    Event,
    EventStatus,
    Flight,
    PairingState,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import Purse, decisive
from tournaments.stages.queries.ties import may_have_ties, stage_ties
from tournaments.stages.services.feeds import fed_field

EARLY = timedelta(hours=12)
"""Longer than this before the start, entering players comes before the draw."""


def steps_of(
    desk: DeskPage,
    money: MoneyAtDesk,
    purses: Sequence[Purse],
    entrants: Mapping[int, EntrantRow],
    *,
    read: Reader,
) -> tuple[DeskStep, ...]:
    """The steps of an event at the desk, first things first.

    ``purses`` are those of the ``unapproved`` divisions; if there are any, ``entrants`` by key are all of the
    event. ``read`` loads the log of a stage: of those between two rounds, that have filled the next draw, and
    of the ``purses``. No query if they are loaded ahead.
    """
    proposed = {
        purse.flight.ref: awards for purse in purses if (awards := _proposed(purse, read)) is not None
    }
    tied: dict[str, StageRow] = {}
    state = _state(desk, money, list(proposed), read, tied)
    words = StepWords(desk, proposed, entrants, tied)
    return tuple(words.step(each) for each in next_steps(state))


def unapproved(found: StagesAtDesk) -> list[Flight]:
    """Finished divisions with money whose prizes are not approved (no query)."""
    return [
        flight
        for flight in _over(found.flights)
        if not found.money.prizes[flight.pk][0] and (flight.entry_fee or flight.added or flight.pools)
    ]


def _over(flights: Iterable[Flight]) -> list[Flight]:
    """The divisions whose deciding stage is finished."""
    found = []
    for flight in flights:
        last = decisive(list(flight.stages.all()))
        if last is not None and last.status == StageStatus.FINISHED:
            found.append(flight)
    return found


def _state(
    desk: DeskPage, money: MoneyAtDesk, to_approve: list[str], read: Reader, tied: dict[str, StageRow]
) -> EventState:
    """The state of the event.

    Puts the stages whose tie decides the field of another into ``tied``, by the ref of that one.
    """
    event = desk.event
    settle = desk.to_settle
    unpaid = [(flight.ref, money.prizes[flight.pk][1]) for flight in _over(desk.flights)]
    called = [] if desk.is_arranged else desk.of(frozenset({DeskState.LATE}))
    box_open = _box_is_open(event, desk.flights, money)
    return EventState(
        stages=[_stage(desk, stage, read, tied) for stage in desk.stages],
        early=not desk.has_begun and event.starts_at - desk.at > EARLY,
        hidden=event.hidden,
        over=event.is_over,
        closed=event.is_away or event.status == EventStatus.CANCELLED,
        disputed=_refs(line for line in settle if line.state is DeskState.OBJECTED),
        unconfirmed=_refs(line for line in settle if line.state is DeskState.WAITING),
        to_call=0 if desk.is_arranged else desk.to_call,
        out_of_time=_refs(desk.of(frozenset({DeskState.FLAG}))),
        late=_refs(called),
        to_approve=to_approve,
        unpaid=[each for each in unpaid if each[1]],
        auctions=[each.ref for each in desk.flights if money.auctions.get(each.pk)] if box_open else [],
        box_open=box_open,
    )


def _refs(lines: Iterator[DeskLine] | Sequence[DeskLine]) -> list[str]:
    return [line.pairing.ref for line in lines]


def _stage(desk: DeskPage, stage: StageRow, read: Reader, tied: dict[str, StageRow]) -> StageState:
    sources = [each for each in desk.stages if any(rule.into == stage.ref for rule in each.rules)]
    entered = sum(entrant.flight_id == stage.flight_id for entrant in desk.to_check_in)
    planned = stage.status == StageStatus.PLANNED
    complete = {each.ref for each in sources} <= stage.fed.keys()
    between = _between_rounds(desk, stage)
    source = _tied_source(desk, stage, sources, read) if planned and complete else None
    if source is not None:
        tied[stage.ref] = source
    return StageState(
        ref=stage.ref,
        flight=stage.flight.ref,
        planned=planned,
        fed=bool(sources),
        complete=complete,
        confirmed=stage.confirmed_at is not None,
        entrants=len(fed_field(stage)) if sources else entered,
        fills=stage.flight.starts_when_full,
        over=stage.status in {StageStatus.FINISHED, StageStatus.SKIPPED},
        round_due=between and stage.rounds_wait and bool(format_of(stage.format).due(read(stage))),
        blocked=between and acts.forbidden_next(read(stage)) is not None,
        too_few=between and acts.too_few_attend(read(stage)),
        tied=source is not None,
    )


def _tied_source(
    desk: DeskPage, stage: StageRow, sources: Sequence[StageRow], read: Reader
) -> StageRow | None:
    """The first source in which a tie decides who goes on to a stage."""
    for source in sources:
        targets = [each for each in desk.stages if any(rule.into == each.ref for rule in source.rules)]
        if may_have_ties(source) and stage_ties(source, read(source), targets).cut_for(stage.ref):
            return source
    return None


def _between_rounds(desk: DeskPage, stage: StageRow) -> bool:
    """Whether it is paired round by round, in progress, and none of its matches is open."""
    if not (stage.in_rounds and stage.status == StageStatus.RUNNING):
        return False
    return not any(
        line.pairing.stage_id == stage.pk and line.pairing.state == PairingState.OPEN for line in desk.lines
    )


def _box_is_open(event: Event, flights: Sequence[Flight], money: MoneyAtDesk) -> bool:
    """Whether a finished event took money and its cash box is not closed."""
    if event.status != EventStatus.FINISHED or money.box_closed:
        return False
    if any(each.registration_fee or each.entry_fee or each.added or each.pools for each in flights):
        return True
    return bool(money.auctions)


def _proposed(purse: Purse, read: Reader) -> Sequence[Award] | None:
    """The prizes of a finished division; None without any, and until every stage with paid places is over.

    Empty where they are refused: the page with the money says why.
    """
    if any(stage.status != StageStatus.FINISHED for stage in purse.deciding):
        return None
    try:
        return (
            purse.awards({each.pk: read(each) for each in purse.stages if each.drawn_at is not None}) or None
        )
    except PrizeRefused:
        return ()
