"""Refold a log with a replaced event and find the first misfit.

The same for a match and for a chouette: what differs is the kind of the log.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Generic, TypeVar

from django.utils.translation import gettext_noop as _

from clubs.refusals import Refused
from scoring.log.queries.sheets import NumberedEvent, log_of
from scoring.log.services.notes import is_same
from scoring.log.services.sheets import Shown
from scoring.models import Sheet, SheetEvent
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.rules.logs import LogKind
from scoring.sheets.services.entries import EntryRefused, plain_of

E = TypeVar("E")
S = TypeVar("S")
Show = Callable[[S, E], Shown]


class CorrectionRefused(Refused):
    """The correction makes the later event ``seq`` illegal; ``error`` says why.

    Nothing is written.
    """

    code = "does_not_fit"
    template = _("Event {seq} no longer fits: {reason}")

    def __init__(self, seq: int, error: ScoringError) -> None:
        self.seq, self.error = seq, error
        self.parameters = {"seq": seq, "reason": str(error)}
        super().__init__(f"event {seq}: {error}")


def standing_at(log: Sequence[NumberedEvent[E]], seq: int) -> NumberedEvent[E]:
    """The event to correct. Raises EntryRefused if there is none."""
    standing = next((row for row in log if row.seq == seq), None)
    if standing is None:
        raise EntryRefused(0, InvalidValue("no_such_event", "there is no event {seq}", seq=seq))
    return standing


def require_reason(reason: str) -> None:
    """Raise EntryRefused for a correction without a reason."""
    if not reason.strip():
        raise EntryRefused(0, InvalidValue("reason", "a correction needs a reason"))


@dataclass(frozen=True, slots=True)
class Refold(Generic[S]):
    """A refolded log: its state, how events are shown, and the first misfit."""

    state: S
    shown: Mapping[int, Shown] = field(default_factory=dict)
    misfit: tuple[int, ScoringError] | None = None


@dataclass(frozen=True, slots=True)
class Replacement(Generic[E, S]):
    """A correction's result: the replaced events and the log's new state."""

    changes: Sequence[tuple[int, E]]
    folded: Refold[S]

    def keys(self, key: str) -> list[str]:
        """The writer's key for the correction, and derived keys for what it removed."""
        # Of any key, in the length of a key: two corrections never share one.
        digest = sha256(key.encode()).hexdigest()[:40]
        return [key, *(f"{digest}~cut-{seq}" for seq, _event in self.changes[1:])]


def refold(kind: LogKind[E, S], log: Sequence[NumberedEvent[E]], show: Show[S, E] | None = None) -> Refold[S]:
    """Fold a whole log until the first event that does not fit."""
    state, shown = kind.begin(log[0].event), dict[int, Shown]()
    for row in log[1:]:
        try:
            if show is not None:
                shown[row.seq] = show(state, row.event)
            state = kind.apply(state, row.event)
        except ScoringError as error:
            return Refold(state, shown, (row.seq, error))
    return Refold(state, shown)


def replaced(log: Sequence[NumberedEvent[E]], changes: Mapping[int, E]) -> list[NumberedEvent[E]]:
    """The log with these replacements."""
    return [NumberedEvent(row.seq, changes.get(row.seq, row.event)) for row in log]


def put_in_place(
    kind: LogKind[E, S],
    log: Sequence[NumberedEvent[E]],
    seq: int,
    event: E,
    *,
    cut: bool,
    show: Show[S, E] | None = None,
    may_go: Callable[[E], None] = lambda _event: None,
    stays: Callable[[E], bool] = lambda _event: False,
) -> Replacement[E, S]:
    """Replace the event ``seq`` by ``event`` and revalidate all later events.

    Raises EntryRefused for an event that may not stand there, CorrectionRefused for the first
    later one that does not fit any more; with ``cut`` that one and all after it go instead, each of which
    ``may_go`` may refuse, but for those of which ``stays`` is true: they fit whatever came before.
    """
    folded = refold(kind, replaced(log, {seq: event}), show)
    changes: list[tuple[int, E]] = [(seq, event)]
    if folded.misfit is None:
        return Replacement(changes, folded)
    broken, error = folded.misfit
    if broken == seq:
        raise EntryRefused(0, error)
    if not cut:
        raise CorrectionRefused(broken, error)
    rest = [row for row in log if row.seq >= broken and not (kind.is_void(row.event) or stays(row.event))]
    for row in rest:
        may_go(row.event)
    changes += [(row.seq, kind.cut) for row in rest]
    return Replacement(changes, refold(kind, replaced(log, dict(changes)), show))


def is_repeated(sheet: Sheet, key: str, event: object, seq: int | None = None) -> bool:
    """Whether the key's change exists. Raises EntryRefused if the key is another's."""
    row = SheetEvent.objects.filter(sheet=sheet, client_key=key).first()
    if row is None:
        return False
    as_before = row.replaces is not None if seq is None else row.replaces == seq
    if not as_before or not is_same(row.kind, row.body, plain_of(log_of(sheet), event)):
        raise EntryRefused(
            0, InvalidValue("key_used", "the key {key} is already used for another event", key=key)
        )
    return True
