"""The locks of a draw: a stage behind the sheets of its matches, and what a desk that decides a result holds.

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
    """What a desk holds while it decides a match's result: its pairing as it is now, on its locked stage.

    It is handed to the service of ``scoring`` that writes the result and comes back with ``result_changed``:
    nothing is looked up a second time, and the desk's entry in the event's log tells the open pages.
    ``decided``: also where others have played on the old result.
    """

    pairing: PairingRow
    stage: StageRow
    decided: bool = False


def hold_for_result(pairing: PairingRow, *, seen: int | None = None, decided: bool = False) -> Hold:
    """The pairing with its stage locked, for a result that the caller decides.

    The caller holds the match with its sheet. Raises StaleRefused when the stage's log is not at ``seen``.
    """
    return Hold(pairing, lock_for_result(pairing, seen=seen), decided)


def lock_stage(stage: StageRow, *, seen: int | None = None) -> StageRow:
    """The stage, locked until the transaction ends. Raises StaleRefused when its log is not at ``seen``.

    The stages that it may feed are locked along, in their order: a result that ends it writes their fields.
    """
    locked = stage_for_update(stage.pk)
    if seen is not None and seen != locked.head_seq:
        raise StaleRefused(locked.head_seq)
    if locked.rules:
        behind = StageRow.objects.filter(flight=locked.flight_id, position__gt=locked.position)
        list(behind.select_for_update(no_key=True).order_by("position").values_list("pk"))
    return locked


def lock_for_result(pairing: PairingRow, *, seen: int | None = None) -> StageRow:
    """The stage of a pairing whose result changes, locked after every sheet that the change may void.

    The caller holds the pairing's own sheet; ``pairing.state`` is what it is under the lock. Raises
    StaleRefused when the stage's log is not at ``seen``.
    """
    return lock_with_sheets(pairing.stage, lambda: _later_sheets(pairing), seen=seen)


def lock_with_sheets(
    stage: StageRow, sheets: Callable[[], QuerySet[Sheet]], *, seen: int | None = None
) -> StageRow:
    """The stage, locked after the sheets that a change of it will write on.

    Sheets are locked before the stage everywhere, those of one stage by the number of their pairing: whoever
    records another result meanwhile waits, and no two wait for each other. ``sheets`` is asked under the
    stage's lock: mostly there are none; else that lock is given back and all are taken anew, also when
    another pairing was published in between. Raises StaleRefused when the stage's log is not at ``seen``.
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
    """The sheets of the bracket's later matches, where a decided one may change them; else none."""
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
