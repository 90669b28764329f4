"""Results to confirm, from the viewer's side."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.db.models import F

from clubs.access import Viewer
from clubs.models import User
from scoring.log.queries.results import side_of
from scoring.matches.queries.matches import MatchLine, score_of, without_yes_of
from scoring.models import Objection, SheetEvent


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """A result that the viewer's side has yet to confirm.

    ``score`` begins with the winner's points. ``for_me`` is None where nobody won. ``by`` names who entered
    the result; it is "" for the viewer and where that is not known. ``disputed`` where the viewer's side
    objected.
    """

    line: MatchLine
    score: str
    for_me: bool | None
    winner: str
    by: str
    disputed: bool


def reported_to(user: User, lines: Iterable[MatchLine]) -> list[ReportedResult]:
    """Each of these finished matches of the user as it was reported (two queries, however many)."""
    lines = list(lines)
    if not lines:
        return []
    last = SheetEvent.objects.filter(
        sheet__in=[line.match.sheet_id for line in lines], seq=F("sheet__head_seq")
    ).exclude(user=user)
    names = dict(last.values_list("sheet", "user__player__person__name"))
    objected = set(
        Objection.objects.filter(
            match__in=[line.match.pk for line in lines], revision=F("match__result__revision")
        ).values_list("match", "side")
    )
    return [_reported(line, side_of(line.match, user), names, objected) for line in lines]


def reported_in(line: MatchLine, viewer: Viewer) -> ReportedResult | None:
    """The result as it was reported to the viewer; None unless their own confirmation is missing.

    At most four queries, none for a visitor and for who does not sit at the match.
    """
    if not isinstance(viewer, User) or side_of(line.match, viewer) is None:
        return None
    asked = without_yes_of(viewer).filter(pk=line.match.pk).exists()
    return reported_to(viewer, [line])[0] if asked else None


def _reported(
    line: MatchLine, own: str | None, names: Mapping[int, str | None], objected: AbstractSet[tuple[int, str]]
) -> ReportedResult:
    first, second = line.sides if line.white.won or not line.black.won else line.sides[::-1]
    return ReportedResult(
        line=line,
        score=score_of(first, second),
        for_me=first.side.colour == own if first.won else None,
        winner=first.side.name if first.won else "",
        by=names.get(line.match.sheet_id) or "",
        disputed=(line.match.pk, own) in objected,
    )
