"""Leagues and ladders: match times, reminders, forfeits, challenges and seasons.

A match not started by its deadline goes to the side whose proposal was never answered; otherwise it is a
double no-show. A director can overrule that.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.formats.dates import day
from clubs.models import Player, User
from scoring.log.services.sheets import lock_sheet
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult, overrule
from tournaments.core.play import acts
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import announce, plan_of, require_as_seen, touch
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    Board,
    EntrantRow,
    Event,
    EventStatus,
    Flight,
    PairingRow,
    PairingState,
    StageEntrant,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import last_stage
from tournaments.stages.services.feeds import ranking
from tournaments.stages.services.locks import lock_stage
from tournaments.stages.services.refusals import in_names
from tournaments.stages.services.stages import load, write

REMIND_DAYS = 3
MOST_AT_ONCE = 500


def propose_date(
    *,
    pairing: PairingRow,
    entrant: EntrantRow,
    at: datetime,
    seen: Mapping[str, datetime | None] | None = None,
) -> None:
    """Propose a match time and email it to the other side.

    Raises DeskRefused for a pairing that is not open or not the entrant's, and for a time in the past or
    after the deadline; OvertakenRefused where ``proposed_at`` or ``agreed_at`` differs from ``seen``.
    """
    with transaction.atomic():
        row = _locked(pairing, entrant, seen)
        if at <= now():
            raise DeskRefused(_("This time is in the past. Propose a later one."), code="past")
        event = row.stage.flight.event
        if row.deadline is not None and at.astimezone(event.tz).date() > row.deadline:
            raise DeskRefused(
                _("The deadline for this match is %(day)s. Propose an earlier time.")
                % {"day": day(row.deadline)},
                code="too_late",
            )
        row.proposed_at, row.proposed_by, row.agreed_at = at, entrant, None
        row.save(update_fields=["proposed_at", "proposed_by", "agreed_at"])
        other = _other(row, entrant)
        _tell(other.players, "proposal", row, _("Proposed match time: %(event)s") % {"event": event.name})
        touch(event)


def agree_date(
    *, pairing: PairingRow, entrant: EntrantRow, seen: Mapping[str, datetime | None] | None = None
) -> None:
    """Accept the time that the other side proposed.

    Raises DeskRefused without a proposal, OvertakenRefused where it differs from ``seen``.
    """
    with transaction.atomic():
        row = _locked(pairing, entrant, seen)
        if row.proposed_at is None or row.proposed_by_id == entrant.pk:
            raise DeskRefused(_("Your opponent has not proposed a time."), code="no_proposal")
        row.agreed_at = row.proposed_at
        row.save(update_fields=["agreed_at"])
        touch(row.stage.flight.event)


def _locked(
    pairing: PairingRow, entrant: EntrantRow, seen: Mapping[str, datetime | None] | None = None
) -> PairingRow:
    lock_stage(pairing.stage)
    found = PairingRow.objects.select_for_update(of=("self",), no_key=True)
    row = found.select_related("stage__flight__event__club", "a", "b").get(pk=pairing.pk)
    if row.state != PairingState.OPEN or entrant.pk not in {row.a_id, row.b_id}:
        raise DeskRefused(_("You can arrange only your own open matches."), code="not_open")
    require_as_seen(seen, {"proposed_at": row.proposed_at, "agreed_at": row.agreed_at})
    return row


def _other(pairing: PairingRow, entrant: EntrantRow) -> EntrantRow:
    sides = EntrantRow.objects.filter(pk__in=[pairing.a_id, pairing.b_id]).with_players()
    return sides.exclude(pk=entrant.pk).get()


def remind(*, today: datetime | None = None) -> int:
    """Email both sides of each match near its deadline, once; returns how many."""
    at = today or now()
    soon = at.date() + timedelta(days=REMIND_DAYS)
    due = _due().filter(deadline__lte=soon, deadline__gte=at.date() - timedelta(days=1), reminded_at=None)
    count = 0
    for pairing in due[:MOST_AT_ONCE]:
        with transaction.atomic():
            # The worker that marks the pairing sends the reminder, in one transaction.
            if not PairingRow.objects.filter(pk=pairing.pk, reminded_at=None).update(reminded_at=at):
                continue
            both = EntrantRow.objects.filter(pk__in=[pairing.a_id, pairing.b_id]).with_players()
            subject = _("Play your match by %(day)s") % {"day": day(pairing.deadline or at)}
            _tell([player for entrant in both for player in entrant.players], "reminder", pairing, subject)
            count += 1
    return count


def forfeit_overdue(*, today: datetime | None = None) -> int:
    """Forfeit every match past its deadline by the rule above; returns how many.

    A match that has started is left to the director.
    """
    at = today or now()
    late = _due().filter(deadline__lte=at.date(), boards__match__sheet__head_seq=1).distinct()
    count = 0
    for pairing in late[:MOST_AT_ONCE]:
        if pairing.deadline is not None and pairing.deadline < _day(pairing.stage.flight.event, at):
            count += _forfeit(pairing)
    return count


def _forfeit(pairing: PairingRow) -> bool:
    """Forfeit a pairing; False if it has been played in the meantime."""
    with transaction.atomic():
        boards = Board.objects.filter(pairing=pairing).select_related("match__sheet").order_by("number")
        found = list(boards)
        sheets = [lock_sheet(board.match.sheet_id) for board in found]
        row = PairingRow.objects.get(pk=pairing.pk)
        if row.state != PairingState.OPEN or any(sheet.head_seq > 1 for sheet in sheets):
            return False
        for board in found:
            overrule(match=board.match, decision=_decision(row), user=None, reason=_reason(row))
    return True


def _decision(pairing: PairingRow) -> DirectedResult:
    if pairing.proposed_by_id is None or pairing.agreed_at is not None:
        return DirectedResult("", None, Ending.DOUBLE_NO_SHOW)
    return DirectedResult(
        "white" if pairing.proposed_by_id == pairing.a_id else "black", None, Ending.NO_SHOW
    )


def _reason(pairing: PairingRow) -> str:
    if _decision(pairing).winner:
        return _("the deadline has passed, and one side never answered the other’s proposal")
    return _("the deadline has passed, and the match was not played")


def _due() -> QuerySet[PairingRow]:
    """Open pairings with a deadline, in events in progress on this site."""
    found = PairingRow.objects.filter(
        state=PairingState.OPEN,
        deadline__isnull=False,
        stage__status=StageStatus.RUNNING,
        stage__flight__event__status=EventStatus.RUNNING,
        stage__flight__event__moved_at=None,
    )
    return found.select_related("stage__flight__event__club", "a", "b").order_by("deadline", "pk")


def _day(event: Event, at: datetime) -> date:
    return at.astimezone(event.tz).date()


def _tell(players: Iterable[Player], what: str, pairing: PairingRow, subject: str) -> None:
    """Email the players with an account."""
    event = pairing.stage.flight.event
    both = EntrantRow.objects.filter(pk__in=[pairing.a_id, pairing.b_id]).with_players()
    context = {
        "event": event,
        "names": " – ".join(entrant.title for entrant in both.order_by("pk")),
        "deadline": pairing.deadline,
        "proposed": pairing.proposed_at and pairing.proposed_at.astimezone(event.tz),
    }
    users = User.objects.filter(pk__in=[player.user_id for player in players if player.user_id])
    for address in users.order_by("pk").values_list("email", flat=True):
        send_mail(
            subject=subject,
            message=render_to_string(f"tournaments/leagues/mail/{what}.txt", context),
            from_email=None,
            recipient_list=[address],
        )


def challenge(
    *, stage: StageRow, challenger: EntrantRow, challenged: EntrantRow, user: User | None
) -> PairingRow:
    """Challenge an entrant higher on the ladder, and email them; returns the pairing.

    Raises DeskRefused for a ladder not in progress, a cancelled event, and an entrant not on the ladder;
    DrawRefused for another format, out of reach, or while one of the two has an open match.
    """
    with transaction.atomic():
        stage = lock_stage(stage)
        # Read under the stage's lock, which cancelling the event takes too.
        if Event.objects.filter(pk=stage.flight.event_id, status=EventStatus.CANCELLED).exists():
            raise DeskRefused(_("This event is cancelled."), code="event_over")
        if stage.status != StageStatus.RUNNING:
            raise DeskRefused(_("This ladder is not in progress."), code="not_running")
        numbers = dict(StageEntrant.objects.filter(stage=stage).values_list("entrant_id", "number"))
        for entrant in (challenger, challenged):
            if entrant.pk not in numbers:
                raise DeskRefused(
                    _("%(name)s is not on this ladder.") % {"name": entrant.title}, code="not_on_ladder"
                )
        before = load(stage)
        with in_names(stage):
            after = acts.challenge(before, numbers[challenger.pk], numbers[challenged.pk])
        write(stage=stage, before=before, after=after, user=user)
        made = PairingRow.objects.select_related("stage__flight__event__club")
        row = made.get(stage=stage, number=before.next_number)
        subject = _("%(name)s challenges you: %(event)s") % {
            "name": challenger.title,
            "event": stage.flight.event.name,
        }
        _tell(challenged.players, "challenge", row, subject)
    return row


def next_season(*, event: Event, starts_at: datetime, moves: int, user: User | None = None) -> Event:
    """Announce a league's next season, with promotion and relegation.

    The flights are its divisions, the highest first. ``moves`` entrants go up and as many down from each
    division; all are entered in the order of their final places. Raises DeskRefused before every division
    has finished, and for a division that is too small.
    """
    if event.status != EventStatus.FINISHED:
        raise DeskRefused(_("The season is not over. Finish every division first."), code="open")
    with transaction.atomic():
        divisions = moved([_ranked(flight) for flight in event.flights.order_by("position")], moves)
        plan = plan_of(event).moved_to(starts_at, tz=event.tz)
        made = announce(club=event.club, plan=plan, user=user, like=event)
        for flight, entrants in zip(made.flights.order_by("position"), divisions, strict=True):
            for entrant in entrants:
                enter(flight=flight, players=entrant.players, user=user, name=entrant.name, override=True)
    return made


def moved(divisions: Sequence[Sequence[EntrantRow]], moves: int) -> list[list[EntrantRow]]:
    """Divisions of the next season, best entrant first.

    Raises DeskRefused if one is too small.
    """
    smallest = min((len(each) for each in divisions), default=0)
    if moves < 0 or 2 * moves > smallest:
        raise DeskRefused(
            _("A division of %(size)s is too small for %(moves)s up and %(moves)s down.")
            % {"moves": moves, "size": smallest},
            code="moves",
        )
    last = len(divisions) - 1
    found = []
    for index, division in enumerate(divisions):
        coming_down = divisions[index - 1][len(divisions[index - 1]) - moves :] if index and moves else []
        coming_up = divisions[index + 1][:moves] if index < last else []
        first = moves if index else 0
        until = len(division) - (moves if index < last else 0)
        found.append([*coming_down, *division[first:until], *coming_up])
    return found


def _ranked(flight: Flight) -> list[EntrantRow]:
    """Entrants of a finished flight, best first, without withdrawn ones."""
    stage = last_stage(flight)
    if stage is None or stage.status != StageStatus.FINISHED:
        raise DeskRefused(_("The season is not over. Finish every division first."), code="open")
    refs = [each.entrant.ref for each in ranking(stage, load(stage))]
    known = {each.ref: each for each in EntrantRow.objects.filter(ref__in=refs).with_players()}
    return [known[ref] for ref in refs]
