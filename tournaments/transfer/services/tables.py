"""The tables of an event file: models with the fields from Django's metadata."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from typing import Any, TypeAlias

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from clubs.models import Note, Player, User
from scoring.codec import from_plain
from scoring.models import Claim, Confirmation, Match, Objection, Result, Seat, Sheet, SheetEvent, SideRow
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import SidePool
from tournaments.core.stages.pairings import Reason
from tournaments.core.timetable.breaks import Break
from tournaments.events.eligibility import Eligibility
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    Auction,
    AuctionLot,
    Board,
    CashClosing,
    Declined,
    DeskEvent,
    EarlierDraw,
    EarlierEntrant,
    EntrantMember,
    EntrantRow,
    Event,
    EventTable,
    Feed,
    Flight,
    ForbiddenEntrant,
    ForbiddenPairs,
    LotEntrant,
    LotPrize,
    PairingRow,
    Prize,
    Sent,
    StageEntrant,
    StageEvent,
    StageRow,
)

Body = dict[str, Any]
Field: TypeAlias = "models.Field[Any, Any]"
Numbers = Mapping[type[models.Model], Mapping[int, int]]

# Never in a file: fields of an installation, access codes and locks.
LOCAL = frozenset(
    {"id", "club", "code_hash", "version", "opened_by_director", "moved_at", "moved_to", "in_chouette"}
    | {"lot_seeds", "poster", "satellite_for"}
    | {"finished_length", "finished_club", "finished_open", "finished_won"}
)
SEEDS = ("seed", "dice_seed")
MATCHES = "board__pairing__stage__flight__event"
YEARS = range(1900, 2200)


@dataclass(frozen=True, slots=True)
class FileTable:
    """A kind of row.

    The lookup that leads to its event, and the fields that identify a row.

    A ``log`` only grows. Rows that ``may_go`` are replaced by those of the file; ``kept`` rows stay as they
    are here; the file must have every other row. ``signed`` is the field with the time of a signed act.
    """

    model: type[models.Model]
    path: str
    key: tuple[str, ...]
    log: bool = False
    may_go: bool = False
    kept: bool = False
    signed: str = ""

    @property
    def name(self) -> str:
        return name_of(self.model)

    @property
    def fields(self) -> list[Field]:
        """The fields in the file: all but ``LOCAL`` ones and accounts."""
        found = [each for each in self.model._meta.concrete_fields if each.name not in LOCAL]
        return sorted((each for each in found if each.related_model is not User), key=lambda each: each.name)

    @property
    def local(self) -> list[Field]:
        return [each for each in self.model._meta.concrete_fields if each not in self.fields]

    def rows(self, event: Event) -> "models.QuerySet[Any]":
        found = self.model._default_manager.filter(**{self.path or "pk": event.pk}).order_by(*self.key)
        related = [each.name for each in self.fields if each.related_model in {Note, Player}]
        return found.select_related(*related) if related else found

    def key_of(self, row: models.Model) -> tuple[Any, ...]:
        return tuple(row.serializable_value(name) for name in self.key)


TABLES = (
    FileTable(Event, "", ("ref",)),
    FileTable(Flight, "event", ("ref",)),
    FileTable(EntrantRow, "flight__event", ("ref",)),
    FileTable(EntrantMember, "entrant__flight__event", ("entrant", "position")),
    FileTable(ForbiddenPairs, "flight__event", ("ref",), may_go=True),
    FileTable(ForbiddenEntrant, "flight__event", ("pairs", "entrant"), may_go=True),
    FileTable(StageRow, "flight__event", ("ref",)),
    FileTable(Feed, "flight__event", ("stage", "number")),
    FileTable(Sent, "flight__event", ("feed", "place"), may_go=True),
    FileTable(Declined, "flight__event", ("stage", "entrant"), may_go=True),
    FileTable(StageEntrant, "flight__event", ("stage", "number"), may_go=True),
    FileTable(EarlierDraw, "flight__event", ("stage", "number")),
    FileTable(EarlierEntrant, "flight__event", ("draw", "number"), may_go=True),
    FileTable(StageEvent, "stage__flight__event", ("stage", "seq"), log=True),
    FileTable(PairingRow, "stage__flight__event", ("ref",)),
    FileTable(Sheet, f"match__{MATCHES}", ("ref",)),
    FileTable(Match, MATCHES, ("ref",)),
    FileTable(SideRow, f"match__{MATCHES}", ("match", "colour")),
    FileTable(Seat, f"match__{MATCHES}", ("match", "side", "order"), may_go=True),
    FileTable(Claim, f"sheet__match__{MATCHES}", ("ref",), kept=True),
    FileTable(SheetEvent, f"sheet__match__{MATCHES}", ("sheet", "seq"), log=True),
    FileTable(Result, f"match__{MATCHES}", ("match",)),
    FileTable(Confirmation, f"match__{MATCHES}", ("match", "revision", "side"), may_go=True),
    FileTable(Objection, f"match__{MATCHES}", ("match", "revision", "side"), may_go=True),
    FileTable(Board, "pairing__stage__flight__event", ("pairing", "number")),
    FileTable(DeskEvent, "event", ("event", "seq"), log=True),
    FileTable(EventTable, "event", ("event", "number"), may_go=True),
    FileTable(Prize, "flight__event", ("ref",), may_go=True, signed="paid_at"),
    FileTable(Auction, "flight__event", ("ref",), may_go=True),
    FileTable(AuctionLot, "auction__flight__event", ("ref",), may_go=True),
    FileTable(LotEntrant, "lot__auction__flight__event", ("ref",), may_go=True),
    FileTable(LotPrize, "lot__auction__flight__event", ("ref",), may_go=True, signed="paid_at"),
    FileTable(CashClosing, "event", ("ref",), signed="closed_at"),
)


SHAPES: dict[str, Any] = {
    "event.breaks": tuple[Break, ...],
    "flight.percentages": tuple[int, ...],
    "flight.shares": dict[str, int],
    "flight.eligibility": Eligibility,
    "flight.pools": tuple[SidePool, ...],
    "entrant.pools": tuple[str, ...],
    "auction.percentages": tuple[int, ...],
    "stage.lengths": tuple[int, ...],
    "stage.starts": dict[int, datetime],
    "pairing.reasons": tuple[Reason, ...],
}
"""Types of the plain-data columns; logs and rules check the other objects."""


def name_of(model: type[models.Model]) -> str:
    """The name of a model's table in a file: ``stage``, ``entrant``."""
    return model._meta.db_table.partition("_")[2]


