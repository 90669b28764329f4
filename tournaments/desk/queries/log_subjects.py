"""What entries of the desk's log are about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.models import DeskEvent, EntrantRow, PairingRow


@dataclass(frozen=True, slots=True)
class LogSubjects:
    """Pairings by ref, and entrants by key and by ref; ``known`` are the entrants if loaded."""

    pairings: Mapping[str, PairingRow]
    entrants: frozenset[int]
    refs: frozenset[str]
    known: Sequence[EntrantRow] | None = None

    def among(self, entrants: Iterable[EntrantRow]) -> "LogSubjects":
        """The same with its entrants, which are among these."""
        found = [each for each in entrants if each.pk in self.entrants or each.ref in self.refs]
        return replace(self, known=found)


NO_SUBJECTS = LogSubjects({}, frozenset(), frozenset())


def subjects_of(desk: Sequence[DeskEvent]) -> LogSubjects:
    """The subjects of desk entries (one query)."""
    refs = {str(row.body["pairing"]) for row in desk if row.body.get("pairing")}
    pairings = {row.ref: row for row in PairingRow.objects.filter(ref__in=refs).select_related("stage")}
    keys = ("entrant", "moved_up")
    named = {str(row.body[key]) for row in desk for key in keys if row.body.get(key)}
    named |= {str(ref) for row in desk for key in ("tied", "apart") for ref in row.body.get(key, ())}
    wanted = {pk for row in pairings.values() for pk in (row.a_id, row.b_id) if pk is not None}
    return LogSubjects(pairings, frozenset(wanted), frozenset(named))
