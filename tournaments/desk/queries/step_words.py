"""Buttons and sentences of what waits for the director."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.money import money
from tournaments.core.brackets.bracket import MAIN
from tournaments.core.play.next_steps import NextStep, StepKind
from tournaments.core.prizes.payouts import Award
from tournaments.desk.queries.desk_lines import DeskLine, DeskPage, DeskStep
from tournaments.models import EntrantRow, Event, Flight, StageRow
from tournaments.money.entry_fees import fee_states, owing_winners, unpaid_among
from tournaments.stages.services.feeds import fed_field
from tournaments.words.written import pool_name


def _award_words(award: Award, entrant: EntrantRow, event: Event) -> str:
    """A prize as text; what it is from, if not from the main pool."""
    words = f"{entrant.title}, {money(award.amount, event.club.currency)}"
    return words if award.source == MAIN else f"{words}, {pool_name(award.source)}"


class StepWords:
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
        self.flights: Mapping[str, Flight] = {flight.ref: flight for flight in desk.flights}
        self.lines = {line.pairing.ref: line for line in desk.lines}

    @cached_property
    def _unpaid(self) -> Mapping[int, int]:
        """Unpaid fees by entrant's key, in all divisions together."""
        flights = {flight.pk: flight for flight in self.desk.flights}
        states = fee_states(self.event, self.desk.flights)
        return unpaid_among(list(self.entrants.values()), flights, states)

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
        owing = owing_winners(flight, winners, self._unpaid)
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
