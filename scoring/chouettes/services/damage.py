"""What is wrong with a stored sheet, of a match or of a chouette."""

from scoring.chouettes.services.rows import damage_of_rows
from scoring.log.services.sheets import Damage, damage_of_log
from scoring.models import Sheet, SheetKind


def damage_of(sheet: Sheet) -> Damage | None:
    """What is wrong with its log and, of a chouette, with the rows of its games and ledgers; None when all
    is well.
    """
    if damage := damage_of_log(sheet):
        return damage
    wrong = damage_of_rows(sheet) if sheet.kind == SheetKind.CHOUETTE else ""
    return Damage(0, wrong) if wrong else None
