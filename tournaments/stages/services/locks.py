"""Locks of a draw: sheets first, then the stage.

The one order of locks is in docs/engineers/architecture.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from clubs.attempts import MovedError, settled
from scoring.models import Sheet
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.events.queries.whole_stage import stage_for_update
from tournaments.log.services import StaleRefused
from tournaments.models import PairingRow, PairingState, StageRow


@dataclass(frozen=True, slots=True)
class Hold:
    """The locked pairing of a match whose result a desk decides.

    Passed to the service of ``scoring`` that writes the result, and returned with ``result_changed``, so that
    nothing is looked up twice and the desk's log entry updates the open pages. ``decided``: even if others
    have played on the old result. ``stands``: what they have played stands, and who went on, went on.
    """

    pairing: PairingRow
    stage: StageRow
    decided: bool = False
    stands: bool = False


def hold_for_result(
    pairing: PairingRow, *, seen: int | None = None, decided: bool = False, stands: bool = False
) -> Hold:
    """Lock a pairing's stage for a result decided by the caller.

    The caller has locked the match with its sheet. Raises StaleRefused when the stage's log is not at
    ``seen``.
    """
    return Hold(pairing, lock_for_result(pairing, seen=seen), decided, stands)


def lock_stage(stage: StageRow, *, seen: int | None = None) -> StageRow:
    """Lock a stage, and the stages it feeds in order, until the transaction ends.

    A result that ends a stage writes their fields. Raises StaleRefused when the log is not at ``seen``.
    """
    locked = stage_for_update(stage.pk)
    if seen is not None and seen != locked.head_seq:
        raise StaleRefused(locked.head_seq)
    if locked.rules:
        behind = StageRow.objects.filter(flight=locked.flight_id, position__gt=locked.position)
        list(behind.select_for_update(no_key=True).order_by("position").values_list("pk"))
    return locked


def lock_for_result(pairing: PairingRow, *, seen: int | None = None) -> StageRow:
    """Lock the stage of a changed pairing after every sheet the change may void.

    The caller has locked the pairing's own sheet; ``pairing.state`` is refreshed. Raises StaleRefused when
    the stage's log is not at ``seen``.
    """
    return lock_with_sheets(pairing.stage, lambda: _later_sheets(pairing), seen=seen)


def lock_with_sheets(
    stage: StageRow, sheets: Callable[[], QuerySet[Sheet]], *, seen: int | None = None
) -> StageRow:
    """Lock a stage after the sheets that its change will write to.

    Sheets are always locked before the stage, within a stage by pairing number, so no two transactions wait
    for each other. ``sheets`` is evaluated under the stage's lock: usually there are none; otherwise that
    lock is released and all are acquired again, also when another pairing was published in between. Raises
    StaleRefused when the stage's log is not at ``seen``.
    """
    wanted = Sheet.objects.none()

    def attempt() -> StageRow:
        nonlocal wanted
        held = []
        if not wanted.query.is_empty():
            ordered = wanted.order_by("match__board__pairing__number", "pk")
            held = [sheet.pk for sheet in ordered.select_for_update(of=("self",), no_key=True)]
        locked = lock_stage(stage, seen=seen)
        wanted = sheets()
        if wanted.query.is_empty() or not wanted.exclude(pk__in=held).exists():
            return locked
        raise MovedError

    return settled(attempt)


def _later_sheets(pairing: PairingRow) -> QuerySet[Sheet]:
    """The sheets of later bracket matches, if a decided one may change them."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [pairing.pk])
        found = cursor.fetchone()
    if found is None:
        raise PairingRow.DoesNotExist(f"pairing {pairing.ref} no longer exists")
    pairing.state = found[0]
    if pairing.state != PairingState.DECIDED or not isinstance(format_of(pairing.stage.format), Elimination):
        return Sheet.objects.none()
    later = Sheet.objects.filter(
        match__board__pairing__stage=pairing.stage_id, match__board__pairing__number__gt=pairing.number
    )
    return later.exclude(match__board__pairing__state=PairingState.REPLACED)


_STATE = f"SELECT state FROM {PairingRow._meta.db_table} WHERE id = %s"  # noqa: S608 - a name of our own
