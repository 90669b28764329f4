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


def pairing_refs(desk: Sequence[DeskEvent]) -> frozenset[str]:
    """The refs of the pairings that desk entries are about."""
    return frozenset(str(row.body["pairing"]) for row in desk if row.body.get("pairing"))


def subjects_of(desk: Sequence[DeskEvent]) -> LogSubjects:
    """The subjects of desk entries (one query)."""
    rows = PairingRow.objects.filter(ref__in=pairing_refs(desk)).select_related("stage")
    return subjects_in(desk, {row.ref: row for row in rows})


def subjects_in(desk: Sequence[DeskEvent], pairings: Mapping[str, PairingRow]) -> LogSubjects:
    """The subjects of desk entries; ``pairings`` are those that they are about, by ref."""
    keys = ("entrant", "moved_up")
    named = {str(row.body[key]) for row in desk for key in keys if row.body.get(key)}
    named |= {str(ref) for row in desk for key in ("tied", "apart") for ref in row.body.get(key, ())}
    wanted = {pk for row in pairings.values() for pk in (row.a_id, row.b_id) if pk is not None}
    return LogSubjects(pairings, frozenset(wanted), frozenset(named))
