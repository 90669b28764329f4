"""Change the list of forbidden pairs of a flight, and tell the draws in progress.

A draw that is made later reads the list. A draw in progress gets an entry in its log, so that the pairings
before and after it can be proved; it holds from the next round on.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.play import acts
from tournaments.core.stages.entrants import Field
from tournaments.events.services.events import OvertakenRefused, require_not_over
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    EntrantRow,
    Flight,
    ForbiddenEntrant,
    ForbiddenKind,
    ForbiddenPairs,
    StageRow,
    StageStatus,
)
from tournaments.stages.queries.forbidden import NO_LABELS, Labels, labels_of
from tournaments.stages.services.locks import lock_stage
from tournaments.stages.services.stages import load, write

FEWEST, MOST_NAMED, MOST_LINES = 2, 50, 200


def forbid(
    *,
    flight: Flight,
    kind: ForbiddenKind,
    never: bool,
    user: User | None,
    entrants: Sequence[str] = (),
) -> ForbiddenPairs:
    """Add a line to the list; for ``names`` give two entrants or more, by ref.

    A rule or the same names once more changes how strict the line is. Raises DeskRefused for names that are
    not entrants of the flight, too few or too many of them, and when the event is over.
    """
    with transaction.atomic():
        flight, stages = _held(flight)
        rows = _named(flight, entrants) if kind == ForbiddenKind.NAMES else []
        known = _known(flight, kind, rows)
        if known is not None and known.never == never:
            return known
        if known is None and ForbiddenPairs.objects.filter(flight=flight).count() >= MOST_LINES:
            raise DeskRefused(
                _("The list has %(most)s lines. Remove one first.") % {"most": MOST_LINES}, code="most"
            )
        line = known or ForbiddenPairs(flight=flight, kind=kind)
        line.never = never
        line.save()
        if known is None:
            ForbiddenEntrant.objects.bulk_create(
                ForbiddenEntrant(flight=flight, pairs=line, entrant=row) for row in rows
            )
        _tell(flight, stages, line, [row.ref for row in rows], user)
    return line


def allow(*, flight: Flight, line: str, user: User | None) -> None:
    """Remove a line (by ref) from the list. Raises OvertakenRefused if it is not there any more."""
    with transaction.atomic():
        flight, stages = _held(flight)
        found = ForbiddenPairs.objects.filter(flight=flight, ref=line).first()
        if found is None:
            raise OvertakenRefused(_("Someone else changed this. Reload the page and try again."))
        refs = list(found.entrants.order_by("pk").values_list("entrant__ref", flat=True))
        gone = ForbiddenPairs(kind=found.kind, never=found.never)
        found.delete()
        _tell(flight, stages, gone, refs, user, removed=True)


def leave_list(*, entrant: EntrantRow, user: User | None) -> None:
    """Take an entrant who leaves its flight off the list, with every line that one entrant is left on.

    The caller has locked the flight, which must not be drawn.
    """
    named = ForbiddenEntrant.objects.filter(entrant=entrant)
    lines = list(ForbiddenPairs.objects.filter(pk__in=named.values("pairs")).order_by("pk"))
    named.delete()
    for line in lines:
        left = list(line.entrants.order_by("pk").values_list("entrant__ref", flat=True))
        if len(left) < FEWEST:
            line.delete()
            _tell(entrant.flight, (), line, [entrant.ref, *left], user, removed=True)


def _held(flight: Flight) -> tuple[Flight, list[StageRow]]:
    """Lock the flight and its draws in progress, in their order."""
    flight = (
        Flight.objects.select_for_update(of=("self",), no_key=True)
        .select_related("event__club")
        .get(pk=flight.pk)
    )
    require_not_over(flight.event)
    stages = StageRow.objects.filter(flight=flight, status=StageStatus.RUNNING).order_by("position")
    return flight, [lock_stage(each) for each in stages]


def _named(flight: Flight, refs: Sequence[str]) -> list[EntrantRow]:
    rows = list(EntrantRow.objects.filter(flight=flight, ref__in=refs).order_by("pk"))
    unknown = set(refs) - {row.ref for row in rows}
    if unknown:
        raise DeskRefused(
            _("There is no entrant %(ref)s in this division.") % {"ref": min(unknown)}, code="no_entrant"
        )
    if not FEWEST <= len(rows) <= MOST_NAMED:
        raise DeskRefused(
            _("Choose %(fewest)s to %(most)s entrants, not %(count)s.")
            % {"fewest": FEWEST, "most": MOST_NAMED, "count": len(rows)},
            code="entrants",
        )
    return rows


def _known(flight: Flight, kind: ForbiddenKind, rows: Sequence[EntrantRow]) -> ForbiddenPairs | None:
    """The line of the list that names the same."""
    wanted = {row.pk for row in rows}
    lines = (
        ForbiddenPairs.objects.filter(flight=flight, kind=kind).order_by("pk").prefetch_related("entrants")
    )
    return next((line for line in lines if {each.entrant_id for each in line.entrants.all()} == wanted), None)


def _tell(
    flight: Flight,
    stages: Sequence[StageRow],
    line: ForbiddenPairs,
    refs: Sequence[str],
    user: User | None,
    *,
    removed: bool = False,
) -> None:
    rows = list(EntrantRow.objects.filter(flight=flight, numbers__stage__in=stages).distinct().with_players())
    labels = labels_of(flight, rows) if stages else {}
    for stage in stages:
        _follow(stage, labels, user)
    note(
        event=flight.event,
        kind="pair_allowed" if removed else "pair_forbidden",
        user=user,
        flight=flight.ref,
        rule=line.kind,
        never=line.never,
        apart=list(refs),
    )


def _follow(stage: StageRow, labels: Mapping[str, Labels], user: User | None) -> None:
    """Bring the labels of a draw's entrants to those of the list."""
    before = value = load(stage)
    now, wanted = _by_label(before.field), _by_label(before.field, labels)
    for label in sorted(now.keys() | wanted.keys()):
        if now.get(label) != wanted.get(label):
            never, numbers = wanted.get(label, (False, ()))
            value = acts.keep_apart(value, label, numbers, never=never)
    if value is not before:
        write(stage=stage, before=before, after=value, user=user, noted=True)


def _by_label(
    field: Field, labels: Mapping[str, Labels] | None = None
) -> dict[str, tuple[bool, tuple[int, ...]]]:
    """Each label with whether it is strict and who has it, as the draw or as the list says."""
    found: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for number, entrant in enumerate(field, 1):
        held = entrant if labels is None else labels.get(entrant.ref, NO_LABELS)
        for label in held.never:
            found[label, True].append(number)
        for label in held.avoid:
            found[label, False].append(number)
    return {label: (never, tuple(numbers)) for (label, never), numbers in found.items()}
