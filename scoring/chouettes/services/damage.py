"""What is wrong with a stored sheet, of a match or of a chouette."""

from django.db import transaction

from scoring.chouettes.services.rows import damage_of_rows
from scoring.log.services.chains import Damage
from scoring.log.services.sheets import damage_of_log
from scoring.models import Sheet, SheetKind


def damage_that_stays(sheet: Sheet) -> Damage | None:
    """What is wrong with a stored sheet of a site that goes on.

    Somebody may write on it between one query and the next: what then looks damaged is read again, and
    nobody writes meanwhile.
    """
    if damage_of(sheet) is None:
        return None
    with transaction.atomic():
        held = Sheet.objects.select_for_update(of=("self",), no_key=True).filter(pk=sheet.pk).first()
        return None if held is None else damage_of(held)


def damage_of(sheet: Sheet) -> Damage | None:
    """What is wrong with a stored sheet; None when all is well.

    That is its log and, of a chouette, the rows of its games and ledgers.
    """
    if damage := damage_of_log(sheet):
        return damage
    wrong = damage_of_rows(sheet) if sheet.kind == SheetKind.CHOUETTE else ""
    return Damage(0, wrong) if wrong else None