def plain_row(table: FileTable, row: Any, numbers: Numbers) -> Body:
    """A row as JSON; references are numbers of rows in the file."""
    body = {each.name: _plain(each, row, numbers) for each in table.fields}
    if isinstance(row, StageRow) and row.drawn_at is None:
        body |= dict.fromkeys(SEEDS, "")
    return body


def _plain(column: Field, row: Any, numbers: Numbers) -> Any:
    value = getattr(row, column.attname)
    if value is None or isinstance(column, models.JSONField):
        return value
    if column.related_model is Note:
        note = getattr(row, column.name)
        erased = note.erased_at is not None
        return None if erased else {"ref": note.ref, "salt": bytes(note.salt).hex(), "text": note.text}
    if column.related_model is Player:
        return getattr(row, column.name).ref
    if column.is_relation:
        return numbers[column.related_model][value]  # type: ignore[index]
    return value if isinstance(value, str | bool | int | float) else value.isoformat()


def value_in(column: Field, plain: Any, where: str) -> Any:
    """The value of a field without a relation, from JSON.

    Raises DeskRefused with place and value.
    """
    if plain is None and column.null:
        return None
    expected = _json_type(column)
    if type(plain) is not expected and not (expected is float and type(plain) is int):
        raise invalid_file(f"{where}: {str(plain)[:80]!r} is not {expected.__name__}")
    try:
        if isinstance(column, models.JSONField):
            read = from_plain(SHAPES.get(f"{name_of(column.model)}.{column.name}", Any), plain, where)
            for moment in _dates_in(read):
                _require_usual(moment, where)
            return plain
        value = column.to_python(plain)
        column.run_validators(value)
    except ValidationError as error:
        raise invalid_file(f"{where}: {str(plain)[:80]!r}, {' '.join(error.messages)}") from error
    except (PrizeRefused, ValueError) as error:
        said = str(error)
        raise invalid_file(said if said.startswith(where) else f"{where}: {said}") from error
    except OverflowError as error:
        raise invalid_file(f"{where}: {str(plain)[:80]!r} is too large a number") from error
    if column.choices and value not in dict(column.flatchoices) and not (value == "" and column.blank):
        raise invalid_file(
            f"{where}: {str(plain)[:80]!r} is not one of {', '.join(dict(column.flatchoices))}"
        )
    if isinstance(value, date):
        _require_usual(value, where)
    return value


def _dates_in(value: Any) -> Iterator[date]:
    """Every date and time in a value read from plain data."""
    if isinstance(value, date):
        yield value
    elif isinstance(value, Mapping):
        yield from (found for each in value.values() for found in _dates_in(each))
    elif isinstance(value, list | tuple):
        yield from (found for each in value for found in _dates_in(each))
    elif is_dataclass(value):
        yield from (found for each in fields(value) for found in _dates_in(getattr(value, each.name)))


def _require_usual(value: date, where: str) -> None:
    """Refuse a naive time or an absurd year, which time zones cannot convert."""
    if isinstance(value, datetime) and value.tzinfo is None:
        raise invalid_file(f"{where}: {value.isoformat()!r} has no time zone")
    if value.year not in YEARS:
        raise invalid_file(f"{where}: {value.isoformat()!r} is not from {YEARS[0]} to {YEARS[-1]}")


def _json_type(column: Field) -> type:
    if isinstance(column, models.JSONField):
        return type(column.get_default()) if column.has_default() else dict
    kinds: dict[Any, type] = {models.BooleanField: bool, models.FloatField: float, models.IntegerField: int}
    return next((plain for kind, plain in kinds.items() if isinstance(column, kind)), str)


def invalid_file(reason: str) -> DeskRefused:
    """The refusal of an invalid file, with the reason and the value."""
    said = {"reason": reason.splitlines()[0].rstrip(".")}
    return DeskRefused(_("This event file cannot be imported: %(reason)s.") % said, code="file")
