"""Damage checks of stored sheets, of matches and chouettes."""

from django.db import transaction

from scoring.chouettes.services.rows import damage_of_rows
from scoring.log.services.chains import Damage
from scoring.log.services.sheets import damage_of_log
from scoring.models import Sheet, SheetKind


def damage_that_stays(sheet: Sheet) -> Damage | None:
    """The damage of a sheet on a running site, or None.

    A write between two queries can look like damage, so a damaged sheet is locked and read again.
    """
    if damage_of(sheet) is None:
        return None
    with transaction.atomic():
        held = Sheet.objects.select_for_update(of=("self",), no_key=True).filter(pk=sheet.pk).first()
        return None if held is None else damage_of(held)


def damage_of(sheet: Sheet) -> Damage | None:
    """The damage of a sheet's log and, for a chouette, of its games and ledgers.

    None if intact.
    """
    if damage := damage_of_log(sheet):
        return damage
    wrong = damage_of_rows(sheet) if sheet.kind == SheetKind.CHOUETTE else ""
    return Damage(0, wrong) if wrong else None
