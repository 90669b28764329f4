"""Checks of ``restore --verify``: every scoresheet's chain, every photo and every rating."""

from dataclasses import asdict, dataclass

from scoring.chouettes.services.damage import damage_that_stays
from scoring.files.queries.photos import damaged_photos, kept_photos
from scoring.models import RatingList, Sheet
from scoring.ratings.services.rating_checks import wrong_rows

SHOWN = 20
"""Maximum of damaged sheets named; all are counted."""


@dataclass(frozen=True, slots=True)
class DamagedSheet:
    sheet: str
    seq: int
    damage: str


@dataclass(frozen=True, slots=True)
class WrongList:
    club: str
    list: str
    wrong_rows: int


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """Numbers of replayed sheets, compared photos and recalculated lists, and those that differ."""

    sheets: int
    damaged_sheets: int
    first_damaged: tuple[DamagedSheet, ...]
    photos: int
    damaged_photos: tuple[str, ...]
    rating_lists: int
    wrong_lists: tuple[WrongList, ...]

    @property
    def ok(self) -> bool:
        return not (self.damaged_sheets or self.damaged_photos or self.wrong_lists)

    def as_json(self) -> dict[str, object]:
        return asdict(self) | {"ok": self.ok}


def check() -> CheckedRows:
    """Replay every sheet (numbers, chain, head, state) and rating list, and compare every photo's digest."""
    sheets = damaged = 0
    first: list[DamagedSheet] = []
    for sheet in Sheet.objects.order_by("pk").iterator(chunk_size=200):
        sheets += 1
        if damage := damage_that_stays(sheet):
            damaged += 1
            if len(first) < SHOWN:
                first.append(DamagedSheet(sheet.ref, damage.seq, damage.what))
    lists = list(RatingList.objects.select_related("club").order_by("pk"))
    wrong = [(each, number) for each in lists if (number := wrong_rows(each))]
    return CheckedRows(
        sheets=sheets,
        damaged_sheets=damaged,
        first_damaged=tuple(first),
        photos=kept_photos().count(),
        damaged_photos=tuple(damaged_photos().values_list("ref", flat=True)),
        rating_lists=len(lists),
        wrong_lists=tuple(WrongList(each.club.slug, each.name, number) for each, number in wrong),
    )
