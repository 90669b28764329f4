"""Change the list of forbidden pairs of a flight, and tell the draws in progress.

A draw that is made later reads the list. A draw in progress gets an entry in its log, so that the pairings
before and after it can be proved; it holds from the next round on.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Player, User
from tournaments.events.services.events import OvertakenRefused, require_as_seen, require_not_over
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    EventStatus,
    Flight,
    ForbiddenEntrant,
    ForbiddenKind,
    ForbiddenPairs,
    StageEntrant,
    StageRow,
    StageStatus,
)
from tournaments.stages.queries.forbidden import version_of
from tournaments.stages.services.labels import as_listed
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
    seen: str | None = None,
) -> ForbiddenPairs:
    """Add a line to the list; for ``names`` give two entrants or more, by ref.

    A rule or the same names once more changes how strict the line is, and draws in progress read clubs and
    titles again. Raises DeskRefused for names that are not entrants of the flight, too few or too many of
    them, and when the event is over; OvertakenRefused if the list is not as ``seen``, a ``version_of`` it.
    """
    with transaction.atomic():
        flight, stages = _held(flight)
        rows = _named(flight, entrants) if kind == ForbiddenKind.NAMES else []
        known = _known(flight, kind, rows)
        if known is not None and known.never == never:
            _follow(stages, user, noted=False)
            return known
        _require_list(flight, seen)
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


def allow(*, flight: Flight, line: str, user: User | None, seen: str | None = None) -> None:
    """Remove a line (by ref) from the list.

    Raises OvertakenRefused if it is not there any more, or if the list is not as ``seen``.
    """
    with transaction.atomic():
        flight, stages = _held(flight)
        found = ForbiddenPairs.objects.filter(flight=flight, ref=line).first()
        if found is None:
            raise OvertakenRefused(_("Someone else changed this. Reload the page and try again."))
        _require_list(flight, seen)
        refs = list(found.entrants.order_by("pk").values_list("entrant__ref", flat=True))
        gone = ForbiddenPairs(kind=found.kind, never=found.never)
        found.delete()
        _tell(flight, stages, gone, refs, user, removed=True)


def follow_club(*, flight: Flight, user: User | None) -> None:
    """Tell draws in progress that an entrant's club was corrected. The caller has locked the flight."""
    if ForbiddenPairs.objects.filter(flight=flight, kind=ForbiddenKind.CLUB).exists():
        _follow(_in_progress(flight), user, noted=True)


def follow_title(club: Club, player: Player, user: User) -> None:
    """Tell draws in progress that a player's title was corrected. The caller has locked the club.

    Draws of events that are over or on another computer stay as they are.
    """
    ruled = ForbiddenPairs.objects.filter(kind=ForbiddenKind.TITLE).values("flight")
    entries = EntrantMember.objects.filter(player=player).values("entrant")
    drawn = StageEntrant.objects.filter(entrant__in=entries, stage__flight__in=ruled).values("stage")
    stages = StageRow.objects.filter(
        pk__in=drawn, status=StageStatus.RUNNING, flight__event__club=club, flight__event__moved_at=None
    ).exclude(flight__event__status__in=[EventStatus.FINISHED, EventStatus.CANCELLED])
    in_order = stages.order_by("flight__event", "flight__position", "position")
    _follow([lock_stage(each) for each in in_order], user, noted=False)


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
    return flight, _in_progress(flight)


def _in_progress(flight: Flight) -> list[StageRow]:
    stages = StageRow.objects.filter(flight=flight, status=StageStatus.RUNNING).order_by("position")
    return [lock_stage(each) for each in stages]


def _require_list(flight: Flight, seen: str | None) -> None:
    if seen is not None:
        lines = ForbiddenPairs.objects.filter(flight=flight).order_by("pk")
        require_as_seen({"version": seen}, {"version": version_of(lines)})


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
    _follow(stages, user, noted=True)
    note(
        event=flight.event,
        kind="pair_allowed" if removed else "pair_forbidden",
        user=user,
        flight=flight.ref,
        rule=line.kind,
        never=line.never,
        apart=list(refs),
    )


def _follow(stages: Sequence[StageRow], user: User | None, *, noted: bool) -> None:
    """Bring draws in progress to the list; ``noted`` as in ``write``."""
    for stage in stages:
        before = load(stage)
        after = as_listed(stage, before)
        if after is not before:
            write(stage=stage, before=before, after=after, user=user, noted=noted)
