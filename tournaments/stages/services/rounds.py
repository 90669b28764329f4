"""Publish rounds manually: as the format pairs them, or by hand.

Normally a round is published when the last result of the one before is in. Where rounds wait, a director
publishes each after seeing the unconfirmed results; open matches always block.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.refusals import Remedy
from scoring.models import Sheet
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.pairings import Pairing as DrawnPairing
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Stage
from tournaments.events.queries.entrant_rows import numbered_entrants
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import EntrantRow, Event, EventStatus, PairingRow, PairingState, StageRow, StageStatus
from tournaments.stages.services.labels import as_listed_when_due
from tournaments.stages.services.locks import lock_stage, lock_with_sheets
from tournaments.stages.services.refusals import in_names, remedy_in_log, sides_of
from tournaments.stages.services.stages import load, play_in, walkovers_in, write

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """Two entrants, or one with a bye; ``number`` is 0 before publication."""

    number: int
    a: EntrantRow
    b: EntrantRow | None

    def __str__(self) -> str:
        other = self.b.title if self.b else _("bye")
        return _("%(a)s – %(b)s") % {"a": self.a.title, "b": other}


class RematchRefused(DeskRefused):
    """Refusal of rematches paired by hand, unless the director allows them."""

    def __init__(self, meetings: Sequence[DrawnPair]) -> None:
        names = ", ".join(map(str, meetings))
        message = _(
            "These have already played each other: %(names)s. Allow the rematches or change the pairings."
        ) % {"names": names}
        super().__init__(message, code="rematch")
        self.meetings = tuple(meetings)
        self.parameters = {"rematches": [[each.a.ref, each.b.ref] for each in meetings if each.b]}


@dataclass(frozen=True, slots=True)
class NextRound:
    """The state of the next round.

    ``due`` are the pairings by the format, empty while matches are ``open`` and after the last round; where
    it is ``blocked`` because each pairing has a forbidden pair in it, those with the fewest. ``present`` are
    all entrants who would play.
    """

    number: int
    open: tuple[DrawnPair, ...]
    unconfirmed: tuple[DrawnPair, ...]
    due: tuple[DrawnPair, ...]
    present: tuple[EntrantRow, ...]
    blocked: bool = False


def next_round(stage: StageRow, value: Stage) -> NextRound:
    """The next round of a drawn stage (one query). Raises DeskRefused for another format."""
    chosen = require_rounds(stage)
    entrants = numbered_entrants(stage.pk)
    due = chosen.proposed(value)
    loose = (value.pairings[n] for n, outcome in value.outcomes.items() if not outcome.confirmed)
    return NextRound(
        value.rounds + 1,
        _meetings(value.open_pairings(), entrants),
        _meetings(loose, entrants),
        tuple(replace(meeting, number=0) for meeting in _meetings(due, entrants)),
        tuple(entrants[n] for n in value.attending),
        blocked=acts.forbidden_next(value) is not None,
    )


def let_rounds_wait(*, stage: StageRow, wait: bool, user: User | None, seen: int | None = None) -> StageRow:
    """Set whether a director publishes rounds after the first.

    Turning it off publishes a round that is due. Idempotent. Raises DeskRefused for a format without rounds,
    a stage that is over and a cancelled event; StaleRefused when the stage's log is not at ``seen``.
    """
    require_rounds(stage)
    with transaction.atomic():
        stage = lock_stage(stage, seen=seen)
        _require_going_on(stage)
        if stage.status not in {StageStatus.PLANNED, StageStatus.RUNNING}:
            raise DeskRefused(
                _("%(stage)s is %(state)s.") % {"stage": stage.name, "state": stage.get_status_display()},
                code="not_running",
            )
        if stage.rounds_wait == wait:
            return stage
        stage.rounds_wait = wait
        stage.save(update_fields=["rounds_wait"])
        if stage.drawn_at is not None and not wait:
            value = load(stage)
            write(stage=stage, before=value, after=value, user=user)
        note(event=stage.flight.event, kind="rounds_wait", user=user, stage=stage.ref, wait=wait)
    return stage


def pair_round(
    *,
    stage: StageRow,
    user: User | None,
    pairs: Pairs | None = None,
    seen: int | None = None,
    unconfirmed: bool = False,
    rematches: bool = False,
) -> StageRow:
    """Publish the next round: as its format pairs it, or by hand in ``pairs``.

    ``pairs`` are entrants' refs (an empty second one is a bye). ``unconfirmed`` allows unconfirmed results;
    ``rematches`` allows pairs who have met in this draw or on their way to it (else RematchRefused).

    Raises DeskRefused, naming the matches, while some are open or unconfirmed; where rounds do not wait, none
    is due, or ``pairs`` do not contain every present entrant once; StaleRefused when the stage's log is not
    at ``seen``; DrawRefused for invalid pairs and forbidden ones.
    """
    require_rounds(stage)
    with transaction.atomic():
        stage = lock_stage(stage, seen=seen)
        before = load(stage)
        listed = as_listed_when_due(stage, before)
        _require_waiting(stage, listed)
        coming = next_round(stage, listed)
        _require_results(coming, unconfirmed=unconfirmed)
        with in_names(stage):
            after = _by_format(listed) if pairs is None else _by_hand(listed, coming, pairs)
        again = _rematches(before, coming, pairs or ())
        if again and not rematches:
            raise RematchRefused(again)
        write(stage=stage, before=before, after=after, user=user)
        note(
            event=stage.flight.event,
            kind="round_paired",
            user=user,
            stage=stage.ref,
            round=coming.number,
            by_hand=pairs is not None,
            unconfirmed=[meeting.number for meeting in coming.unconfirmed],
            rematches=[[meeting.a.ref, meeting.b.ref] for meeting in again if meeting.b],
        )
    return stage


def withdraw_round(*, stage: StageRow, user: User | None, seen: int | None = None) -> StageRow:
    """Withdraw the last round before any of its matches has begun; rounds then wait for a director.

    Its pairings are replaced, their matches void, and called players are told. Publishing the round again is
    the way back. Raises DeskRefused, naming the matches, once one has begun; for the first round, which comes
    with the draw; while absences from the round after it are reported, and outside play; StaleRefused when
    the stage's log is not at ``seen``.
    """
    require_rounds(stage)
    with transaction.atomic():
        stage = lock_with_sheets(stage, lambda: _open_sheets(stage), seen=seen)
        _require_going_on(stage)
        _require_running(stage)
        before = load(stage)
        _require_not_begun(stage, before)
        after = acts.withdraw_round(before)
        rows = PairingRow.objects.filter(stage=stage, round=before.rounds, called_at__isnull=False)
        called = list(rows.current().values_list("ref", flat=True))
        stage.rounds_wait = True
        stage.save(update_fields=["rounds_wait"])
        write(stage=stage, before=before, after=after, user=user, noted=True)
        note(
            event=stage.flight.event,
            kind="round_withdrawn",
            user=user,
            stage=stage.ref,
            round=before.rounds,
            called=called,
        )
    return stage


def _open_sheets(stage: StageRow) -> QuerySet[Sheet]:
    pairing = "match__board__pairing"
    return Sheet.objects.filter(**{f"{pairing}__stage": stage.pk, f"{pairing}__state": PairingState.OPEN})


def _require_not_begun(stage: StageRow, before: Stage) -> None:
    """Raise DeskRefused for a last round that cannot be withdrawn."""
    if before.rounds < 2:
        raise DeskRefused(
            _("The first round of %(stage)s comes with the draw. Redraw it instead.") % {"stage": stage.name},
            code="first_round",
        )
    numbers = before.last.pairings if before.last is not None else ()
    begun, walkovers = play_in(stage, before) & {*numbers}, walkovers_in(before) & {*numbers}
    if begun and begun == walkovers:
        raise DeskRefused(
            _(
                "Round %(round)s cannot be withdrawn: it has a walkover or disqualification (%(matches)s). "
                "Undo that in the log first."
            )
            % {"round": before.rounds, "matches": sides_of(stage, walkovers)},
            code="walkover",
            remedy=remedy_in_log(stage),
        )
    if begun:
        raise DeskRefused(
            _("Round %(round)s cannot be withdrawn: play has begun (%(matches)s).")
            % {"round": before.rounds, "matches": sides_of(stage, begun)},
            code="begun",
        )
    if before.absent:
        raise DeskRefused(
            _(
                "Round %(round)s cannot be withdrawn: absences from the next round are reported. Undo them "
                "first."
            )
            % {"round": before.rounds},
            code="absences",
            remedy=Remedy(_("Change absences"), "tournaments:absent", "api:stage_absences", (stage.ref,)),
        )
    if not acts.may_withdraw_round(before):
        raise DeskRefused(
            _("Round %(round)s of %(stage)s cannot be withdrawn: it is over.")
            % {"round": before.rounds, "stage": stage.name},
            code="no_round",
        )


def require_rounds(stage: StageRow) -> RoundsFormat[Any]:
    """The format of a stage that is paired round by round. Raises DeskRefused for another one."""
    chosen = format_of(stage.format)
    if not isinstance(chosen, RoundsFormat):
        raise DeskRefused(
            _("%(format)s is not paired round by round.") % {"format": stage.format_name}, code="no_rounds"
        )
    return chosen


def _require_going_on(stage: StageRow) -> None:
    # Read again: cancelling the event locks this stage as well.
    if Event.objects.filter(pk=stage.flight.event_id, status=EventStatus.CANCELLED).exists():
        raise DeskRefused(_("This event is cancelled."), code="event_over")


def _require_running(stage: StageRow) -> None:
    if stage.status != StageStatus.RUNNING:
        raise DeskRefused(
            _("%(stage)s is %(state)s: there is no round to pair.")
            % {"stage": stage.name, "state": stage.get_status_display()},
            code="not_running",
        )


def _require_waiting(stage: StageRow, listed: Stage) -> None:
    _require_going_on(stage)
    _require_running(stage)
    if not stage.rounds_wait:
        if (blocked := acts.forbidden_next(listed)) is not None:
            with in_names(stage):
                raise blocked
        raise DeskRefused(
            _("The rounds of %(stage)s are paired automatically. Choose to publish them manually first.")
            % {"stage": stage.name},
            code="rounds_do_not_wait",
            remedy=Remedy(_("Publish rounds manually"), "tournaments:round", "api:stage_round", (stage.ref,)),
        )


def _require_results(coming: NextRound, *, unconfirmed: bool) -> None:
    if coming.open:
        raise DeskRefused(
            _("Round %(round)s is waiting for the result of %(matches)s.")
            % {"round": coming.number, "matches": _named(coming.open)},
            code="round_open",
        )
    if not coming.due:
        raise DeskRefused(_("All rounds have been played."), code="no_round")
    if coming.unconfirmed and not unconfirmed:
        raise DeskRefused(
            _(
                "The result of %(matches)s is not confirmed. Confirm it, or pair round %(round)s on "
                "unconfirmed results."
            )
            % {"round": coming.number, "matches": _named(coming.unconfirmed)},
            code="unconfirmed",
        )


def _named(meetings: Iterable[DrawnPair]) -> str:
    return ", ".join(_("match %(number)s (%(sides)s)") % {"number": m.number, "sides": m} for m in meetings)


def _by_format(before: Stage) -> Stage:
    if (refused := acts.forbidden_next(before)) is not None:
        raise refused
    return acts.publish(before)


def _by_hand(before: Stage, coming: NextRound, pairs: Pairs) -> Stage:
    numbers = {drawn.ref: number for number, drawn in enumerate(before.field, 1)}
    named = [ref for pair in pairs for ref in pair if ref]
    for ref in named:
        if ref not in numbers:
            raise DeskRefused(_("There is no entrant %(ref)s here.") % {"ref": ref}, code="no_entrant")
    if not all(first for first, _second in pairs):
        raise DeskRefused(
            _("A pairing has no first entrant. For a bye, leave the second one blank."), code="no_entrant"
        )
    missing = [entrant for entrant in coming.present if entrant.ref not in named]
    if missing:
        raise DeskRefused(
            _("%(names)s would not play. Pair every entrant or give a bye.")
            % {"names": ", ".join(entrant.title for entrant in missing)},
            code="not_paired",
        )
    return acts.publish_by_hand(before, [(numbers[a], numbers[b] if b else BYE) for a, b in pairs])


def _rematches(before: Stage, coming: NextRound, pairs: Pairs) -> list[DrawnPair]:
    """Pairs by hand who have met before, in this draw or on their way to it."""
    refs = {number: drawn.ref for number, drawn in enumerate(before.field, 1)}
    played = [pairing for pairing in before.pairings.values() if not pairing.is_bye]
    met = {frozenset({refs[pairing.a], refs[pairing.b]}) for pairing in played}
    met |= {frozenset({drawn.ref, other}) for drawn in before.field for other in drawn.met}
    known = {entrant.ref: entrant for entrant in coming.present}
    return [DrawnPair(0, known[a], known[b]) for a, b in pairs if b and frozenset({a, b}) in met]


def _meetings(pairings: Iterable[DrawnPairing], entrants: dict[int, EntrantRow]) -> tuple[DrawnPair, ...]:
    return tuple(
        DrawnPair(pairing.number, entrants[pairing.a], None if pairing.is_bye else entrants[pairing.b])
        for pairing in sorted(pairings, key=lambda each: each.number)
    )
