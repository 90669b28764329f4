"""What is wrong with a stored sheet, of a match or of a chouette."""

from scoring.chouettes.services.rows import damage_of_rows
from scoring.log.services.chains import Damage
from scoring.log.services.sheets import damage_of_log
from scoring.models import Sheet, SheetKind


def damage_of(sheet: Sheet) -> Damage | None:
    """What is wrong with a stored sheet; None when all is well.

    That is its log and, of a chouette, the rows of its games and ledgers.
    """
    if damage := damage_of_log(sheet):
        return damage
    wrong = damage_of_rows(sheet) if sheet.kind == SheetKind.CHOUETTE else ""
    return Damage(0, wrong) if wrong else None
