"""Bring the labels of a draw in progress to those of the list of forbidden pairs.

The draw's log says what each round was paired with: a change of the list, of an entrant's club or of a
player's title is an entry before the round that it holds for.
"""

from collections import defaultdict
from collections.abc import Mapping

from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.rounds.ready import Ready
from tournaments.core.stages.entrants import Field
from tournaments.core.stages.stage import Stage
from tournaments.models import DeskEvent, EntrantRow, ForbiddenKind, ForbiddenPairs, StageRow
from tournaments.stages.queries.forbidden import NO_LABELS, Labels, labels_of, line_of

Holders = Mapping[str, tuple[bool, tuple[int, ...]]]
"""Each label with whether it is strict, and the numbers of who has it."""


def as_listed(stage: StageRow, value: Stage) -> Stage:
    """The draw with the labels that the list gives its entrants now; the same value if nothing changed.

    At most eight queries, one without a list. Titles do not travel in an event's file: once an event has been
    moved here, the draw keeps those that it was made with.
    """
    lines = {line.ref: line for line in ForbiddenPairs.objects.filter(flight=stage.flight_id)}
    now = _holders(value.field)
    if not lines and not now:
        return value
    rows = list(EntrantRow.objects.filter(numbers__stage=stage).with_players()) if lines else []
    wanted = dict(_holders(value.field, labels_of(stage.flight, rows)))
    titles = {ref for ref, line in lines.items() if line.kind == ForbiddenKind.TITLE}
    if titles and DeskEvent.objects.filter(event=stage.flight.event_id, kind="moved_in").exists():
        wanted |= {
            label: (lines[line_of(label)].never, numbers)
            for label, (_never, numbers) in now.items()
            if line_of(label) in titles
        }
    for label in sorted(now.keys() | wanted.keys()):
        if now.get(label) != wanted.get(label):
            never, numbers = wanted.get(label, (False, ()))
            value = acts.keep_apart(value, label, numbers, never=never)
    return value


def as_listed_when_due(stage: StageRow, value: Stage) -> Stage:
    """``as_listed`` if pairings can be due after the first ones, which the draw itself made."""
    chosen = format_of(value.format)
    if not value.rounds or value.closed:
        return value
    if isinstance(chosen, RoundsFormat):
        return value if value.open_pairings() or chosen.finished(value) else as_listed(stage, value)
    return as_listed(stage, value) if isinstance(chosen, Ready) else value


def _holders(field: Field, labels: Mapping[str, Labels] | None = None) -> Holders:
    """As the draw says, or as the list says in ``labels``."""
    found: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for number, entrant in enumerate(field, 1):
        held = entrant if labels is None else labels.get(entrant.ref, NO_LABELS)
        for label in held.never:
            found[label, True].append(number)
        for label in held.avoid:
            found[label, False].append(number)
    return {label: (never, tuple(numbers)) for (label, never), numbers in found.items()}
