"""What waits for the director, with the button that does it, for the desk's page and its API."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.money import money
from tournaments.core.brackets.bracket import MAIN
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.next_steps import EventState, NextStep, StageState, StepKind, next_steps
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.payouts import Award
from tournaments.desk.queries.desk_lines import DeskLine, DeskPage, DeskState, DeskStep
from tournaments.desk.queries.desk_rows import MoneyAtDesk, StagesAtDesk
from tournaments.desk.queries.pace import Reader
from tournaments.models import (
    EntrantRow,
    Event,
    EventStatus,
    Flight,
    PairingState,
    StageRow,
    StageStatus,
)
from tournaments.money.entry_fees import fee_states, owing_winners, unpaid_among
from tournaments.money.services.awards import Purse, decisive
from tournaments.stages.queries.ties import may_have_ties, stage_ties
from tournaments.stages.services.feeds import fed_field
from tournaments.words.written import pool_name

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
    words = _Words(desk, proposed, entrants, tied)
    return tuple(words.step(each) for each in next_steps(state))


def unapproved(found: StagesAtDesk) -> list[Flight]:
    """Finished divisions with money whose prizes are not approved (no query)."""
    return [
        flight
        for flight in _over(found.stages)
        if not found.money.prizes[flight.pk][0] and (flight.entry_fee or flight.added or flight.pools)
    ]


def _over(stages: Sequence[StageRow]) -> list[Flight]:
    """The divisions whose deciding stage is finished."""
    found = []
    for pk, flight in {stage.flight_id: stage.flight for stage in stages}.items():
        last = decisive([stage for stage in stages if stage.flight_id == pk])
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
    unpaid = [(flight.ref, money.prizes[flight.pk][1]) for flight in _over(desk.stages)]
    called = [] if desk.is_arranged else desk.of(frozenset({DeskState.LATE}))
    flights = list({stage.flight_id: stage.flight for stage in desk.stages}.values())
    box_open = _box_is_open(event, flights, money)
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
        auctions=[each.ref for each in flights if money.auctions.get(each.pk)] if box_open else [],
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


def _award_words(award: Award, entrant: EntrantRow, event: Event) -> str:
    """A prize as text; what it is from, if not from the main pool."""
    words = f"{entrant.title}, {money(award.amount, event.club.currency)}"
    return words if award.source == MAIN else f"{words}, {pool_name(award.source)}"


class _Words:
    """Buttons and sentences of the steps of one event."""

    def __init__(
        self,
        desk: DeskPage,
        proposed: Mapping[str, Sequence[Award]],
        entrants: Mapping[int, EntrantRow],
        tied: Mapping[str, StageRow],
    ) -> None:
        self.desk, self.event, self.proposed = desk, desk.event, proposed
        self.entrants, self.tied = entrants, tied
        self.here = reverse("tournaments:desk", args=[self.event.ref])
        self.stages: Mapping[str, StageRow] = {stage.ref: stage for stage in desk.stages}
        self.flights = {stage.flight.ref: stage.flight for stage in desk.stages}
        self.lines = {line.pairing.ref: line for line in desk.lines}

    def step(self, step: NextStep) -> DeskStep:
        if step.subject in self.stages:
            return self._of_stage(step, self.stages[step.subject])
        if step.subject in self.lines:
            return self._of_match(step, self.lines[step.subject])
        return self._of_event(step)

    def _of_stage(self, step: NextStep, stage: StageRow) -> DeskStep:
        name = _("%(flight)s, %(stage)s") % {"flight": stage.flight.name, "stage": stage.name}
        title = name if stage.flight.name else stage.name
        back = ("next", self.here)
        if step.kind is StepKind.PUBLISH_ROUND:
            return DeskStep(
                *(step.kind, stage.ref, _("Publish next round: %(stage)s") % {"stage": title}),
                _("All results of the round are in. The pairings are shown before they are published."),
                f"{reverse('tournaments:round', args=[stage.ref])}?from=desk",
                api=reverse("api:stage_round", args=[stage.ref]),
            )
        if step.kind is StepKind.CHANGE_FORBIDDEN_PAIRS:
            return DeskStep(
                *(step.kind, stage.ref, _("Change forbidden pairs: %(stage)s") % {"stage": title}),
                _("The next round cannot be paired without a forbidden pair."),
                reverse("tournaments:forbidden", args=[stage.flight.ref]),
                api=reverse("api:forbidden_pairs", args=[stage.flight.ref]),
            )
        if step.kind is StepKind.CHANGE_ABSENCES:
            return DeskStep(
                *(step.kind, stage.ref, _("Change absences: %(stage)s") % {"stage": title}),
                _("Fewer than two players would play the next round."),
                reverse("tournaments:absent", args=[stage.ref]),
                api=reverse("api:stage_absences", args=[stage.ref]),
            )
        if step.kind is StepKind.SETTLE_TIE:
            return DeskStep(
                *(step.kind, stage.ref, _("Settle tie: %(stage)s") % {"stage": title}),
                _("Players are level, and their order decides who goes on."),
                f"{self.event.get_absolute_url()}?tab=draw#ties-title",
                api=reverse("api:stage_ties", args=[self.tied[stage.ref].ref]),
            )
        if step.kind is StepKind.CONFIRM_FIELD:
            refs = fed_field(stage)
            return DeskStep(
                *(step.kind, stage.ref, _("Confirm field: %(stage)s") % {"stage": title}),
                ngettext("%(n)s entrant has qualified.", "%(n)s entrants have qualified.", step.count)
                % {"n": step.count},
                reverse("tournaments:field", args=[stage.ref]),
                post=True,
                fields=(back, *(("entrant", ref) for ref in refs)),
                api=reverse("api:stage_field", args=[stage.ref]),
                names=tuple(self.desk.names.get(ref, ref) for ref in refs),
            )
        return DeskStep(
            *(step.kind, stage.ref, _("Make the draw: %(stage)s") % {"stage": title}),
            self._about_draw(step, stage),
            reverse("tournaments:draw_one", args=[stage.ref]),
            post=True,
            fields=(back,),
            api=reverse("api:stage_draw", args=[stage.ref]),
        )

    def _about_draw(self, step: NextStep, stage: StageRow) -> str:
        if step.kind is StepKind.DRAW_UNFILLED:
            return self._unfilled(step, stage.flight)
        if stage.confirmed_at is not None:
            return ngettext("%(n)s entrant in the field.", "%(n)s entrants in the field.", step.count) % {
                "n": step.count
            }
        entered = [each for each in self.desk.to_check_in if each.flight_id == stage.flight_id]
        here = sum(each.state == "present" for each in entered)
        if not here:
            return ngettext(
                "%(n)s entrant, nobody checked in: all are drawn.",
                "%(n)s entrants, nobody checked in: all are drawn.",
                step.count,
            ) % {"n": step.count}
        return _("%(here)s of %(n)s entrants checked in: only these are drawn.") % {
            "here": here,
            "n": step.count,
        }

    def _unfilled(self, step: NextStep, flight: Flight) -> str:
        return ngettext(
            "%(n)s of %(places)s places is taken, and every other draw is finished.",
            "%(n)s of %(places)s places are taken, and every other draw is finished.",
            step.count,
        ) % {"n": step.count, "places": flight.capacity}

    def _of_match(self, step: NextStep, line: DeskLine) -> DeskStep:
        ref = line.pairing.ref
        names = _("%(a)s – %(b)s") % {"a": line.a.title, "b": line.b.title}
        beside = f"{self.here}#match-{ref}"
        result = reverse("tournaments:result", args=[ref])
        match step.kind:
            case StepKind.CONFIRM_RESULT if line.match is not None and not line.boards:
                stands = line.match.result
                points = {"a": stands.white_points, "b": stands.black_points, "names": names}
                return DeskStep(
                    *(step.kind, ref, _("Confirm result")),
                    _("%(names)s, %(a)s–%(b)s") % points,
                    reverse("scoring:confirm", args=[line.match.ref]),
                    post=True,
                    fields=(("next", self.here), ("revision", str(stands.revision))),
                    api=reverse("api:confirmations", args=[line.match.ref]),
                )
            case StepKind.CONFIRM_RESULT:
                return DeskStep(step.kind, ref, _("Confirm boards"), names, beside)
            case StepKind.SETTLE_DISPUTE:
                about = _("%(names)s: the result is disputed.") % {"names": names}
                return DeskStep(step.kind, ref, _("Settle dispute"), about, beside if line.boards else result)
            case StepKind.ENTER_RESULT:
                about = _("%(names)s: a player is out of time.") % {"names": names}
                address = f"{result}?ended=time&from=desk"
                return DeskStep(step.kind, ref, _("Enter result"), about, beside if line.boards else address)
        about = _("%(names)s: called %(minutes)s minutes ago.") % {"names": names, "minutes": line.minutes}
        address = reverse("tournaments:absence", args=[ref])
        api = reverse("api:pairing_absence", args=[ref])
        return DeskStep(step.kind, ref, _("Decide no-show"), about, address, api=api)

    def _of_event(self, step: NextStep) -> DeskStep:
        event, flight = self.event, self.flights.get(step.subject)
        named = flight.name if flight is not None else ""
        settlement = reverse("tournaments:settlement", args=[event.ref])
        match step.kind:
            case StepKind.CALL_MATCHES:
                ready = len(self.desk.ready)
                button = ngettext("Call %(n)s ready match", "Call %(n)s ready matches", ready) % {"n": ready}
                if step.count < ready:
                    button = _("Call %(called)s of %(n)s") % {"called": step.count, "n": ready}
                return DeskStep(
                    *(step.kind, "", button, ""),
                    reverse("tournaments:call_all", args=[event.ref]),
                    post=True,
                    api=reverse("api:call_ready", args=[event.ref]),
                )
            case StepKind.APPROVE_PRIZES:
                return self._approval(self.flights[step.subject])
            case StepKind.APPROVE_AUCTION:
                button = _("Approve auction payouts")
                return DeskStep(
                    *(step.kind, step.subject),
                    _("%(step)s: %(flight)s") % {"step": button, "flight": named} if named else button,
                    _("Buyers are paid by the places of their entrants."),
                    reverse("tournaments:calcutta", args=[step.subject]),
                    api=reverse("api:auction_payouts", args=[step.subject]),
                )
            case StepKind.PAY_PRIZES:
                button = _("Pay prizes: %(flight)s") % {"flight": named} if named else _("Pay prizes")
                about = ngettext("%(n)s prize is not paid.", "%(n)s prizes are not paid.", step.count) % {
                    "n": step.count
                }
                return DeskStep(step.kind, step.subject, button, about, settlement)
            case StepKind.CLOSE_CASH_BOX:
                about = _("Count the cash once every account is settled.")
                return DeskStep(
                    *(step.kind, "", _("Close cash box"), about, f"{settlement}#cash-box"),
                    api=reverse("api:cash_box", args=[event.ref]),
                )
            case StepKind.CANCEL_DIVISION:
                flight = self.flights[step.subject]
                button = (
                    _("Cancel division: %(flight)s") % {"flight": named} if named else _("Cancel division")
                )
                about = _("Its entrants are withdrawn, and you can return their fees.")
                return DeskStep(
                    *(step.kind, step.subject, button, f"{self._unfilled(step, flight)} {about}"),
                    f"{event.get_absolute_url()}?tab=players#flight-{flight.ref}",
                    api=reverse("api:cancel_flight", args=[flight.ref]),
                )
            case StepKind.PUBLISH_EVENT:
                return DeskStep(
                    *(step.kind, "", _("Publish event")),
                    _("Only directors can see this event."),
                    reverse("tournaments:publish_event", args=[event.ref]),
                    post=True,
                    api=reverse("api:event", args=[event.ref]),
                )
        players = reverse("tournaments:entries", args=[event.ref])
        button = _("Enter players: %(flight)s") % {"flight": named} if named else _("Enter players")
        api = reverse("api:event_entrants", args=[event.ref])
        return DeskStep(StepKind.ENTER_PLAYERS, step.subject, button, self._entered(step), players, api=api)

    def _approval(self, flight: Flight) -> DeskStep:
        """The button that approves the prizes that it shows, or leads to why there are none."""
        about = _("The last match is over. Check the prizes and approve them.")
        button = _("Approve prizes: %(flight)s") % {"flight": flight.name}
        step = DeskStep(
            *(StepKind.APPROVE_PRIZES, flight.ref, button if flight.name else _("Approve prizes"), about),
            reverse("tournaments:money", args=[self.event.ref]),
            api=reverse("api:prizes", args=[self.event.ref]),
        )
        awards = self.proposed[flight.ref]
        if not awards:
            return step
        winners = [self.entrants[each.entrant] for each in awards]
        flights = {each.pk: each for each in self.flights.values()}
        states = fee_states(self.event, list(flights.values()))
        unpaid = unpaid_among(list(self.entrants.values()), flights, states)
        owing = owing_winners(flight, winners, unpaid)
        return replace(
            step,
            about=" ".join([about, *owing]),
            address=reverse("tournaments:approve", args=[flight.ref]),
            post=True,
            fields=(("next", self.here), ("seen", "")),
            names=tuple(_award_words(each, self.entrants[each.entrant], self.event) for each in awards),
        )

    def _entered(self, step: NextStep) -> str:
        if not step.subject:
            count = len(self.desk.to_check_in)
            return ngettext("%(n)s entrant so far.", "%(n)s entrants so far.", count) % {"n": count}
        return ngettext(
            "%(n)s entrant so far. A draw needs two.",
            "%(n)s entrants so far. A draw needs two.",
            step.count,
        ) % {"n": step.count}
