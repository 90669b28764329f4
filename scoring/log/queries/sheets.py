"""Reading the log of a match or of a chouette."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from scoring.models import Sheet, SheetKind
from scoring.notation.transcript import Step, transcript
from scoring.rules.events import Event, Played
from scoring.rules.logs import CHOUETTE_LOG, MATCH_LOG, LogKind

E = TypeVar("E")
S = TypeVar("S")

BEFORE_A_PLAY = 2
LOGS: Mapping[str, LogKind[Any, Any]] = {SheetKind.MATCH: MATCH_LOG, SheetKind.CHOUETTE: CHOUETTE_LOG}


@dataclass(frozen=True, slots=True)
class NumberedEvent(Generic[E]):
    """A valid event with its ``seq`` in the log."""

    seq: int
    event: E


def log_of(sheet: Sheet) -> LogKind[Any, Any]:
    """The log kind of this sheet."""
    return LOGS[sheet.kind]


def numbered(kind: LogKind[E, S], sheet: Sheet, *, upto: int | None = None) -> list[NumberedEvent[E]]:
    """The events that count, in order (one query), as the log stood at seq ``upto`` (None: as it stands).

    Raises ``scoring.rules.errors.InvalidValue`` for a row that is no event.
    """
    rows = sheet.events.order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    counting: dict[int, E] = {}
    for seq, name, body, replaces in rows.values_list("seq", "kind", "body", "replaces"):
        counting[seq if replaces is None else replaces] = kind.event_from_plain(name, body)
    return [NumberedEvent(seq, counting[seq]) for seq in sorted(counting)]


def events_of(sheet: Sheet, *, upto: int | None = None) -> list[NumberedEvent[Event]]:
    """``numbered`` for a match."""
    return numbered(MATCH_LOG, sheet, upto=upto)


def steps_of(sheet: Sheet) -> tuple[Step, ...]:
    """The steps of a match's sheet as its pages number them, from 1 (one query)."""
    return transcript((numbered.seq, numbered.event) for numbered in events_of(sheet))


def has_plays(sheet: Sheet) -> bool:
    """Whether any checker play is recorded: a start and an opening roll come before the first (no query)."""
    return sheet.head_seq > BEFORE_A_PLAY and sheet.events.filter(kind=Played.kind).exists()
