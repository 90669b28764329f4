"""Absences from the next round of a draw whose format has them: reported and undone until it is paired."""

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.play import acts
from tournaments.core.stages.stage import Stage
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import DeskEvent, EntrantRow, Event, EventStatus, StageEntrant, StageRow, StageStatus
from tournaments.stages.services.locks import lock_stage
from tournaments.stages.services.refusals import in_names
from tournaments.stages.services.stages import load, write


def miss_round(*, stage: StageRow, entrant: EntrantRow, user: User | None, number: int | None = None) -> bool:
    """Leave an entrant out of the next round; returns whether that is new.

    Raises DeskRefused for an entrant who was not drawn, outside play, after the event, and where the next
    round is not the ``number`` that was meant; DrawRefused as ``acts.miss_round``.
    """
    return _change(stage, entrant, acts.miss_round, "round_missed", user, number)


def join_round(*, stage: StageRow, entrant: EntrantRow, user: User | None, number: int | None = None) -> bool:
    """Have an entrant play the next round after all; returns whether they were to be absent.

    Raises DeskRefused as ``miss_round``.
    """
    return _change(stage, entrant, acts.join_round, "round_joined", user, number)


def undo_absence(entry: DeskEvent, *, user: User) -> None:
    """Undo a reported absence. The caller has a transaction and writes the log.

    Raises OvertakenRefused if the round was paired or the absence undone since.
    """
    stage = lock_stage(StageRow.objects.get(ref=entry.body["stage"]))
    _require_playing(stage)
    number = _number(stage, EntrantRow.objects.get(ref=entry.body["entrant"]))
    before = load(stage)
    if before.rounds + 1 != entry.body["round"] or number not in before.absent:
        raise OvertakenRefused(_("There are later changes here. Undo those first."))
    write(stage=stage, before=before, after=acts.join_round(before, number), user=user, noted=True)


def _change(
    stage: StageRow,
    entrant: EntrantRow,
    act: Callable[[Stage, int], Stage],
    kind: str,
    user: User | None,
    meant: int | None,
) -> bool:
    """Write what ``act`` makes of the draw; returns whether it changed."""
    with transaction.atomic():
        stage = lock_stage(stage)
        _require_playing(stage)
        number, before = _number(stage, entrant), load(stage)
        if meant is not None and meant != before.rounds + 1:
            raise _another_round(meant, before.rounds)
        with in_names(stage):
            after = act(before, number)
        if after is before:
            return False
        write(stage=stage, before=before, after=after, user=user, noted=True)
        note(
            event=stage.flight.event,
            kind=kind,
            user=user,
            stage=stage.ref,
            entrant=entrant.ref,
            round=before.rounds + 1,
        )
    return True


def _require_playing(stage: StageRow) -> None:
    # Read again: cancelling the event locks this stage as well.
    if Event.objects.filter(pk=stage.flight.event_id, status=EventStatus.CANCELLED).exists():
        raise DeskRefused(_("This event is cancelled."), code="event_over")
    if stage.status != StageStatus.RUNNING:
        raise DeskRefused(
            _("%(stage)s is %(state)s: there is no round to be absent from.")
            % {"stage": stage.name, "state": stage.get_status_display()},
            code="not_running",
        )


def _another_round(meant: int, paired: int) -> DeskRefused:
    if meant <= paired:
        message = _("Round %(round)s is already paired; the next round is %(next)s.")
    else:
        message = _("Round %(round)s comes later; the next round is %(next)s.")
    return DeskRefused(message % {"round": meant, "next": paired + 1}, code="another_round")


def _number(stage: StageRow, entrant: EntrantRow) -> int:
    found = StageEntrant.objects.filter(stage=stage, entrant=entrant).values_list("number", flat=True).first()
    if found is None:
        raise DeskRefused(_("This entrant is not in the draw."), code="not_drawn")
    return found
